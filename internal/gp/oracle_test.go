package gp

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

func readOracle(t *testing.T, name string, into any) {
	t.Helper()
	b, err := os.ReadFile("testdata/oracles/" + name)
	must(t, err)
	must(t, json.Unmarshal(b, into))
}

type masked struct {
	T      []float64
	Active []int
}

type hierOracle struct {
	Space []struct {
		Name     string
		ActiveIf string `json:"active_if"`
	}
	Train, Test []masked
	Y           []float64
	Kernels     map[string]struct {
		Hyper map[string][]*float64
		Eta   float64
		GP    struct {
			Mu, Sigma2     float64
			LML            float64 `json:"log_marginal_likelihood_profiled"`
			LML1           float64 `json:"log_marginal_likelihood_sigma2_1"`
			Sigma2Reinterp float64 `json:"sigma2_reinterp"`
			NegativeEigs   int     `json:"n_negative_eigs_R"`
			Predictions    []struct {
				Mean     float64
				Latent   float64 `json:"var_latent"`
				Nugget   float64 `json:"var_with_nugget"`
				Reinterp float64 `json:"var_reinterp"`
			}
		}
		Gradient map[string]json.RawMessage `json:"gp_gradient"`
	}
}

func (o *hierOracle) points(rows []masked, ignoreActivity bool) *points.Set {
	x := points.New(len(rows), len(o.Space))
	for i, r := range rows {
		for c, v := range r.T {
			x.Set(c, i, v, ignoreActivity || r.Active[c] == 1)
		}
	}
	return x
}

// hierKernel is our kernel for the oracle's, and how its hyperparameters map.
func (o *hierOracle) kernel(t *testing.T, name string) (kernels.Kernel, map[string]string) {
	t.Helper()
	coords := make([]kernels.Coord, len(o.Space))
	for i, s := range o.Space {
		coords[i] = kernels.Coord{Name: s.Name, Conditional: s.ActiveIf != "always" && name != "stan"}
	}
	spec := kernels.Spec{AlwaysActive: "same", Base: "exp", ARD: true}
	var names map[string]string
	switch {
	case name == "arc_zh":
		spec.Name, names = "arc", map[string]string{"theta": "arc.omega", "rho": "arc.rho"}
	case strings.HasPrefix(name, "arc"):
		spec.Name, spec.Base = "arc", "se"
		if name != "arc_eq" {
			spec.Base = "matern52"
		}
		if name == "arc_matern52_product" {
			spec.Combine = "product"
		}
		names = map[string]string{"omega": "arc.omega", "rho": "arc.rho"}
	case strings.HasPrefix(name, "ico"):
		spec.Name, names = "ico", map[string]string{"theta": "ico.theta", "rho": "ico.rho"}
		if name == "ico_indefinite" {
			spec.Name = "icocor"
		}
	case name == "imp":
		spec.Name, names = "imp", map[string]string{"theta": "imp.theta", "rho": "imp.rho"}
	case name == "imparc":
		spec.Name = "imparc"
		names = map[string]string{"beta_arc": "imparc.arc", "beta_imp": "imparc.imp", "rho_arc": "imparc.rho_arc",
			"rho_imp": "imparc.rho_imp"}
	case name == "stan":
		spec = kernels.Spec{Name: "exp", ARD: true}
		names = map[string]string{"theta": "plain.theta"}
	default:
		t.Fatalf("no kernel for oracle %s", name)
	}
	k := mustKernel(t, spec, coords)
	return k, names
}

// TestKrigingOracles checks profiled mean, variance and likelihood, its
// gradient, and predictions in every variance form against 50-digit references:
// |Δ| ≤ 1e-10·max(|ref|, scale), scale = process variance for variances, spread
// of y for means.
func TestKrigingOracles(t *testing.T) {
	checks := 0
	for _, file := range []string{"zh2d.json", "nn.json"} {
		var o hierOracle
		readOracle(t, file, &o)
		for name, c := range o.Kernels {
			k, names := o.kernel(t, name)
			set := map[string]float64{}
			for group, values := range c.Hyper {
				for i, v := range values {
					if v == nil {
						continue
					}
					if name == "arc_zh" && group == "theta" {
						set[names[group]+"["+o.Space[i].Name+"]"] = math.Sqrt(*v)
						continue
					}
					set[names[group]+"["+o.Space[i].Name+"]"] = *v
				}
			}
			x, q := o.points(o.Train, name == "stan"), o.points(o.Test, name == "stan")
			params := Params(k, o.Y)
			for i := range params[:len(k.Params())] {
				p := &params[i]
				v, ok := set[p.Name]
				if !ok {
					t.Fatalf("%s: the oracle has no %s", name, p.Name)
				}
				p.Init, p.Lo, p.Hi = v, v, v
			}
			variants := map[string]Options{
				"latent":   {},
				"reinterp": {Reinterpolate: true},
			}
			for form, opt := range variants {
				opt.Params, opt.Form, opt.Nugget = params, "kriging", c.Eta
				m, rep := mustFit(t, k, x, o.Y, opt)
				label := file + " " + name + " " + form + " "
				rel := func(what string, got, want, scale float64) {
					t.Helper()
					checks++
					near(t, label+what, got, want, 1e-10*max(math.Abs(want), scale))
				}
				spread := m.units.scale()
				rel("mu", rep.Hyper["mean"], c.GP.Mu, spread)
				rel("sigma2", rep.Hyper["signal"], c.GP.Sigma2, 0)
				rel("lml", rep.LogMarginalLikelihood, c.GP.LML, 1)
				mean, variance := make([]float64, q.Len()), make([]float64, q.Len())
				m.Predict(mean, variance, q)
				for i, want := range c.GP.Predictions {
					got, v := At(m.Predict, q, i)
					rel("mean", got, want.Mean, spread)
					rel("batch mean", mean[i], want.Mean, spread)
					ref := want.Latent
					switch form {
					case "reinterp":
						ref = want.Reinterp
					default:
						if ref > 0 {
							rel("nugget variance", v+m.Noise(), want.Nugget, c.GP.Sigma2)
						}
					}
					rel("variance", v, max(ref, 0), c.GP.Sigma2)
					rel("batch variance", variance[i], max(ref, 0), c.GP.Sigma2)
				}
			}
			checks += o.checkGradient(t, file+" "+name, k, names, set, c.Eta, x, c.Gradient)
		}
	}
	if checks < 900 {
		t.Errorf("only %d numbers checked", checks)
	}
}

// checkGradient compares the profiled likelihood's gradient in natural units.
func (o *hierOracle) checkGradient(t *testing.T, label string, k kernels.Kernel, names map[string]string,
	set map[string]float64, eta float64, x *points.Set, want map[string]json.RawMessage) (checks int) {
	p := problemOf(t, k, x, o.Y, nil, Options{Form: "kriging", Nugget: eta, Inference: "mle"})
	theta := p.initial()
	for i, q := range p.params[:p.kernelParams] {
		theta[i] = set[q.Name]
	}
	e := newEvaluator(p)
	if !e.slopes(theta) {
		t.Fatalf("%s: no likelihood", label)
	}
	index := map[string]int{}
	for i, q := range p.params {
		index[q.Name] = i
	}
	for group, raw := range want {
		if group == "eta" {
			var g struct {
				D float64 `json:"d_lml_profiled"`
			}
			must(t, json.Unmarshal(raw, &g))
			near(t, label+" eta", e.grad[p.noiseAt()], g.D, 1e-9*max(1, math.Abs(g.D)))
			checks++
			continue
		}
		var g struct {
			D []*float64 `json:"d_lml_profiled"`
		}
		must(t, json.Unmarshal(raw, &g))
		for i, d := range g.D {
			at, ok := index[names[group]+"["+o.Space[i].Name+"]"]
			if d == nil || !ok {
				continue
			}
			got := e.grad[at]
			if label[len(label)-6:] == "arc_zh" && group == "theta" {
				got /= 2 * theta[at] // θ = ω²
			}
			near(t, label+" "+group, got, *d, 1e-9*max(1, math.Abs(*d)))
			checks++
		}
	}
	return checks
}
