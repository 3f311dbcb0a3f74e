package gp

import (
	"math"
	"testing"

	"bohier/internal/kernels"
)

// TestStandardUnits: median 0 and spread 1 whatever the magnitude, and back.
func TestStandardUnits(t *testing.T) {
	checks := 0
	for _, a := range []float64{5e-324, 1e-320, 1e-300, 1e-3, 1, 7, 1e12, 1e300, 1.5e307} {
		y := []float64{3 * a, -2 * a, a, 8 * a, 0}
		u, flat := UnitsOf(y)
		if flat {
			t.Fatalf("scale %g: flat", a)
		}
		mean, square := 0.0, 0.0
		for _, v := range y {
			z := u.Standard(v)
			mean += z / 5
			square += z * z / 5
			near(t, "back", u.Value(z), v, 1e-12*max(math.Abs(v), 8*a)+1e-323)
			checks++
		}
		near(t, "median", u.Standard(a), 0, 0)
		near(t, "standard deviation", math.Sqrt(square-mean*mean), 1, 1e-12)
	}
	if checks != 45 {
		t.Errorf("%d values checked", checks)
	}
}

// TestFixedInAnyUnits: a hyperparameter that is fixed at its lower bound, as the noise of exact values is, is fixed in
// standardised units, too, where the bound that was not edited is exact and the other one rounded.
func TestFixedInAnyUnits(t *testing.T) {
	k := mustKernel(t, kernels.Spec{Name: "matern52"}, []kernels.Coord{{Name: "x"}})
	for n := range 20000 {
		y := []float64{0, 1, 1 + float64(n)/10000}
		edited := Params(k, y)
		noise := &edited[len(edited)-2]
		noise.Hi, noise.Init = noise.Lo, noise.Lo
		u, _ := UnitsOf(y)
		std, err := standardParams(k, edited, u)
		if err != nil {
			t.Fatalf("%v: %v", y, err)
		}
		if got := std[len(std)-2]; got.Lo != 1e-6 || got.Hi != got.Lo || got.Init != got.Lo {
			t.Fatalf("%v: from %g to %g, first %g", y, got.Lo, got.Hi, got.Init)
		}
	}
}

// TestFlatUnits: constant means a spread of at most 1e-12 of the magnitude.
func TestFlatUnits(t *testing.T) {
	for _, c := range []struct {
		y    []float64
		flat bool
	}{
		{nil, true},
		{[]float64{0, 0}, true},
		{[]float64{7}, true},
		{[]float64{7, 7, 7}, true},
		{[]float64{0.3, math.Nextafter(0.3, 1)}, true},
		{[]float64{1, 1 + 0.5e-12}, true},
		{[]float64{1, 1 + 2e-12}, false},
		{[]float64{-1e300, -1e300 * (1 + 0.5e-12)}, true},
		{[]float64{-1e300, -1e300 * (1 + 2e-12)}, false},
		{[]float64{1e-320, 2e-320}, false},
		{[]float64{-1.7e308, 1.7e308}, false},
	} {
		if _, flat := UnitsOf(c.y); flat != c.flat {
			t.Errorf("%v: flat %v, want %v", c.y, flat, c.flat)
		}
	}
}

// TestUnitsStayFinite: what lies beyond the largest number is that number.
func TestUnitsStayFinite(t *testing.T) {
	u, _ := UnitsOf([]float64{-1.7e308, 1.7e308, 0})
	for z, want := range map[float64]float64{40: math.MaxFloat64, -40: -math.MaxFloat64, 0: 0} {
		if got := u.Value(z); got != want {
			t.Errorf("value of %v: %v, want %v", z, got, want)
		}
	}
	if got := u.Deviation(40); got != math.MaxFloat64 {
		t.Errorf("deviation: %v", got)
	}
	near(t, "a deviation whose square overflows", u.Deviation(0.25)/(u.Value(0.25)-u.Value(0)), 1, 1e-12)
}
