package suggest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"bohier/internal/lists"
	"bohier/internal/pareto"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// Request describes the proposal that Next is asked for.
type Request struct {
	Number int              // the trial's number, 1 for the first
	Seed   uint64           // the study's seed
	Fixed  space.Assignment // values to keep; nil: none
	Warm   *study.FitRecord // of the newest suggestion; nil: none
	// Sources are the studies of the warm start; with them the surrogate suggests from the first trial on.
	Sources []surrogate.Source
	Kept    *Kept // from earlier requests; it changes no result
	// Told is the same in requests with the same trials, but for those without a result that were
	// suggested for one of them and not for another; nil: nothing is known of that.
	Told any
	// Plan is the plan to use, as the journal recorded it; nil: the decision of today's rules.
	Plan *study.Plan
	Cut  study.Cut // ends fits and search as a deadline once did
	// Until stops the search for the best score, after its first step at the
	// earliest; the best point found by then is suggested, and the suggestion's Cut replays it. Fits that take longer
	// than half of the time until then end with the best hyperparameters met. Zero: never.
	Until time.Time
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

// Next proposes the configuration of trial r.Number from the trials before it. It is pure: no I/O, no clock, no state;
// the same arguments give the same suggestion, bit for bit, whatever the number of workers.
//
// Initial points come first, then a space-filling design until enough trials have results, then the surrogate. When the
// surrogate has nothing to say, the source is fallback:<reason>. The error is a *study.Error with code Exhausted when
// nothing is left to suggest.
func Next(ctx context.Context, st *study.Study, trials []study.Trial, r Request) (*study.Suggestion, error) {
	sug, _, err := next(ctx, st, trials, r)
	return sug, err
}

// Planned is the plan by which a surrogate is to choose, found without a fit; nil: none is asked. The error is Next's.
func Planned(st *study.Study, trials []study.Trial, r Request) (*study.Plan, error) {
	h := History(st, trials, r)
	if sug, err := unasked(h, trials, r); sug != nil || err != nil {
		return nil, err
	}
	return newSurrogates(h, r).plan, nil
}

// next is Next with the surrogates that chose, or said that nothing is left; nil: none was asked.
func next(ctx context.Context, st *study.Study, trials []study.Trial, r Request) (*study.Suggestion, *surrogates,
	error) {
	h := History(st, trials, r)
	if sug, err := unasked(h, trials, r); sug != nil || err != nil {
		return sug, nil, err
	}
	s := newSurrogates(h, r)
	if err := (fitting{s}).fitAll(ctx); err != nil {
		return nil, s, err
	}
	sug, err := choice{scoring{s}}.execute(ctx)
	if err == nil {
		sug.Cut.Fits = h.pace.ended()
	}
	return sug, s, err
}

// unasked is the proposal without a surrogate, or the error of a study in which nothing is left;
// nil: a surrogate is to choose.
func unasked(h *history, trials []study.Trial, r Request) (*study.Suggestion, error) {
	if s := unfinished(h, r); s != nil {
		return s, nil
	}
	if h.exhausted != nil && !h.repeatable {
		if s := probe(h, r); s != nil && len(h.pending) == 0 {
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
	if size, known := h.st.Space.Count(); known && size <= probedLast || h.ahead > 0 {
		return nil, nil
	}
	return probe(h, r), nil
}

// History sorts the trials before that of the request, and has surrogates learn from its sources,
// too: each of several objectives from the values of its name.
func History(st *study.Study, trials []study.Trial, r Request) *history {
	h := readHistory(st, trials, r)
	if h.Sources = r.Sources; len(r.Sources) > 0 {
		h.At = st.Fidelity.High() // where earlier studies were measured
	}
	for _, g := range h.goals {
		g.Sources = lists.Only(r.Sources, func(e surrogate.Source) bool { return e.Objective == g.st.Objective().Name })
	}
	if size, known := st.Space.Count(); known && float64(h.seen.len()) >= size {
		h.exhausted = exhausted(size)
		h.repeatable = st.Replicates.Auto && len(r.Fixed) == 0 && h.materialNoise(r.Warm)
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

// history sorts a study's trials by their use for the next suggestion.
type history struct {
	st    *study.Study
	known *results
	surrogate.Data
	penalised int // of the infeasible trials, those with a value that stands for a failure
	pending   []*study.Trial
	seen      seen // configurations not to be proposed again, found when asked for
	ahead     int  // reserved trials with a lower number: others are choosing too
	// exhausted is the error of a finite space in which nothing is new; repeatable means that the
	// surrogate may suggest further measurements of tried configurations.
	exhausted  error
	repeatable bool
	goals      []*history // for several objectives, each by itself
	pace       *pace      // of the fits; nil: they take their time
}

// readHistory sorts the trials before that of the request. Surrogates learn from a share of very many.
func readHistory(st *study.Study, trials []study.Trial, r Request) *history {
	known := r.Kept.results(st, trials, r)
	h := &history{st: st, known: known}
	var counting, pending []*study.Trial
	for k := range trials {
		t := &trials[k]
		if !known.counts(t) {
			continue
		}
		if counting = append(counting, t); h.sort(t, r.Number) && !t.Outside && t.State == study.Pending {
			pending = append(pending, t)
		}
	}
	h.seen = seen{known.tried, keysOf(st, pending)}
	if st.Several() {
		for k := range st.Objectives {
			g := &history{st: st.For(k), known: known, seen: h.seen}
			for _, t := range counting {
				g.sort(t, r.Number)
			}
			g.Share = known.silent != nil
			h.goals = append(h.goals, g)
		}
	}
	if h.Share = known.silent != nil; st.Fidelity.Early() {
		h.atLevels(trials)
	}
	if policy.PenaltiesFail(st) {
		h.penalise()
	}
	return h
}

// penalise counts the trials whose value stands for a failure as infeasible.
func (h *history) penalise() {
	name, sign := h.st.Objective().Name, h.st.Objective().Direction.Sign()
	value := func(t *study.Trial) float64 { return sign * t.Values.Of(name) }
	y := slices.Sorted(slices.Values(lists.Of(h.Observed, value)))
	tied, fails := policy.WorstOf(y)
	if !fails {
		return
	}
	penalty := func(t *study.Trial) bool { return value(t) == y[len(y)-1] }
	h.penalised, h.Infeasible = tied, append(h.Infeasible, lists.Only(h.Observed, penalty)...)
	h.Observed = slices.DeleteFunc(h.Observed, penalty)
}

// sort puts a trial where it belongs, and reports whether its configuration has a result or is under way.
func (h *history) sort(t *study.Trial, number int) bool {
	st := h.st
	switch {
	case t.Number == number:
		return false
	case t.State == study.Complete && st.Measured(t), t.State == study.Pending && st.Among != nil && st.Measured(t):
		h.Observed = append(h.Observed, t)
	case t.State == study.Failed && t.Failure == study.Infeasible:
		h.Infeasible = append(h.Infeasible, t)
	case t.State == study.Paused || t.State == study.Stopped:
		h.Partial = append(h.Partial, t)
	case t.State == study.Pending:
		if t.Course != nil && len(t.Course.Points) > 0 {
			h.Partial = append(h.Partial, t)
		}
		h.pending = append(h.pending, t)
	case t.State == study.Reserved:
		if t.Number < number {
			h.ahead++
		}
		return false
	default:
		return false
	}
	return true
}

// Surrogates learn from about fairShare and the leaders where more than mostTold trials have results. A model rests on
// 1,000 points at most, and computing with every trial would take longer than it is worth.
const (
	mostTold  = 20_000
	fairShare = 5_000
	leaders   = 100
)

// share selects the trials that surrogates do not learn from; nil: none. They learn from those under way, the best, and
// of the others those whose turn it is in the multiples of the golden ratio. These fall in step with no order in which
// trials were made, and further trials change the share little.
func (h *history) share() func(*study.Trial) bool {
	n := len(h.Observed) + len(h.Infeasible) + len(h.Partial)
	if n <= mostTold {
		return nil
	}
	leads := map[int]bool{}
	for _, t := range slices.Concat(h.leaders(h.Observed), h.leaders(h.Partial)) {
		leads[t.Number] = true
	}
	const golden = 0x9e3779b97f4a7c15 // 2⁶⁴/φ
	limit := math.MaxUint64 / uint64(n) * fairShare
	return func(t *study.Trial) bool { return uint64(t.Number)*golden >= limit && !leads[t.Number] }
}

// leaders are the best of observed trials; of several objectives some of the front, evenly by the first one.
func (h *history) leaders(told []*study.Trial) []*study.Trial {
	able := feasible(h.st, told)
	if !h.st.Several() {
		return h.st.First(able, leaders)
	}
	in := h.st.Standing(able)
	front := lists.At(in.Trials, pareto.Front(in.Vectors))
	front = h.st.First(front, len(front))
	n := min(leaders, len(front))
	return lists.Make(n, func(k int) *study.Trial { return front[k*len(front)/n] })
}

// suggested are the trials whose configuration was suggested, but for the partial ones.
func (h *history) suggested() []*study.Trial {
	return slices.Concat(h.Observed, h.Infeasible, h.pending)
}

// own are the study's trials that have a result, failed as infeasible or are under way.
func (h *history) own() []*study.Trial {
	return slices.Concat(h.Told(), h.Infeasible, h.silent())
}

// silent are the pending trials that have reported nothing yet.
func (h *history) silent() []*study.Trial {
	return slices.DeleteFunc(slices.Clone(h.pending), func(t *study.Trial) bool { return slices.Contains(h.Partial, t) })
}

// new reports whether a configuration has not been tried, refused or handed out.
func (h *history) new(c space.Configuration) bool { return !h.seen.has(h.st.Space.AppendKey(nil, c)) }

// alone are the histories of the objectives, each by itself.
func (h *history) alone() []*history {
	if h.goals == nil {
		return []*history{h}
	}
	return h.goals
}

// settledIn reports whether the study's own trials are enough to doubt their results; a warm start suggests before
// that.
func settledIn(h *history) bool {
	return len(h.Told())+len(h.Infeasible) >= h.st.Replicates.Times()*policy.InitialCount(h.st)
}
