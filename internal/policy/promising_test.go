package policy

import (
	"slices"
	"testing"

	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Of very many trials the lowest mean is sought among those with the best values alone.
func TestPromising(t *testing.T) {
	st := studytest.NewStudy(t, studytest.PlainSpace()...)
	st.Objective.Direction = study.Maximize
	const n = mostRivals + 50
	confs := studytest.Sampled(t, st, n)
	values := make([]float64, n)
	for k := range values {
		values[k] = float64(k * 7919 % n) // a permutation: n and 7919 have no common factor
	}
	s := newSurrogates(st, studytest.Completed(confs, values), Request{Number: n + 1})
	good := feasiblePoints(st, s.rivals(s.h))
	got := s.promising(good)
	if good.Len() != n || got.Len() != mostRivals {
		t.Fatalf("%d of %d are promising, want %d of %d", got.Len(), good.Len(), mostRivals, n)
	}
	for k, v := range values {
		found := false
		for i := range got.Len() {
			found = found || got.Equal(i, good, k)
		}
		if want := v >= n-mostRivals; found != want {
			t.Errorf("value %v of %v to %v: promising %v, want %v", v, slices.Min(values), slices.Max(values), found, want)
		}
	}
	few := good.Slice(0, mostRivals)
	if s.promising(few) != few {
		t.Error("few are not taken as they are")
	}
}
