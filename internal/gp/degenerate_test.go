package gp

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// TestDegenerateData: every data set gives finite predictions everywhere, or a
// FallbackError with the reason named here.
func TestDegenerateData(t *testing.T) {
	repeat := func(x *points.Set, y []float64) (*points.Set, []float64) {
		return points.Concat(x, x), append(append([]float64(nil), y...), y...)
	}
	scaled := func(y []float64, a, b float64) []float64 {
		out := make([]float64, len(y))
		for i, v := range y {
			out[i] = a*v + b
		}
		return out
	}
	clusters := func(radius float64) *points.Set {
		x := points.New(24, 2)
		r := rand.New(rand.NewPCG(5, 5))
		for i := range x.Len() {
			for c := range 2 {
				x.Col(c)[i] = float64((i%3)*(c+1))/7 + 0.1 + radius*r.Float64()
			}
		}
		return x
	}
	x, y := sample(20, 24, 2)
	twice, ytwice := repeat(x, y)
	outlier := func(v float64) []float64 {
		out := append([]float64(nil), y...)
		out[3] = v
		return out
	}
	lastBit := make([]float64, 24)
	for i := range lastBit {
		lastBit[i] = 0.3
	}
	lastBit[4] = math.Nextafter(0.3, 1)
	wide := make([]float64, 24)
	for i := range wide {
		wide[i] = math.Pow(10, -300+600*float64(i)/23)
	}
	x200, _ := sample(21, 5, 200)
	step := make([]float64, 24)
	for i := range step {
		if x.At(0, i) > 0.5 {
			step[i] = 1
		}
	}
	checks := 0
	for _, c := range []struct {
		name   string
		x      *points.Set
		y      []float64
		reason string // of the fallback
	}{
		{"no observation", points.New(0, 2), nil, "empty"},
		{"one", x.Slice(0, 1), y[:1], "flat"},
		{"two", x.Slice(0, 2), y[:2], ""},
		{"three", x.Slice(0, 3), y[:3], ""},
		{"one point twice", x.Select([]int{0, 0}), y[:2], ""},
		{"one point five times", x.Select([]int{0, 0, 0, 0, 0}), y[:5], ""},
		{"all equal", x, scaled(y, 0, 7), "flat"},
		{"all zero", x, scaled(y, 0, 0), "flat"},
		{"equal but the last bit", x, lastBit, "flat"},
		{"outlier 1e6", x, outlier(1e6), ""},
		{"outlier 1e12", x, outlier(1e12), ""},
		{"outlier 1e30", x, outlier(1e30), ""},
		{"outlier 1e300", x, outlier(1e300), ""},
		{"outlier -1e300", x, outlier(-1e300), ""},
		{"both signs 1.7e308", x, append([]float64{1.7e308, -1.7e308}, y[2:]...), ""},
		{"every point twice", twice, ytwice, ""},
		{"every point twice, other values", twice, append(append([]float64(nil), y...), scaled(y, 2, 1)...), ""},
		{"clusters of radius 1e-15", clusters(1e-15), y, ""},
		{"clusters of radius 1e-8", clusters(1e-8), y, ""},
		{"clusters of radius 1e-3", clusters(1e-3), y, ""},
		{"scale 1e-320", x, scaled(y, 1e-320, 0), ""},
		{"scale 1e-300", x, scaled(y, 1e-300, 0), ""},
		{"scale 1e-150", x, scaled(y, 1e-150, 0), ""},
		{"scale 1e150", x, scaled(y, 1e150, 0), ""},
		{"scale 1e300", x, scaled(y, 1e300, 0), ""},
		{"offset 1e6", x, scaled(y, 1, 1e6), ""},
		{"offset 1e12", x, scaled(y, 1, 1e12), ""},
		{"offset 1e16", x, scaled(y, 1, 1e16), "flat"},
		{"range 1e-300 to 1e300", x, wide, ""},
		{"200 parameters, 5 points", x200, y[:5], ""},
		{"a step", x, step, ""},
		{"corners", rows([][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}), []float64{1, 2, 3, 5}, ""},
	} {
		for _, o := range []Options{{}, {Inference: "mle"}, {Form: "kriging", Nugget: -1, Reinterpolate: true}} {
			for _, matern := range []bool{true, false} {
				k := newARD(c.x.Dim(), matern, false)
				m, rep, err := Fit(context.Background(), k, c.x, c.y, o)
				label := c.name + " " + o.Inference + o.Form
				var fb *FallbackError
				if errors.As(err, &fb) {
					checks++
					if fb.Reason != c.reason {
						t.Errorf("%s: fallback %q, want %q", label, fb.Reason, c.reason)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", label, err)
					continue
				}
				if c.reason != "" {
					t.Errorf("%s: fitted, want fallback %q", label, c.reason)
				}
				checks++
				for name, v := range rep.Hyper {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Errorf("%s: %s = %v", label, name, v)
					}
				}
				q := points.Concat(c.x, c.x.Slice(0, 1))
				for d := range q.Dim() {
					q.Col(d)[q.Len()-1] = 0.77
				}
				s := m.Standard()
				for i := range q.Len() {
					mean, v := At(s.PredictBatch, q, i)
					dx := make([]float64, q.Dim())
					PullAt(s, dx, 1, 1, q, i)
					for _, g := range append(dx, mean, v) {
						if math.IsNaN(g) || math.IsInf(g, 0) {
							t.Fatalf("%s: prediction %v ± %v, gradient %v", label, mean, v, dx)
						}
					}
				}
			}
		}
	}
	if checks < 180 {
		t.Errorf("only %d fits checked", checks)
	}
}

func TestInvalidObservations(t *testing.T) {
	x, y := sample(20, 3, 2)
	k := newARD(2, true, false)
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, _, err := Fit(context.Background(), k, x, []float64{y[0], v, y[2]}, Options{}); err == nil {
			t.Errorf("observation %v accepted", v)
		}
	}
	if _, _, err := Fit(context.Background(), k, x, y, Options{Stderr: []float64{0, -1, 0}}); err == nil {
		t.Error("a negative standard error is accepted")
	}
}

// TestJitterOfClosePoints: without noise, ever closer pairs of points need jitter.
func TestJitterOfClosePoints(t *testing.T) {
	seen := map[float64]bool{}
	fallback := ""
	for e := 0; e <= 160; e++ {
		gap := math.Pow(10, -float64(e)/10)
		// Smooth kernels over long lengthscales are nearly singular by design.
		for _, length := range []float64{1, 30, 1000} {
			x := rows([][]float64{{0.5}, {0.5 + gap/3}, {0.5 + gap}, {0.2}, {0.9}, {0.05}})
			y := []float64{1, 2, 3, 4, 0, 1}
			k := newARD(1, false, false)
			m, rep, err := Fit(context.Background(), k, x, y, Options{Params: fixed(Params(k, y), length, 4, 0, 1)})
			must(t, err)
			if rep.Fallback == "" {
				seen[rep.Jitter] = true
			} else {
				fallback = rep.Fallback
			}
			if mean, v := At(m.Predict, x, 0); math.IsNaN(mean + v) {
				t.Errorf("gap %g: prediction %v %v", gap, mean, v)
			}
		}
	}
	for _, j := range jitterLadder {
		if !seen[j] && j < 1e-8 {
			t.Errorf("jitter %g never used: %v", j, seen)
		}
	}
	t.Log(seen, fallback)
}

// TestJitterLadder reaches every rung with matrices of known smallest eigenvalue:
// all pairs of points correlate by 1 + ε.
func TestJitterLadder(t *testing.T) {
	x, y := sample(22, 4, 2)
	reached := map[float64]bool{}
	for _, c := range []struct {
		rung     string
		excess   float64
		jitter   float64
		fallback string
		reason   string
	}{
		{"none", -1e-3, 0, "", ""},
		{"jitter 1e-10, positive definite but ill-conditioned", -1e-12, 1e-10, "", ""},
		{"jitter 1e-8", 1e-9, 1e-8, "", ""},
		{"jitter 1e-6", 1e-7, 1e-6, "", ""},
		{"jitter 1e-4", 1e-5, 1e-4, "", ""},
		{"noise", 2e-4, 0, "noise", ""},
		{"no surrogate", 0.5, 0, "", "singular"},
	} {
		t.Run(c.rung, func(t *testing.T) {
			k := &equicorrelated{rho: 1 + c.excess}
			params := Params(k, y)
			u, _ := UnitsOf(y)
			params = fixed(params, u.Variance(1), 0, y[0])
			_, rep, err := Fit(context.Background(), k, x, y, Options{Params: params})
			var fb *FallbackError
			if errors.As(err, &fb) {
				if fb.Reason != c.reason {
					t.Errorf("fallback %q, want %q", fb.Reason, c.reason)
				}
				return
			}
			must(t, err)
			if !(rep.Condition < 1e11) {
				t.Errorf("condition number %g", rep.Condition)
			}
			if c.reason != "" || rep.Fallback != c.fallback || rep.Jitter != c.jitter {
				t.Errorf("jitter %g fallback %q, want %g %q %q", rep.Jitter, rep.Fallback, c.jitter, c.fallback, c.reason)
			}
			reached[rep.Jitter] = true
		})
	}
	for _, jitter := range jitterLadder {
		if !reached[jitter] {
			t.Errorf("no case reaches jitter %g", jitter)
		}
	}
}

// equicorrelated has k = 1 on the diagonal and rho elsewhere.
type equicorrelated struct {
	ordinary
	rho float64
}

func (*equicorrelated) Params() []kernels.Param { return nil }
func (k *equicorrelated) Bind(_ []float64, y *points.Set) kernels.Cov {
	return newRowCov(nil, y, func(_ []float64, y *points.Set) rowwise { return &equiCov{k.rho, y} })
}

type equiCov struct {
	rho float64
	y   *points.Set
}

func (c *equiCov) Row(dst []float64, x *points.Set, i, lo int) {
	for t := range dst {
		dst[t] = c.rho
		if x.Equal(i, c.y, lo+t) {
			dst[t] = 1
		}
	}
}
func (c *equiCov) pull(_, _, _ []float64, _ *points.Set, _, _ int) {}

// The Kriging form takes a mean that is fixed, and finds its own otherwise.
func TestKrigingWithFixedMean(t *testing.T) {
	x, y := sample(20, 24, 2)
	k := newARD(2, true, false)
	o := Options{Form: "kriging", Nugget: 0.01}
	_, own := mustFit(t, k, x, y, o)
	for _, off := range []float64{0, 3} {
		o.Params = Params(k, y)
		p := &o.Params[len(o.Params)-1]
		p.Init = own.Hyper["mean"] + off
		p.Lo, p.Hi = p.Init, p.Init
		m, rep := mustFit(t, k, x, y, o)
		far, _ := At(m.Predict, x, 0)
		if math.IsNaN(far) || math.Abs(rep.Hyper["mean"]-p.Init) > 1e-9 {
			t.Errorf("mean %g, want %g", rep.Hyper["mean"], p.Init)
		}
		if lost := own.LogMarginalLikelihood - rep.LogMarginalLikelihood; lost < -1e-6 || (lost > 1e-6) != (off > 0) {
			t.Errorf("off by %g the mean loses %g", off, lost)
		}
	}
}
