package gp

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"bohier/internal/kernels"
)

// Both samplers of mcmc draw from one posterior: their means and deviations of every
// coordinate agree within what their own noise explains, also where bounds cut the
// posterior off, and hmc accepts about as often as it aims to.
func TestSamplersAgreeOnMoments(t *testing.T) {
	const burn, batches = 300, 20
	sweeps := 1000
	if os.Getenv("BOHIER_SOAK") != "" {
		sweeps = 20000
	}
	x, y := sample(60, 12, 2)
	imp, err := kernels.New(kernels.Spec{Name: "imp", ARD: true}, []kernels.Coord{{Name: "x0", Conditional: true}, {Name: "x1"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		k kernels.Kernel
		o Options
		f func(p []kernels.Param)
	}{
		"logarithms": {newARD(2, true, false), Options{}, nil},
		"logits":     {imp, Options{}, nil},
		"linear":     {newARD(2, true, false), Options{Mean: "linear", Linear: []float64{1, 1}}, nil},
		"walls": {newARD(2, true, false), Options{}, func(p []kernels.Param) {
			p[0].Lo, p[0].Hi, p[0].Init = 0.5, 0.8, 0.6
			p[3].Prior = kernels.Uniform{Low: p[3].Lo, High: 0.1}
			p[3].Hi, p[3].Init = 0.1, 0.01
		}},
	} {
		c.o.Inference = "mcmc"
		p := problemOf(t, c.k, x, y, nil, c.o)
		if c.f != nil {
			c.f(p.params)
		}
		chainOf := func(seed uint64) *chain {
			s := &search{p: p}
			st := s.newStart(p.initial(), 0)
			return &chain{st: st, rng: rand.New(rand.NewPCG(seed, 1)), x: append([]float64(nil), st.opt.X...)}
		}
		// Means of x and x² over batches of a chain, by coordinate.
		run := func(c *chain, sweep func(bool)) (out [][2][]float64) {
			out = make([][2][]float64, len(c.x))
			for k := range sweeps + burn {
				if sweep(k < burn); k < burn {
					continue
				}
				at := (k - burn) * batches / sweeps
				for j, v := range c.x {
					for power := range 2 {
						if out[j][power] == nil {
							out[j][power] = make([]float64, batches)
						}
						out[j][power][at] += math.Pow(v, float64(1+power)) * batches / float64(sweeps)
					}
				}
			}
			return out
		}
		a, b := chainOf(1), chainOf(2)
		h := newHMC(b)
		moved, last := 0.0, h.at
		of := [2][][2][]float64{run(a, newSlice(a).sweep), run(b, func(tune bool) {
			if h.sweep(tune); !tune && h.at != last {
				moved++
			}
			last = h.at
		})}
		if share := moved / float64(sweeps); share < 0.6 || share > 0.97 {
			t.Errorf("%s: hmc accepts %.2f with steps of %.3g, aims at %.2f", name, share, h.epsilon, acceptance)
		}
		for j, i := range p.free {
			for power := range 2 {
				m1, e1 := meanAndError(of[0][j][power])
				m2, e2 := meanAndError(of[1][j][power])
				if off := math.Abs(m1-m2) / math.Hypot(e1, e2); off > 4.5 {
					t.Errorf("%s: %s to the power of %d is %.4f ± %.4f by slices, %.4f ± %.4f by hmc", name, p.params[i].Name, power+1, m1, e1, m2, e2)
				}
			}
		}
		t.Logf("%s: %d free, steps of %.3g, %.1f and %.1f evaluations a sweep", name, len(p.free), h.epsilon,
			float64(a.st.e.evals)/float64(sweeps+burn), float64(b.st.e.evals)/float64(sweeps+burn))
	}
}

func meanAndError(v []float64) (mean, err float64) {
	n := float64(len(v))
	for _, x := range v {
		mean += x / n
	}
	for _, x := range v {
		err += (x - mean) * (x - mean) / (n - 1)
	}
	return mean, math.Sqrt(err / n)
}

// A fit draws as many samples by either way, differently, and the same ones twice.
func TestSamplersOfAFit(t *testing.T) {
	x, y := sample(61, 15, 2)
	fit := func(sampler string) []float64 {
		m, _ := mustFit(t, newARD(2, true, false), x, y, Options{Inference: "mcmc", Sampler: sampler, Samples: 4, Seed: 3})
		var out []float64
		for _, s := range m.Samples() {
			out = append(out, s.theta[0])
		}
		return out
	}
	slices, hmc, again := fit(""), fit("hmc"), fit("hmc")
	if len(slices) != 4 || len(hmc) != 4 || slices[0] == hmc[0] || hmc[0] == hmc[3] {
		t.Errorf("samples %v by slices, %v by hmc", slices, hmc)
	}
	for i := range hmc {
		if hmc[i] != again[i] {
			t.Errorf("sample %d is %v, then %v", i, hmc[i], again[i])
		}
	}
}
