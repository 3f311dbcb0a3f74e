package suggest

import (
	"context"
	"math/rand/v2"
	"time"

	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// Request says what Next is to propose.
type Request struct {
	Number int              // the trial's number, 1 for the first
	Seed   uint64           // the study's seed
	Fixed  space.Assignment // values to keep; nil: none
	Warm   *study.FitRecord // of the newest suggestion; nil: none
	// Sources are the studies of the warm start; with them the surrogate
	// suggests from the first trial on.
	Sources []surrogate.Source
	Fits    *surrogate.Fits // kept from earlier requests; they change no result
	// Plan is what decides, as the journal recorded it; nil: what today's rules decide.
	Plan *study.Plan
	Cut  int // > 0: stop the search after that many steps, as a deadline once did
	// Until stops the search for the best score, after its first step at the
	// earliest; what was found by then is suggested, and the suggestion's Cut
	// replays it. Fits that take longer than half of the time until then end with the best
	// hyperparameters met. Zero: never.
	Until time.Time
	Made  *study.FitRecord // of the suggestion where it is made again: its fits end where they did then
}

// The streams keep the random numbers of a suggestion's parts apart.
const (
	streamInitial uint64 = iota + 1
	streamUntried
	_ // kept free: the numbers of the others are part of every suggestion
	streamSearch
	streamFantasy
	StreamQueue
	streamExplain
	streamStop
	streamRegion
	streamWeights
	streamRepeat
)

func generator(r Request, stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(r.Seed, uint64(r.Number)<<8|stream))
}

// Next proposes the configuration of trial r.Number from the trials before it.
// It is pure: no I/O, no clock, no state; the same arguments give the same
// suggestion, bit for bit, whatever the number of workers.
//
// Initial points come first, then a space-filling design until enough trials
// have results, then the surrogate. When the surrogate has nothing to say, the
// source is fallback:<reason>. The error is a *study.Error with code Exhausted
// when nothing is left to suggest.
func Next(ctx context.Context, st *study.Study, trials []study.Trial, r Request) (*study.Suggestion, error) {
	sug, _, err := next(ctx, st, trials, r)
	return sug, err
}

// next is Next with the surrogates that chose; nil: none was asked.
func next(ctx context.Context, st *study.Study, trials []study.Trial, r Request) (*study.Suggestion, *surrogates,
	error) {
	h := History(st, trials, r)
	if sug, err := unasked(h, trials, r); sug != nil || err != nil {
		return sug, nil, err
	}
	s := newSurrogates(h, r)
	if err := s.fitAll(ctx); err != nil {
		return nil, nil, err
	}
	sug, err := s.execute(ctx)
	return sug, s, err
}

// unasked is what is proposed without a surrogate, or the error of a study in which nothing is;
// nil: a surrogate is to choose.
func unasked(h *history, trials []study.Trial, r Request) (*study.Suggestion, error) {
	if s := unfinished(h, r); s != nil {
		return s, nil
	}
	if h.exhausted != nil && !h.repeatable {
		if s := probe(h, r); s != nil {
			return s, nil
		}
		return nil, h.exhausted
	}
	if s := again(h, trials, r); s != nil {
		return s, nil
	}
	if h.exhausted == nil && len(r.Fixed) == 0 {
		if s, err := ownPoint(h, r); s != nil || err != nil {
			return s, err
		}
	}
	if h.exhausted == nil && designs(h) {
		return pointOf(h, r, policy.Design(h.st), "design")
	}
	return nil, nil
}

// Planned is the plan by which the surrogate would choose; nothing is fitted. It is nil
// where no surrogate is asked.
func Planned(st *study.Study, trials []study.Trial, r Request) *study.Plan {
	h := History(st, trials, r)
	if h.exhausted != nil && !h.repeatable || h.exhausted == nil && designs(h) {
		return nil
	}
	return policy.Decide(newView(h, r), policy.InForce(st))
}

// History sorts the trials before that of the request, and has surrogates learn from its sources,
// too: each of several objectives from the values of its name.
func History(st *study.Study, trials []study.Trial, r Request) *history {
	h := readHistory(st, trials, r.Number)
	if h.Sources, h.Fits = r.Sources, r.Fits; len(r.Sources) > 0 {
		h.At = st.Fidelity.High() // what they tell
	}
	for _, g := range h.goals {
		g.Sources, g.Fits = surrogate.SourcesOf(g.st, r.Sources), r.Fits
	}
	if size, known := st.Space.Count(); known && float64(len(h.seen)) >= size {
		h.exhausted = exhausted(size)
		h.repeatable = st.Replicates.Auto && len(r.Fixed) == 0 && MaterialNoise(st, h.Observed, r.Warm)
	}
	return h
}

// designs reports whether the initial design still chooses.
func designs(h *history) bool {
	if len(h.Sources) > 0 { // a front is of own trials: it takes one
		return h.st.Several() && len(h.Told()) == 0
	}
	return len(h.Told()) == 0 || !settledIn(h)
}
