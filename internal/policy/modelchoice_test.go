package policy

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/surrogate"
)

// played are n trials of a measure, told in order.
func played(t *testing.T, n int, f func(c space.Configuration) float64, params ...space.Parameter) *outlook {
	t.Helper()
	st := studytest.NewStudy(t, params...)
	st.Objective.Transform = "auto"
	return &outlook{st: st, h: ReadHistory(st, simulate(t, st, n, studytest.Value(f)), n+1)}
}

// In its turn a challenger is fitted beside the favourite; one that predicts the
// observations better becomes the favourite, one that predicts them clearly worse
// does not make the suggestion.
func TestChallenge(t *testing.T) {
	// The choices add up, which `box`, the first favourite, does not know.
	st := studytest.NewStudy(t, studytest.Category("a", "p", "q", "r", "s"), studytest.Category("b", "p", "q", "r", "s"), studytest.Category("c", "p", "q", "r", "s"), studytest.Number("x"))
	st.Objective.Transform, st.Initial.Count = "power", 60
	o := &outlook{st: st, h: ReadHistory(st, simulate(t, st, 60, studytest.Value(func(c space.Configuration) float64 {
		return math.Sin(3*c.Value[0]) + math.Cos(5*c.Value[1]) + math.Sin(7*c.Value[2]) + studytest.Sq(c.Value[3]-0.3)
	})), 61)}
	all := specs(o.st)
	alone := map[surrogate.Spec]float64{}
	warm := map[string]float64{}
	for turn := range 2 * len(all) {
		h := *o.h
		h.Observed = h.Observed[:len(h.Observed)-2*len(all)+turn]
		f, err := fitTurn(t.Context(), o.st, &h, warm, 3)
		if err != nil {
			t.Fatal(err)
		}
		fitted := 0
		for _, r := range all {
			if f.Warm[densityKey+r.Prefix()] != warm[densityKey+r.Prefix()] {
				fitted++
				alone[r] = f.Warm[densityKey+r.Prefix()]
			}
		}
		if most := 1 + h.turn()%challengeEvery; fitted > most {
			t.Errorf("with %d trials %d recipes are fitted, want at most %d", len(h.Observed), fitted, most)
		}
		favourites := 0
		for k := range f.Warm {
			if strings.HasPrefix(k, favouriteKey) {
				favourites++
			}
		}
		if favourites != 1 {
			t.Errorf("with %d trials there are %d favourites", len(h.Observed), favourites)
		}
		warm = f.Warm
	}
	if len(alone) != len(all) {
		t.Errorf("%d of %d recipes had a turn", len(alone), len(all))
	}
	best := slices.MaxFunc(slices.Collect(maps.Keys(alone)), func(a, b surrogate.Spec) int {
		if alone[a] < alone[b] {
			return -1
		}
		return 1
	})
	if k, ok := favourite(all, warm); !ok || all[k].Kernel != best.Kernel {
		got := all[k]
		t.Errorf("the favourite is %v, the best density that of %v: %v", got, best, alone)
	}
}

// Beyond coldLimit trials only recipes with a warm start are fitted.
func TestColdChallengers(t *testing.T) {
	h := &history{Data: surrogate.Data{Observed: make([]*study.Trial, coldLimit+1)}}
	r := surrogate.Spec{Kernel: "mix", Transform: "power"}
	if affordable(r, h, nil) {
		t.Error("a recipe is fitted cold to many trials")
	}
	if !affordable(r, h, map[string]float64{densityKey + r.Prefix(): 0}) {
		t.Error("a recipe with a warm start is not fitted to many trials")
	}
	h.Observed = h.Observed[1:]
	if !affordable(r, h, nil) {
		t.Error("a recipe is not fitted cold to few trials")
	}
}

// Questions about a study that began with the import of many trials are answered by
// the recipe that its first suggestion takes; fitting every one would take long.
func TestManyImportedTrialsAreFittedOnce(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("a", "p", "q", "r", "s"), studytest.Category("b", "p", "q", "r", "s"), studytest.Number("x"))
	st.Objective.Transform = "auto"
	confs := studytest.Sampled(t, st, coldLimit+1)
	y := make([]float64, len(confs))
	for k, c := range confs { // a sum, which the most trusted recipe does not know
		y[k] = math.Sin(3*c.Value[0]) + math.Cos(5*c.Value[1]) + studytest.Sq(c.Value[2]-0.3)
	}
	trials := studytest.Completed(confs, y)
	for n, want := range map[int]bool{60: false, len(trials): true} {
		f, err := FitBest(t.Context(), st, ReadHistory(st, trials[:n], 0), nil, 3)
		if err != nil {
			t.Fatal(err)
		}
		if first := f.Kernel == specs(st)[0].Kernel; first != want {
			t.Errorf("of %d trials the kernel is %s", n, f.Kernel)
		}
	}
}

// `transform: auto` takes what predicts observations left out: not the ranks of a
// smooth objective.
func TestTransformChoice(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
	st.Objective.Transform = "auto"
	st.Initial.Count = 30 // points of the design alone
	o := &outlook{st: st, h: ReadHistory(st, simulate(t, st, 30, studytest.Value(func(c space.Configuration) float64 {
		return math.Exp(4 * (studytest.Sq(c.Value[0]-0.3) + c.Value[1]))
	})), 31)}
	var warm map[string]float64
	for n := 20; n <= 30; n++ {
		h := *o.h
		h.Observed = h.Observed[:n]
		f, err := fitTurn(t.Context(), o.st, &h, warm, 3)
		if err != nil {
			t.Fatal(err)
		}
		warm = f.Warm
	}
	all := specs(o.st)
	if k, ok := favourite(all, warm); !ok || all[k].Transform != "power" {
		t.Errorf("the favourite is %v: %v", all[k], warm)
	}
	if len(all) < 2 || warm[densityKey+all[1].Prefix()] == 0 {
		t.Errorf("no other of %v was tried", all)
	}
}

// A branch competes with itself alone, a rare value of a choice with everything;
// where nothing new is left the whole space is searched.
func TestNeglected(t *testing.T) {
	o := played(t, 14, studytest.Tree, studytest.TreeSpace()...)
	domain := space.NewDomain(o.st.Space, nil)
	seen := map[bool]int{}
	for n := 5; n <= 14; n++ {
		h := *o.h
		h.Observed = o.h.Observed[:n]
		g, ok := neglected(o.st, &h, Request{Number: n + 1, Seed: 7}, domain)
		if ok != (n%guardEvery == guardEvery-1) {
			t.Errorf("with %d trials: guard is %v", n, ok)
		}
		if !ok {
			continue
		}
		sample := g.Sample(generator(Request{}, streamSearch), 50)
		if sample.Len() == 0 {
			t.Fatalf("with %d trials the part is empty", n)
		}
		own := g.view != &h
		seen[own]++
		if !own {
			continue
		}
		for _, tr := range g.view.rivals(g.view.Observed) {
			if got, want := o.st.Space.BranchKey(tr.Config), o.st.Space.BranchKey(o.st.Space.Decode(sample, 0)); got != want {
				t.Errorf("with %d trials branch %s competes with %s", n, want, got)
			}
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("of the guard's turns %d looked at a branch, %d at values", seen[true], seen[false])
	}
}

// Processes that ask at once have different turns: the guard takes its share of
// them, not all or none.
func TestTurnsAtOnce(t *testing.T) {
	o := played(t, 14, studytest.Tree, studytest.TreeSpace()...)
	trials := make([]study.Trial, 0, 14+2*guardEvery)
	for _, tr := range o.h.Observed {
		trials = append(trials, *tr)
	}
	for range 2 * guardEvery {
		trials = append(trials, study.Trial{Number: len(trials) + 1, State: study.Reserved})
	}
	turns := 0
	for _, tr := range trials[14:] {
		if coverageTurn(o.st, ReadHistory(o.st, trials, tr.Number)) {
			turns++
		}
	}
	if turns != 2 {
		t.Errorf("the guard has %d turns of %d asked for at once, want 2", turns, 2*guardEvery)
	}
}

// Once the best is only polished, the guard comes every other time.
func TestStalled(t *testing.T) {
	o := played(t, 24, func(c space.Configuration) float64 { return c.Value[1] }, studytest.Category("k", "a", "b"), studytest.Number("x"))
	for k, tr := range o.h.Observed {
		tr.Values["f"] = 1 - float64(k)/100
	}
	if stalled(o.st, o.h) {
		t.Error("a best that improves steadily counts as stalled")
	}
	o.st.Constraints = []study.Constraint{{Name: "c", Bound: 1}}
	for k, tr := range o.h.Observed {
		tr.Values["c"] = 0
		if k == 1 {
			tr.Values["f"], tr.Values["c"] = -1, 2
		}
	}
	if stalled(o.st, o.h) {
		t.Error("a value that violates a constraint counts as the best")
	}
	for k, tr := range o.h.Observed[10:] {
		tr.Values["f"] = 0.5 - 1e-6*float64(k)
	}
	if !stalled(o.st, o.h) {
		t.Error("a best that gains a millionth counts as progress")
	}
	turns := 0
	for n := 20; n < 24; n++ {
		h := *o.h
		h.Observed = o.h.Observed[:n]
		if coverageTurn(o.st, &h) {
			turns++
		}
	}
	if turns != 2 {
		t.Errorf("the guard has %d turns of 4, want 2", turns)
	}
}

// Values that constraints rule out are not looked for.
func TestRarestIsPossible(t *testing.T) {
	o := played(t, 12, func(c space.Configuration) float64 { return c.Value[1] }, studytest.Category("k", "a", "b", "c"), studytest.Number("x"))
	o.h.Observed = slices.DeleteFunc(o.h.Observed, func(tr *study.Trial) bool { return tr.Config.Value[0] == 2 })
	sample := space.NewDomain(o.st.Space, nil).Sample(generator(Request{}, streamGuard), 64)
	for i := range sample.Len() {
		sample.Set(0, i, float64(i%2), true) // as if c were forbidden
	}
	if rare := rarest(o.st, o.h, sample); rare == nil || rare.values[0][2] {
		t.Errorf("rarest values: %v", rare)
	}
}
