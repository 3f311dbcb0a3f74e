package surrogate

import (
	"testing"

	"bohier/internal/study"
)

// Few observations are fitted to for every suggestion, and all of them under `policy: plain`.
func TestRefit(t *testing.T) {
	plain := &study.Study{}
	plain.Policy.Plain = true
	if a, b, c := refit(&study.Study{}, 100), refit(&study.Study{}, 101),
		refit(plain, 101); a != 0 || b != growth || c != 0 {
		t.Errorf("100 observations: %v, 101: %v, plain: %v", a, b, c)
	}
}

// Fewer than two observations for each of not too many coordinates are fitted to from many starts.
func TestAnew(t *testing.T) {
	for _, c := range []struct {
		n, coordinates int
		want           bool
	}{{7, 4, true}, {8, 4, false}, {2*DearCoordinates - 1, DearCoordinates, true}, {20, DearCoordinates + 1, false}} {
		if got := anew(c.n, c.coordinates); got != c.want {
			t.Errorf("%d observations of %d coordinates: %v, want %v", c.n, c.coordinates, got, c.want)
		}
	}
}
