package tile

import (
	"math"
	"slices"
	"testing"
)

func cosines(n int) []float64 {
	a := make([]float64, n)
	for i := range a {
		a[i] = math.Cos(float64(i))
	}
	return a
}

// TestDotsInGo compares the portable tile with the one in use; fewer rows change no bit.
func TestDotsInGo(t *testing.T) {
	a := cosines(200)
	for k := range 40 {
		var whole, y [Rows * Cols]float64
		Dots(Rows, k, a, 41, a[7:], 43, &whole)
		for rows := 1; rows <= Rows; rows++ {
			var x [Rows * Cols]float64
			Dots(rows, k, a[:(rows-1)*41+k], 41, a[7:], 43, &x)
			dotsGo(rows, k, a, 41, a[7:], 43, &y)
			if !slices.Equal(x[:rows*Cols], whole[:rows*Cols]) {
				t.Errorf("k=%d, %d rows: %v, want %v", k, rows, x, whole)
			}
			for i := range rows * Cols {
				if !(math.Abs(x[i]-y[i]) <= 1e-13) {
					t.Errorf("k=%d, entry %d: %v, want %v", k, i, x[i], y[i])
				}
			}
		}
	}
}

// TestSubtractInGo compares the portable steps with those in use, to the bit and no further than v.
func TestSubtractInGo(t *testing.T) {
	l, x := cosines(400), cosines(5)
	for n := range 75 {
		got, want := cosines(80), cosines(80)
		Subtract(got[:n], x, l, 77)
		for i, a := range x {
			for k := range n {
				want[k] -= float64(a * l[77*i+k])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("n=%d: %v, want %v", n, got, want)
		}
	}
}
