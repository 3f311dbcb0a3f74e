package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func transformSamples() map[string][]float64 {
	r := rand.New(rand.NewPCG(7, 7))
	out := map[string][]float64{}
	for range 60 {
		z := r.NormFloat64()
		out["normal"] = append(out["normal"], 3+2*z)
		out["lognormal"] = append(out["lognormal"], math.Exp(1+1.5*z))
		out["square"] = append(out["square"], (3+0.5*z)*(3+0.5*z))
		out["negative"] = append(out["negative"], -math.Exp(z))
		out["skewed around 0"] = append(out["skewed around 0"], math.Exp(z)-3)
		out["tiny"] = append(out["tiny"], 1e-200*math.Exp(z))
	}
	out["ties"] = []float64{1, 1, 1, 2, 2, 3, 3, 3, 3, 10}
	return out
}

// TestTransforms: increasing, inverted by Inverse, slope as finite differences.
func TestTransforms(t *testing.T) {
	checks := 0
	for data, y := range transformSamples() {
		for _, name := range transformNames() {
			tr, err := NewTransform(name, y)
			if err != nil {
				if name != "log" {
					t.Errorf("%s of %s: %v", name, data, err)
				}
				continue
			}
			if tr.Name() != name {
				t.Errorf("%s calls itself %s", name, tr.Name())
			}
			u, _ := UnitsOf(y)
			for i, v := range y {
				z := tr.Forward(v)
				near(t, data+" "+name+": inverse", tr.Inverse(z), v, 1e-8*max(math.Abs(v), u.scale()))
				for _, w := range y[:i] {
					if v < w && z >= tr.Forward(w) || v > w && z <= tr.Forward(w) {
						t.Fatalf("%s of %s is not increasing: %v → %v, %v → %v", name, data, v, z, w, tr.Forward(w))
					}
				}
				checks++
				if tr.Name() == "copula" || name == "halfrank" && v >= tr.(halfRank).y[1] {
					continue // piecewise linear; its slope is an average
				}
				h := 1e-6 * max(math.Abs(v), u.scale()*1e-3)
				slope := math.Log((tr.Forward(v+h) - tr.Forward(v-h)) / (2 * h))
				near(t, data+" "+name+": slope", tr.LogSlope(v), slope, 1e-4)
			}
		}
	}
	if checks < 1000 {
		t.Errorf("only %d values checked", checks)
	}
	if _, err := NewTransform("log", []float64{1, 0}); err == nil {
		t.Error("log of 0 accepted")
	}
	if _, err := NewTransform("logit", nil); err == nil {
		t.Error("unknown transform accepted")
	}
}

// Half-rank warping keeps the differences of the better half and the order of the worse: how
// bad a bad value is makes no difference.
func TestHalfRank(t *testing.T) {
	y := []float64{0, 1, 4, 4, 9, 1e6} // the better half of the distinct ones are 0, 1 and 4
	a, _ := NewTransform("halfrank", y)
	y[5] = 1e300
	b, _ := NewTransform("halfrank", y)
	unit := math.Sqrt((16 + 9 + 0) / 3.0)
	for v, want := range map[float64]float64{
		0: -4 / unit, 1: -3 / unit, 2.5: -1.5 / unit, 4: 0,
		9: math.Sqrt2 * math.Erfinv(2*0.7-1),
	} {
		near(t, fmt.Sprint("score of ", v), a.Forward(v), want, 1e-12)
		near(t, fmt.Sprint("score of ", v, " beside 1e300"), b.Forward(v), want, 1e-12)
	}
	near(t, "score of the worst", a.Forward(1e6), math.Sqrt2*math.Erfinv(2*0.9-1), 1e-12)
	near(t, "score of the worst, 1e300", b.Forward(1e300), math.Sqrt2*math.Erfinv(2*0.9-1), 1e-12)
}

// TestTransformsOfExtremeValues: finite, in order and with a finite Jacobian up to the edges of what a float64 holds.
func TestTransformsOfExtremeValues(t *testing.T) {
	checks := 0
	for data, y := range map[string][]float64{
		"subnormal":   {5e-324, 1e-323, 1.5e-323, 4e-323},
		"tiny":        {1e-320, 3e-320, -2e-320, 5e-320, 0},
		"huge":        {1e308, -1.7e308, 1.7e308, 3e307},
		"halves":      {-1.7e308, 1.7e308, -1.6e308, 1.6e308},
		"wide":        {1e-300, 1e-100, 1, 1e100, 1e300},
		"one outlier": {1, 2, 3, 4, 1e300},
		"one":         {1e300},
		"equal":       {3, 3, 3},
	} {
		for _, name := range transformNames() {
			tr, err := NewTransform(name, y)
			if err != nil {
				if name != "log" { // which has no values for mixed signs
					t.Errorf("%s of %s: %v", name, data, err)
				}
				continue
			}
			for i, v := range y {
				z, slope := tr.Forward(v), tr.LogSlope(v)
				if bad := z + slope + tr.Inverse(z); math.IsNaN(bad) || math.IsInf(z, 0) || math.IsInf(slope, 0) {
					t.Errorf("%s of %s: %g → %g, log slope %g, back to %g", name, data, v, z, slope, tr.Inverse(z))
				}
				for _, w := range y[:i] {
					if v < w && z > tr.Forward(w) || v > w && z < tr.Forward(w) {
						t.Errorf("%s of %s is not increasing between %g and %g", name, data, v, w)
					}
				}
				checks++
			}
		}
	}
	if checks < 100 {
		t.Errorf("only %d values checked", checks)
	}
}

func TestPowerFindsTheExponent(t *testing.T) {
	y := transformSamples()
	// Near its median a normal sample needs no power; the long right tail of a
	// lognormal one does. One standard error of λ is about 0.3 for 60 values.
	near(t, "normal exponent", newPower(y["normal"]).(power).lambda, 1, 0.9)
	if l := newPower(y["lognormal"]).(power).lambda; l > 0.3 {
		t.Errorf("exponent %g for lognormal values, want one that shortens the tail", l)
	}
}

// The power around a limit has its middle there. Few values leave it near 1, many that are skewed do not; a limit out of
// reach counts as one in reach.
func TestPowerAroundALimit(t *testing.T) {
	y := transformSamples()["lognormal"]
	limit := slices.Max(y) / 3
	skewed := PowerAround(y, limit).(power)
	near(t, "the limit, transformed", skewed.Forward(limit), 0, 1e-12)
	if skewed.lambda > 0.7 {
		t.Errorf("exponent %g for many lognormal values, want one that shortens the tail", skewed.lambda)
	}
	few := PowerAround([]float64{0, 1, 30}, 1).(power)
	if free := newPower([]float64{0, 1, 30}).(power).lambda; !(few.lambda > free+0.3) {
		t.Errorf("exponent %g for three values, %g without a prior around 1", few.lambda, free)
	}
	far, reached := PowerAround([]float64{1, 2, 4}, 1e200).(power), PowerAround([]float64{1, 2, 4}, 7).(power)
	if far != reached {
		t.Errorf("a limit of 1e200 counts as %+v, want %+v", far, reached)
	}
}

// A transform that goes by ranks does not map the tail of a prediction to values of another order than those it was
// fitted to.
func TestInverseBeyondTheValues(t *testing.T) {
	for data, y := range transformSamples() {
		lo, hi, tr, last := slices.Min(y), slices.Max(y), newCopula(y), math.Inf(-1)
		for z := -8.0; z <= 8; z += 1.0 / 16 {
			v := tr.Inverse(z)
			if v < last {
				t.Errorf("inverse of %s falls from %g to %g at %g", data, last, v, z)
			}
			last = v
			if v < lo-1.001*(hi-lo) || v > hi+1.001*(hi-lo) {
				t.Errorf("inverse of %s maps %g to %g, values in [%g, %g]", data, z, v, lo, hi)
			}
		}
	}
}

// Every prediction on the modelled scale comes from a value: a power has no bound on either side.
func TestPowerHasNoBound(t *testing.T) {
	samples := transformSamples()
	samples["polished"] = []float64{7, 5, 4, 3, 2, 0.7, 0.51, 0.501, 0.5001, 0.5, 0.5, 0.5}
	for data, y := range samples {
		tr := newPower(y)
		for z := -8.0; z <= 8; z += 1.0 / 16 {
			near(t, fmt.Sprintf("%g of %s there and back", z, data), tr.Forward(tr.Inverse(z)), z, 1e-6)
		}
	}
}

func TestWinsorise(t *testing.T) {
	y := []float64{1, 2, 3, 4, 5, 1e9}
	out := Winsorise(y)
	if !slices.Equal(out[:5], y[:5]) || out[5] != 3.5+1000*1.5 {
		t.Errorf("%v, want the outlier alone at median + 1000·MAD = 1503.5", out)
	}
	if y[5] != 1e9 {
		t.Error("the argument was changed")
	}
	for _, keep := range [][]float64{{1, 2, 3, 4, 1000}, {1, 1, 1, 1, 50}, {0, 6e-17, 0, 6e-17, 1e-16, 0.5, 1, 2},
		{-1e9, 1, 2, 3, 4}, {1, 2}} {
		if out := Winsorise(keep); !slices.Equal(out, keep) {
			t.Errorf("%v clipped to %v", keep, out)
		}
	}
	if out := Winsorise([]float64{-1e308, 0, 1, 1e308}); math.IsInf(out[3], 0) || math.IsNaN(out[3]) {
		t.Errorf("overflow: %v", out)
	}
}

// Scores of ranks are normal quantiles of the mid-ranks, cut off at δ from both ends
// (Liu, Lafferty & Wasserman 2009): of 100 values two lie beyond at either end.
func TestCopulaScores(t *testing.T) {
	y := make([]float64, 100)
	for i := range y {
		y[i] = math.Exp(float64(i))
	}
	c := newCopula(y)
	delta := 1 / (4 * math.Pow(100, 0.25) * math.Sqrt(math.Pi*math.Log(100)))
	quantile := func(q float64) float64 { return math.Sqrt2 * math.Erfinv(2*q-1) }
	for i, want := range map[int]float64{
		0: quantile(delta), 1: quantile(delta) + 1e-3, 2: quantile(0.025), 50: quantile(0.505),
		97: quantile(0.975), 98: quantile(1 - delta), 99: quantile(1-delta) + 1e-3,
	} {
		near(t, fmt.Sprint("score ", i), c.Forward(y[i]), want, 1e-12)
	}
}
