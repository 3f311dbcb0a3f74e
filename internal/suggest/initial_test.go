package suggest

import (
	"slices"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study/studytest"
)

// In place of a design point that was tried comes a later one of the same design.
func TestDesignPointThatWasTried(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	point := func(at int) space.Configuration {
		c, err := st.Space.DesignPoint("halton", 3, at)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	trials := studytest.Completed([]space.Configuration{point(1)}, []float64{1})
	s, err := Next(t.Context(), st, trials, Request{Number: 2, Seed: 3})
	if err != nil || s.Source != "design" || !s.Config.Equal(point(1+designStride)) {
		t.Errorf("%+v, %v; want %v", s, err, point(1+designStride))
	}
}

// While all values are equal the search goes on with a low-discrepancy design, whatever the
// first trials were: every 16th of each range has its share, which plain draws miss.
func TestFlatValuesAreSpread(t *testing.T) {
	for _, design := range []string{"", "random", "halton"} {
		st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
		st.Initial.Design, st.Initial.Count = design, 5
		trials := simulate(t, st, 69, studytest.Value(func(space.Configuration) float64 { return 1 }))
		var parts [2][16]int
		for _, tr := range trials[5:] { // 64
			if tr.Source != "fallback:flat" {
				t.Fatalf("trial %d comes from %s", tr.Number, tr.Source)
			}
			for i := range parts {
				parts[i][min(15, int(16*tr.Config.Value[i]))]++
			}
		}
		for i := range parts {
			if least, most := slices.Min(parts[i][:]), slices.Max(parts[i][:]); least < 2 || most > 6 {
				t.Errorf("design %q: the 16 parts of parameter %d have %v of 64 points", design, i, parts[i])
			}
		}
	}
}
