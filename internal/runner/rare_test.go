package runner

import (
	"fmt"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
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
	st := newStudy(t, category("k", "a", "b", "c"), category("j", "p", "q", "r"), when(category("m", "u", "v"), 0, 2), number("x"))
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
	history := func() *history { return readHistory(st, numbered(trials, 1), len(trials)+1) }
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
