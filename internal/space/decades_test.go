package space

import (
	"math"
	"testing"
)

// Ranges that perhaps should be logarithmic: linear, from above 0 on, over three powers of ten and more.
func TestDecades(t *testing.T) {
	for _, c := range []struct {
		p    Parameter
		want float64
	}{
		{Parameter{Kind: Int, Low: 1, High: 1e9}, 9},
		{Parameter{Kind: Int, Low: 0, High: 1e4}, 4},
		{Parameter{Kind: Int, Low: 1, High: 1000}, 3},
		{Parameter{Kind: Int, Low: 1, High: 999}, 0},
		{Parameter{Kind: Int, Low: -3, High: 1e9}, 0},
		{Parameter{Kind: Int, Low: -1e9, High: -1}, 0},
		{Parameter{Kind: Float, Low: 1e-5, High: 0.1}, 4},
		{Parameter{Kind: Float, Low: 0, High: 1}, 0},
		{Parameter{Kind: Float, Low: 1e-5, High: 0.1, Scale: Log}, 0},
		{Parameter{Kind: Categorical, Values: []string{"a", "b"}}, 0},
	} {
		if got := c.p.Decades(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: %v decades, want %v", c.p, got, c.want)
		}
	}
}
