package policy

import (
	"fmt"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// rareValues is what an explanation says of the rarest values: which, how often each
// was tried, and whether only beside the best.
func rareValues(st *study.Study, h *history) string {
	rare := rarest(st, h, space.NewDomain(st.Space, nil).Sample(generator(Request{}, streamGuard), possible))
	g := (&outlook{st: st, h: h}).guarded(glance{rare: rare}, space.Configuration{}, nil)
	return fmt.Sprint(g.Values, g.Tried, g.Beside)
}

// While the best improves, every trial counts for how rare a value is; once it is
// merely polished, those that differ from it in one choice, and the choices it makes.
func TestRarestBesideTheBest(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b", "c"), studytest.Category("j", "p", "q", "r"), studytest.When(studytest.Category("m", "u", "v"), 0, 2), studytest.Number("x"))
	trial := func(f, k, j, m float64) study.Trial {
		return study.Trial{State: study.Complete, Observation: study.Observation{Values: map[string]float64{"f": f}},
			Config: space.Configuration{Value: []float64{k, j, m, 0.5}, Active: []bool{true, true, k == 2, true}}}
	}
	var trials []study.Trial
	for range 12 { // far from the best: c, with q or r
		trials = append(trials, trial(9, 2, 1, 0), trial(8, 2, 2, 0))
	}
	for n := range 12 { // at the best and beside it
		trials = append(trials, trial(1-float64(n)/10, 0, 0, 0), trial(5, 1, 0, 0), trial(6, 0, 2, 0))
	}
	history := func() *history { return ReadHistory(st, studytest.Numbered(trials, 1), len(trials)+1) }
	if got := rareValues(st, history()); got != "[{m [v]}] 0 false" {
		t.Errorf("while the best improves: %v, want m=v", got)
	}
	for range stale {
		trials = append(trials, trial(7, 1, 0, 0))
	}
	if got := rareValues(st, history()); got != "[{k [c]} {j [q]}] 0 true" {
		t.Errorf("once it does not: %v, want j=q and k=c, never tried beside it", got)
	}
	trials = append(trials, trial(7, 0, 1, 0))
	if got := rareValues(st, history()); got != "[{k [c]}] 0 true" {
		t.Errorf("after a trial of j=q: %v, want k=c", got)
	}
	for range stale + 1 { // a better one, whose neighbours leave out one of its choices
		trials = append(trials, trial(-5, 2, 0, 1))
	}
	if got := rareValues(st, history()); got != "[{j [q r]} {m [u]}] 0 true" {
		t.Errorf("beside k=c, j=p, m=v: %v, want j=q, j=r and m=u", got)
	}
	for k := range trials { // a study whose parameters were changed
		trials[k].Outside = true
	}
	if got := rareValues(st, history()); got != "[{k [a b c]} {j [p q r]} {m [u v]}] 0 false" {
		t.Errorf("where no trial fits the space: %v, want every value", got)
	}
}

// Two values have no order, whatever the type of their parameter; three numbers do.
func TestRarestOfTwoValues(t *testing.T) {
	integer := func(name string, low, high, step float64) space.Parameter {
		return space.Parameter{Name: name, Kind: space.Int, Low: low, High: high, Step: step}
	}
	logarithmic, discrete := integer("l", 1, 2, 0), integer("d", 2, 3, 0)
	logarithmic.Scale, discrete.Discrete = space.Log, true
	st := studytest.NewStudy(t, studytest.Number("x"),
		space.Parameter{Name: "b", Kind: space.Bool, Values: []string{"false", "true"}},
		space.Parameter{Name: "o", Kind: space.Ordinal, Values: []string{"small", "large"}},
		integer("i", -1, 0, 0), integer("s", 1, 8, 5), logarithmic, discrete,
		integer("three", 0, 2, 0), space.Parameter{Name: "ordered", Kind: space.Ordinal, Values: []string{"1", "2", "3"}})
	config := func(b, o, i, s, l, d float64) study.Trial {
		c := space.Configuration{Value: []float64{0.5, b, o, i, s, l, d, 0, 0}, Active: make([]bool, 9)}
		st.Space.Activate(&c)
		return study.Trial{State: study.Complete, Config: c, Observation: study.Observation{Values: map[string]float64{"f": 1}}}
	}
	trials := []study.Trial{config(0, 0, -1, 1, 1, 2)}
	got := rareValues(st, ReadHistory(st, studytest.Numbered(trials, 1), 2))
	if want := "[{b [true]} {o [large]} {i [0]} {s [6]} {l [2]} {d [3]}] 0 false"; got != want {
		t.Errorf("after one trial of the first values: %v, want %v", got, want)
	}
	trials = append(trials, config(1, 1, 0, 6, 1, 3))
	if got, want := rareValues(st, ReadHistory(st, studytest.Numbered(trials, 1), 3)), "[{l [2]}] 0 false"; got != want {
		t.Errorf("after all but one of the second values: %v, want %v", got, want)
	}
}
