package suggest

import (
	"os"
	"slices"
	"testing"
	"time"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/surrogate"
)

// A deadline in a search of a region that found nothing replays like any other: the
// steps of both searches count.
func TestDeadlineInARegion(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.When(studytest.Number("x"), 0, 0))
	trials := simulate(t, st, 16, studytest.Value(func(c space.Configuration) float64 { return c.Value[0] + studytest.Sq(c.Value[1]-0.3) }))
	stopped := 0
	ctx := surrogate.Remember(t.Context()) // the same fit is made once
	for _, n := range []int{6, 8, 11, 16} {
		r := exhaustedRegion(st, trials[:n], Request{Number: n + 1, Seed: 1})
		for k := range 12 {
			late, again := r, r
			late.Until = time.Now().Add(time.Duration(k) * 400 * time.Microsecond)
			s, err := Next(ctx, st, trials[:n], late)
			if err != nil {
				t.Fatal(err)
			}
			if s.Cut == 0 {
				continue
			}
			stopped++
			again.Cut = s.Cut
			same, err := Next(ctx, st, trials[:n], again)
			if err != nil || st.Space.Key(same.Config) != st.Space.Key(s.Config) || same.Source != s.Source {
				t.Errorf("after %d trials and %d steps: %v of %s, again %v, %v", n, s.Cut, s.Config, s.Source, same, err)
			}
		}
	}
	if stopped == 0 {
		t.Error("no search was stopped")
	}
}

// With many trials a deadline that leaves no time for a fit to all of them makes do
// with few; that replays, and a deadline with time enough changes nothing.
func TestDeadlineWithManyTrials(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x"), studytest.Number("y"))
	st.Objectives[0].Transform, st.Initial.Count = "power", 5
	st.Surrogate.Starts, st.Surrogate.Evaluations = 1, 4
	confs := studytest.Sampled(t, st, 2*fewPoints+40)
	trials := studytest.Completed(confs, studytest.Smooth(confs))
	if os.Getenv("BOHIER_SOAK") != "" { // a surrogate of failures takes as long again
		for k := range 30 {
			trials[k].State, trials[k].Failure = study.Failed, study.Infeasible
		}
	}
	r := Request{Number: len(trials) + 1, Seed: 3}
	ctx := surrogate.Remember(t.Context()) // the same fit is made once
	next := func(r Request) *study.Suggestion {
		t.Helper()
		s, err := Next(ctx, st, trials, r)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	all := next(r)
	r.Until = time.Now().Add(time.Hour)
	if s := next(r); s.Fit.Few() || st.Space.Key(s.Config) != st.Space.Key(all.Config) {
		t.Errorf("with an hour's time: %v instead of %v", s.Config, all.Config)
	}
	r.Until = time.Now()
	late := next(r)
	if !late.Fit.Few() || late.Cut == 0 || len(late.Warnings) != 2 || late.Source != "model" {
		t.Fatalf("without time: %+v", late)
	}
	again := next(Request{Number: r.Number, Seed: r.Seed, Few: late.Fit.Few(), Cut: late.Cut})
	if st.Space.Key(again.Config) != st.Space.Key(late.Config) {
		t.Errorf("again: %v instead of %v", again.Config, late.Config)
	}
	if o, err := fitSurrogates(ctx, st, trials, Request{Number: r.Number, Seed: r.Seed, Few: true}); err != nil || o.fit.Report.Points > fewPoints {
		t.Errorf("explained by %d points, %v", o.fit.Report.Points, err)
	}
	// The next suggestion starts from that fit and is of all trials again.
	if s := next(Request{Number: r.Number, Seed: r.Seed, Warm: late.Fit}); s.Fit.Few() {
		t.Error("the next suggestion rests on few points, too")
	}
}

// Of very many trials the few points are chosen from some, the best among them.
func TestFewOfVeryManyTrials(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x"), studytest.Number("y"))
	confs := studytest.Sampled(t, st, 3*fewTrials)
	trials := studytest.Completed(confs, studytest.Smooth(confs))
	for k := range fewTrials {
		trials[k].State = study.Pending
	}
	h := ReadHistory(st, trials, len(trials)+1)
	f := h.few()
	if len(h.pending) != fewTrials || len(f.pending) != fewPoints {
		t.Errorf("%d of %d pending trials", len(f.pending), len(h.pending))
	}
	if n := len(f.Observed); n < fewTrials || n > fewTrials+5 || len(h.Observed) != 2*fewTrials || len(f.seen) != len(h.seen) {
		t.Errorf("%d of %d trials, %d configurations tried of %d", n, len(h.Observed), len(f.seen), len(h.seen))
	}
	if best, kept := leading(st, h.Observed, 5), leading(st, f.Observed, 5); !slices.EqualFunc(best, kept, func(a, b study.Trial) bool { return a.Number == b.Number }) {
		t.Errorf("the best %v, of those kept %v", best, kept)
	}
	if !slices.IsSortedFunc(f.Observed, func(a, b *study.Trial) int { return a.Number - b.Number }) {
		t.Error("not in the order of the trials")
	}
}
