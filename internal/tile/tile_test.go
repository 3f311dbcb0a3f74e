package tile

import (
	"math"
	"testing"
)

// TestDotsInGo compares the portable tile with the one in use.
func TestDotsInGo(t *testing.T) {
	a := make([]float64, 200)
	for i := range a {
		a[i] = math.Cos(float64(i))
	}
	for k := range 40 {
		var x, y [Rows * Cols]float64
		Dots(k, a, 41, a[7:], 43, &x)
		dotsGo(k, a, 41, a[7:], 43, &y)
		for i := range x {
			if !(math.Abs(x[i]-y[i]) <= 1e-13) {
				t.Errorf("k=%d, entry %d: %v, want %v", k, i, x[i], y[i])
			}
		}
	}
}
