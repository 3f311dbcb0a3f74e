package gp

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMomentsAgreeWithSampling compares the untransformed moments with those of draws
// from the modelled normal, within four standard errors.
func TestMomentsAgreeWithSampling(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	y := make([]float64, 40)
	for i := range y {
		y[i] = math.Exp(r.NormFloat64()) // skew, of one sign
	}
	for _, name := range transformNames() {
		tr, err := NewTransform(name, y)
		must(t, err)
		for _, m := range []float64{-1.5, 0, 0.7, 2} {
			for _, sd := range []float64{1e-3, 0.3, 0.8} {
				mean, std := Moments(tr, m, sd)
				const n = 30_000
				sum, square, fourth := 0.0, 0.0, 0.0
				for range n {
					d := tr.Inverse(m+sd*r.NormFloat64()) - mean
					sum += d / n
					square += d * d / n
					fourth += d * d * d * d / n
				}
				if e := 4*std/math.Sqrt(n) + 1e-12; !(math.Abs(sum) <= e) {
					t.Errorf("%s of N(%g, %g²): mean %g, %g from that of draws (%g allowed)", name, m, sd, mean, sum, e)
				}
				e := 4*math.Sqrt(max(0, fourth-square*square)/n) + 1e-4*std*std // of the variance
				if !(math.Abs(square-std*std) <= e) {
					t.Errorf("%s of N(%g, %g²): standard deviation %g, that of draws %g", name, m, sd, std, math.Sqrt(square))
				}
			}
		}
	}
}

// TestMomentsOfExtremes holds that moments stay finite where values are near the ends of
// the floating-point range, and that a prediction without variance is its value.
func TestMomentsOfExtremes(t *testing.T) {
	for _, y := range [][]float64{{1e-300, 1, 1e300}, {-1.7e308, 0, 1.7e308}, {1, 2, 3}} {
		for _, name := range transformNames() {
			tr, err := NewTransform(name, y)
			if err != nil {
				continue // no logarithm
			}
			for _, m := range []float64{-10, 0, 700} {
				for _, sd := range []float64{0, 1, 40} {
					mean, std := Moments(tr, m, sd)
					if math.IsNaN(mean+std) || math.IsInf(mean, 0) || math.IsInf(std, 0) || std < 0 {
						t.Errorf("%s of %v at N(%g, %g²): %g ± %g", name, y, m, sd, mean, std)
					}
					if want := Clamped(tr.Inverse(m)); sd == 0 && math.Abs(mean-want) > 1e-9*math.Abs(want) {
						t.Errorf("%s of %v at %g: %g without variance, want %g", name, y, m, mean, want)
					}
				}
			}
		}
	}
}
