package policy

import (
	"testing"

	"bohier/internal/space"
	"bohier/internal/study/studytest"
)

// The initial design has as many points as the space has branches, within limits, and
// never more than half of the budget.
func TestInitialCount(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	for budget, want := range map[int]int{0: fewFirst, 3: 2, 8: 4, 11: 5, 100: fewFirst} {
		st.Budget.Trials, st.Initial.Count = budget, 0
		if n := InitialCount(st); n != want {
			t.Errorf("budget %d: %d points, want %d", budget, n, want)
		}
	}
	values := make([]string, manyFirst+3)
	params := []space.Parameter{{}}
	for k := range values {
		values[k] = string(rune('a' + k))
		params = append(params, studytest.When(studytest.Number("x"+values[k]), 0, float64(k)))
	}
	for n, want := range map[int]int{3: fewFirst, 8: 8, len(values): manyFirst} {
		params[0] = studytest.Category("k", values[:n]...)
		st := studytest.NewStudy(t, params[:1+n]...)
		st.Initial.Count = 0
		if got := InitialCount(st); got != want {
			t.Errorf("%d branches: %d points, want %d", n, got, want)
		}
	}
	st.Initial.Count = 3
	if n := InitialCount(st); n != 3 {
		t.Errorf("%d points, 3 are asked for", n)
	}
}
