package gp

import (
	"math"
	"testing"
)

// Standard errors of any finite size give a fit: those beyond the spread of the values
// say nothing, and the report tells how many were.
func TestStandardErrorsOfAnySize(t *testing.T) {
	x, y := sample(3, 12, 2)
	k := newARD(2, true, false)
	for _, scale := range []float64{1, 1e-300, 1e300} {
		z := make([]float64, len(y))
		for i := range y {
			z[i] = scale * y[i] / 100
		}
		for _, sd := range []float64{0, 5e-324, 1e-200, 1, 1e155, math.MaxFloat64} {
			errs := make([]float64, len(z))
			errs[3], errs[7] = sd, scale
			m, rep := mustFit(t, k, x, z, Options{Stderr: errs})
			mean, v := At(m.Standard().PredictBatch, x, 3)
			if math.IsNaN(mean) || !(v >= 0) || math.IsInf(v, 0) {
				t.Errorf("scale %g, error %g: prediction %v, variance %v", scale, sd, mean, v)
			}
			if vague := sd > 1e4*scale; vague != (len(rep.Warnings) > 0 && rep.Warnings[0][:1] == "1") {
				t.Errorf("scale %g, error %g: warnings %q", scale, sd, rep.Warnings)
			}
		}
	}
}

// A standard error means the same on every scale of the model: it is the width of the
// transformed interval, finite up to the edges of a float64.
func TestForwardDeviation(t *testing.T) {
	y := []float64{1, 2, 4, 8, 16, 32}
	for _, name := range transformNames() {
		tr, err := NewTransform(name, y)
		must(t, err)
		slope := math.Exp(tr.LogSlope(2))
		if name != "copula" { // whose slope is that over neighbours
			near(t, name, ForwardDeviation(tr, 2, 1e-4), 1e-4*slope, 1e-10)
		}
		for _, v := range []float64{1, 32, 1e300, math.MaxFloat64} {
			for _, sd := range []float64{0, 5e-324, 1, 100, 1e300, math.MaxFloat64} {
				if got := ForwardDeviation(tr, v, sd); !(got >= 0) || math.IsInf(got, 0) {
					t.Errorf("%s: deviation %g at %g becomes %g", name, sd, v, got)
				}
			}
		}
	}
	log, _ := NewTransform("log", y)
	near(t, "log beyond 0", ForwardDeviation(log, 4, 12), math.Log(16)-math.Log(4), 1e-12)
	negative, _ := NewTransform("log", []float64{-1, -2})
	near(t, "log of negative values beyond 0", ForwardDeviation(negative, -4, 12), math.Log(16)-math.Log(4), 1e-12)
}

// No transform makes anything but a number of a number, in either direction, wherever
// the values lie that it was chosen for.
func TestTransformsStayFinite(t *testing.T) {
	for _, y := range [][]float64{
		{5e-324, -math.MaxFloat64, -1.7e308, -1e9, -1e16, -1e155},
		{math.MaxFloat64, 1.7e308, 5e-324, 1},
		{-math.MaxFloat64, math.MaxFloat64, 0},
		{1, 1 + 0x1p-52, 2, 1e300},
	} {
		for _, name := range []string{"power", "copula"} {
			tr, err := NewTransform(name, y)
			must(t, err)
			before := -math.MaxFloat64
			for z := -40.0; z < 40; z += 0.25 {
				v := tr.Inverse(z)
				if math.IsNaN(v) || math.IsInf(v, 0) && name == "copula" || v < before-1e-12*math.Abs(before) {
					t.Errorf("%s of %v: %g at %g, after %g", name, y, v, z, before)
				}
				before = v
			}
			for _, v := range []float64{-math.MaxFloat64, -1, 0, 5e-324, 1e300, math.MaxFloat64} {
				if z := tr.Forward(v); math.IsNaN(z) {
					t.Errorf("%s of %v: %g is %g", name, y, v, z)
				}
			}
		}
	}
}
