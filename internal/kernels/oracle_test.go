package kernels_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"

	"gonum.org/v1/gonum/mat"
)

// The oracles and where they come from are described in testdata/oracles.
func readOracle(t *testing.T, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "oracles", name))
	must(t, err)
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mustKernel(t testing.TB, s kernels.Spec, coords []kernels.Coord) kernels.Kernel {
	t.Helper()
	k, err := kernels.New(s, coords)
	must(t, err)
	return k
}

// mustNew makes a kernel and its hyperparameters from values by name; all must be given, and nothing else.
func mustNew(t *testing.T, s kernels.Spec, coords []kernels.Coord, values map[string]float64) (kernels.Kernel,
	[]float64) {
	t.Helper()
	k := mustKernel(t, s, coords)
	var theta []float64
	for _, p := range k.Params() {
		v, ok := values[p.Name]
		if !ok {
			t.Fatalf("no value for %s", p.Name)
		}
		theta = append(theta, v)
	}
	if len(theta) != len(values) {
		t.Fatalf("%d hyperparameters, %d values %v", len(theta), len(values), values)
	}
	return k, theta
}

// compare checks a matrix to 1e-10·max(|want|, scale) and returns the number of entries.
func compare(t *testing.T, what string, got, want [][]float64, scale float64) int {
	t.Helper()
	n := 0
	for i := range want {
		for j, w := range want[i] {
			n++
			if !(math.Abs(got[i][j]-w) <= 1e-10*max(math.Abs(w), scale)) {
				t.Fatalf("%s[%d][%d] = %v, want %v", what, i, j, got[i][j], w)
			}
		}
	}
	return n
}

func block(k kernels.Kernel, theta []float64, x, y *points.Set) [][]float64 {
	cov := k.Bind(theta, y)
	out := make([][]float64, x.Len())
	for i := range out {
		out[i] = make([]float64, y.Len())
		cov.Row(out[i], x, i, 0)
	}
	return out
}

type hierPoint struct {
	T      []float64
	Active []int
}

func hierSet(list []hierPoint, ignoreActivity bool) *points.Set {
	x := points.New(len(list), len(list[0].T))
	for i, p := range list {
		for c, v := range p.T {
			x.Set(c, i, v, ignoreActivity || p.Active[c] == 1)
		}
	}
	return x
}

func TestHierarchicalOracles(t *testing.T) {
	checks := 0
	for _, file := range []string{"hier_zh2d.json", "hier_nn.json"} {
		var o struct {
			Space []struct {
				Name     string
				ActiveIf string `json:"active_if"`
			}
			Train, Test []hierPoint
			Kernels     map[string]struct {
				Hyper map[string][]*float64
				Gram  [][]float64
				Cross [][]float64 `json:"cross_test_train"`
			}
		}
		readOracle(t, file, &o)
		var coords []kernels.Coord
		for _, p := range o.Space {
			coords = append(coords, kernels.Coord{Name: p.Name, Conditional: p.ActiveIf != "always"})
		}
		// The oracle's name, our kernel, our names of its hyperparameters.
		for _, c := range []struct {
			name  string
			spec  kernels.Spec
			names map[string]string
			scale func(float64) float64 // of the first hyperparameter
		}{
			{"arc_eq", kernels.Spec{Name: "arc", Base: "se"}, map[string]string{"omega": "arc.omega", "rho": "arc.rho"}, nil},
			{"arc_matern52_joint", kernels.Spec{Name: "arc"}, map[string]string{"omega": "arc.omega", "rho": "arc.rho"}, nil},
			{"arc_matern52_product", kernels.Spec{Name: "arc", Combine: "product"},
				map[string]string{"omega": "arc.omega", "rho": "arc.rho"}, nil},
			{"arc_zh", kernels.Spec{Name: "arc", Base: "exp"}, map[string]string{"theta": "arc.omega", "rho": "arc.rho"},
				math.Sqrt},
			{"ico", kernels.Spec{Name: "ico", Base: "exp"}, map[string]string{"theta": "ico.theta", "rho": "ico.rho"}, nil},
			{"ico_indefinite", kernels.Spec{Name: "icocor", Base: "exp"},
				map[string]string{"theta": "ico.theta", "rho": "ico.rho"}, nil},
			{"imp", kernels.Spec{Name: "imp", Base: "exp"}, map[string]string{"theta": "imp.theta", "rho": "imp.rho"}, nil},
			{"imparc", kernels.Spec{Name: "imparc", Base: "exp"}, map[string]string{
				"beta_arc": "imparc.arc", "beta_imp": "imparc.imp", "rho_arc": "imparc.rho_arc", "rho_imp": "imparc.rho_imp",
			}, nil},
			{"stan", kernels.Spec{Name: "exp"}, map[string]string{"theta": "plain.theta"}, nil},
		} {
			want, ok := o.Kernels[c.name]
			if !ok {
				t.Fatalf("%s has no %s", file, c.name)
			}
			c.spec.ARD, c.spec.AlwaysActive = true, "same"
			space := append([]kernels.Coord(nil), coords...)
			if c.name == "stan" { // ignores the hierarchy: a space without conditions
				c.spec.AlwaysActive = ""
				for i := range space {
					space[i].Conditional = false
				}
			}
			values := map[string]float64{}
			for theirs, list := range want.Hyper {
				for i, v := range list {
					if v == nil {
						continue
					}
					h := *v
					if c.scale != nil && theirs == "theta" {
						h = c.scale(h)
					}
					values[c.names[theirs]+"["+coords[i].Name+"]"] = h
				}
			}
			k, theta := mustNew(t, c.spec, space, values)
			x, q := hierSet(o.Train, c.name == "stan"), hierSet(o.Test, c.name == "stan")
			checks += compare(t, file+" "+c.name+" gram", block(k, theta, x, x), want.Gram, 1)
			checks += compare(t, file+" "+c.name+" cross", block(k, theta, q, x), want.Cross, 1)
		}
	}
	if checks < 2000 {
		t.Errorf("only %d numbers checked", checks)
	}
}

func TestIcoThresholdOracle(t *testing.T) {
	var o struct {
		Cases []struct {
			Type   string
			T      []float64
			Active []int
			Theta  float64
			Rho    float64
			Gram   [][]float64
			Eigen  []float64 `json:"eigenvalues"`
			Schur  float64   `json:"schur_threshold_rho"`
			PSD    bool
		}
	}
	readOracle(t, "hier_ico_indefinite.json", &o)
	if len(o.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range o.Cases {
		co := kernels.Coord{Name: "p", Conditional: true}
		if c.Type == "cat3" {
			co.Levels = 3
		}
		k, _ := kernels.New(kernels.Spec{Name: "ico", Base: "exp", ARD: true}, []kernels.Coord{co})
		x := points.New(len(c.T), 1)
		for i, v := range c.T {
			x.Set(0, i, v, c.Active[i] == 1)
		}
		compare(t, "ico", block(k, []float64{c.Theta, c.Rho}, x, x), c.Gram, 1)
		lowest := func(rho float64) float64 {
			n := len(c.T)
			var eig mat.EigenSym
			eig.Factorize(mat.NewSymDense(n, Gram(k, []float64{c.Theta, rho}, x)), false)
			return eig.Values(nil)[0]
		}
		if got := lowest(c.Rho); math.Abs(got-c.Eigen[0]) > 1e-10 || (got >= 0) != c.PSD {
			t.Errorf("smallest eigenvalue %v, want %v, definite %v", got, c.Eigen[0], c.PSD)
		}
		// The threshold ½ ln(1ᵀK⁻¹1) separates the signs.
		if lo, hi := lowest(c.Schur-1e-4), lowest(c.Schur+1e-4); !(lo < 0 && hi > -1e-12) {
			t.Errorf("around the threshold %v: %v, %v", c.Schur, lo, hi)
		}
	}
}
