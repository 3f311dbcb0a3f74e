package suggest

import (
	"reflect"
	"testing"
	"time"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A deadline in a search of a region that found nothing replays like any other: the steps of both searches count.
func TestDeadlineInARegion(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.When(studytest.Number("x"), 0, 0))
	trials := simulate(t, st, 16, studytest.Value(func(c space.Configuration) float64 {
		return c.Value[0] +
			studytest.Sq(c.Value[1]-0.3)
	}))
	stopped := 0
	ctx, kept := t.Context(), new(Kept) // the same fit is made once
	for _, n := range []int{6, 8, 11, 16} {
		r := exhaustedRegion(st, trials[:n], Request{Number: n + 1, Seed: 1, Kept: kept})
		for k := range 12 {
			late, again := r, r
			late.Until = time.Now().Add(time.Duration(k) * 400 * time.Microsecond)
			s, err := Next(ctx, st, trials[:n], late)
			must(t, err)
			if s.Cut.Search == 0 {
				continue
			}
			stopped++
			again.Cut = s.Cut
			same, err := Next(ctx, st, trials[:n], again)
			if err != nil || st.Space.Key(same.Config) != st.Space.Key(s.Config) || same.Source != s.Source {
				t.Errorf("after %d trials and %v: %v of %s, again %v, %v", n, s.Cut, s.Config, s.Source, same, err)
			}
		}
	}
	if stopped == 0 {
		t.Error("no search was stopped")
	}
}

// A deadline ends fits with the best that they have met, of however many trials; that replays
// step by step, and a deadline with time enough changes nothing.
func TestDeadlineEndsFits(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x"), studytest.Number("y"))
	st.Initial.Count, st.Constraints = 5, []study.Constraint{{Name: "c", Bound: 0.5}}
	confs := studytest.Sampled(t, st, 40)
	trials := studytest.Completed(confs, studytest.Smooth(confs))
	for k := range trials {
		trials[k].Values.Set("c", trials[k].Config.Value[1])
		if k < 10 {
			trials[k].State, trials[k].Failure = study.Failed, study.Infeasible
		}
	}
	r := Request{Number: len(trials) + 1, Seed: 3}
	next := func(r Request) *study.Suggestion {
		t.Helper()
		s := mustNext(t, st, trials, r)
		return s
	}
	all := next(r)
	r.Until = time.Now().Add(time.Hour)
	if s := next(r); s.Fit.Cut > 0 || st.Space.Key(s.Config) != st.Space.Key(all.Config) {
		t.Errorf("with an hour's time: %v instead of %v", s.Config, all.Config)
	}
	r.Until = time.Now()
	late := next(r)
	if late.Cut.Fits != 1 || late.Cut.Search == 0 || len(late.Warnings) != 2 || late.Source != "model" {
		t.Fatalf("without time: %+v", late)
	}
	r.Until = time.Time{}
	for _, cut := range []int{1, 2, 7, 30, 60, 1000} {
		made := study.Cut{Fits: cut, Search: late.Cut.Search}
		s, o := next(Request{Number: r.Number, Seed: r.Seed, Cut: made}),
			next(Request{Number: r.Number, Seed: r.Seed, Cut: made})
		if st.Space.Key(s.Config) != st.Space.Key(o.Config) || (s.Fit.Cut == cut) != (cut < 1000) {
			t.Errorf("%d steps: %v and %v, cut at %d", cut, s.Config, o.Config, s.Fit.Cut)
		}
		if cut == 1 && st.Space.Key(s.Config) != st.Space.Key(late.Config) {
			t.Errorf("again: %v instead of %v", s.Config, late.Config)
		}
	}
	// The next suggestion starts from those fits and takes its time.
	if s := next(Request{Number: r.Number, Seed: r.Seed, Warm: late.Fit}); s.Fit.Cut > 0 {
		t.Error("the fits of the next suggestion are cut, too")
	}
}

// A search for which there is time takes the same steps as one without a deadline, also over a long front, whose
// bounds are over a part of it.
func TestStepsOnALongFront(t *testing.T) {
	st := studytest.Several(t, 2, "auto", studytest.PlainSpace()...)
	trials := told(t, st, 80, tradeoffs(2))
	if n := len(st.Standing(study.Pointers(trials)).Front().Trials); n < 8 {
		t.Fatalf("a front of %d", n)
	}
	next := func(r Request) (*study.Suggestion, study.Detail) {
		t.Helper()
		r.Number, r.Seed = len(trials)+1, 3
		s := mustNext(t, st, trials, r)
		details := s.Details()
		return s, details[len(details)-2]
	}
	s, steps := next(Request{})
	timed, counted := next(Request{Until: time.Now().Add(time.Hour)})
	replayed, again := next(Request{Cut: study.Cut{Search: 1 << 30}})
	if !reflect.DeepEqual(counted, again) || !reflect.DeepEqual(counted, steps) {
		t.Errorf("%v, replayed %v, without a deadline %v", counted, again, steps)
	}
	if !reflect.DeepEqual(s.Config, timed.Config) || !reflect.DeepEqual(s.Spare, timed.Spare) ||
		!reflect.DeepEqual(s.Spare, replayed.Spare) {
		t.Errorf("%v, with a deadline %v, replayed %v", s.Config, timed.Config, replayed.Config)
	}
}
