package runner

import (
	"slices"
	"testing"

	"bohier/internal/space"
)

// With transform: auto one absurd value on the bad side is pulled in before the
// fit; with transform: none the values stand as they are.
func TestAutoPullsOutliersIn(t *testing.T) {
	for transform, pulled := range map[string]bool{"auto": true, "none": false} {
		st := newStudy(t, number("x"))
		st.Objective.Transform = transform
		c := newCycle(t, st)
		play(t, c, 8, value(func(c space.Configuration) float64 {
			if c.Value[0] > 0.5 {
				return 1e12
			}
			return square(c.Value[0] - 0.3)
		}))
		h := readHistory(st, observed(t, c), 0)
		outliers := 0
		for _, trial := range h.told {
			if trial.Values[st.Objective.Name] == 1e12 {
				outliers++
			}
		}
		if outliers == 0 || outliers >= len(h.told)/2 {
			t.Fatalf("%d of %d trials are outliers, want a few", outliers, len(h.told))
		}
		f, err := fit(t.Context(), st, recipe{"matern52", "none"}, h, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Max(f.raw) < 1e12; got != pulled {
			t.Errorf("transform %s: outliers pulled in: %v", transform, got)
		}
	}
}
