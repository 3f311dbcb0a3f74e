package policy

import (
	"cmp"
	"context"
	"math"
	"slices"

	"bohier/internal/acq"
	"bohier/internal/fidelity"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// A Weighing compares what paused trials still promise with a new configuration.
type Weighing struct {
	// Continue are the numbers of the paused trials that are worth more per unit of the
	// resource than the suggestion, the best first.
	Continue []int
	// Suggestion is what Next proposes; nil: nothing.
	Suggestion *study.Suggestion
	// Judged reports whether they were compared: not where there is no surrogate, unless it
	// is only because the initial design still chooses, during which paused trials wait.
	Judged bool
}

// Weigh is Next with a comparison of what it proposes with going on with a paused trial:
// by the expected improvement at full resource over the best complete trial, that of a
// paused trial given its own curve, divided by the units it takes to get there
// (expected improvement per second: Snoek, Larochelle & Adams 2012; paused trials
// beside new ones: Swersky, Snoek & Adams 2014). Like Next it is pure.
func Weigh(ctx context.Context, st *study.Study, trials []study.Trial, r Request) (Weighing, error) {
	w := Weighing{}
	r.weigh = func(s *surrogates, sug *study.Suggestion) { w.weigh(s, sug) }
	sug, err := Next(ctx, st, trials, r)
	w.Suggestion = sug
	w.Judged = w.Judged || err == nil && (sug.Source == "design" || sug.Source == "initial")
	return w, err
}

// mostLeft is the share of all units that paused trials may have taken, and a full training
// more, as every study begins with some. Beyond it the best of them goes on whatever a new
// configuration promises: late in a study nothing replaces values at full resource, and a
// look at one more configuration always promises a little.
const mostLeft = 0.5

// weigh fills in what the surrogates say of paused trials beside a suggestion.
func (w *Weighing) weigh(s *surrogates, sug *study.Suggestion) {
	st, f := s.st, s.st.Fidelity
	ends := s.fit.At(st, f.High())
	rivals := feasible(st, s.h.Observed)
	if len(rivals) == 0 {
		rivals = feasible(st, s.h.Told())
	}
	if len(rivals) == 0 {
		return
	}
	best := math.Inf(1)
	for _, t := range rivals {
		mean, _ := predicted(st, ends, t.Config)
		best = min(best, mean)
	}
	head, err := acq.NewHead("logei", acq.HeadOptions{Incumbent: best})
	if err != nil {
		return
	}
	worth := func(c space.Configuration, mean, std, from float64) float64 {
		v, _, _ := head.Score(mean, std*std)
		return v - math.Log(f.Charge(from, f.High())) - s.logCost(c)
	}
	w.Judged = true
	mean, std := predicted(st, ends, sug.Config)
	fresh := worth(sug.Config, mean, std, 0)
	value := map[int]float64{}
	left, all := 0.0, 0.0 // units in paused trials, in all
	for _, t := range s.h.Told() {
		units := f.Spent(t.Course)
		if all += units; t.State == study.Paused {
			left += units
		}
	}
	// The initial design is one of ends, as far as curves do not tell those.
	few := s.curves != nil && len(s.h.Observed) >= fewEnds && s.fit.X.Len() < InitialCount(st)
	for _, t := range s.h.Partial {
		if t.State != study.Paused || t.Outside || fidelity.Barred(t) || !st.Feasible(t) {
			continue
		}
		mean, std := predicted(st, ends.Of(st, t, f.High()), t.Config)
		if v := worth(t.Config, mean, std, f.Resource(t.Course)); v >= fresh || left > mostLeft*all+f.High() || few {
			value[t.Number] = v
			w.Continue = append(w.Continue, t.Number)
		}
	}
	slices.SortStableFunc(w.Continue, func(a, b int) int { return cmp.Compare(value[b], value[a]) })
}

// predicted is what a fit expects of a configuration, as it is modelled.
func predicted(st *study.Study, fit *surrogate.Fitted, c space.Configuration) (mean, std float64) {
	m, s := fit.Latent(st.Space.EncodeAll([]space.Configuration{c}))
	return m[0], s[0]
}

// logCost is the logarithm of what a unit of a configuration is expected to cost, to the
// power that the study gives it; 0 where no cost divides.
func (s *surrogates) logCost(c space.Configuration) float64 {
	cost, ok := s.others["cost"]
	factor, divides := factorOf(s.plan, "cost")
	if !ok || !divides {
		return 0
	}
	mean, _, _ := cost.fit.Predict(s.st.Space, []space.Configuration{c})
	return factor.Weight * mean[0]
}

// perUnit are trials with the cost of a unit of their resource in place of their cost.
func perUnit(f *study.Fidelity, trials []*study.Trial) []*study.Trial {
	out := make([]*study.Trial, 0, len(trials))
	for _, t := range trials {
		if r := f.Resource(t.Course); t.Cost != nil && r > 0 {
			one, cost := *t, *t.Cost/r
			one.Cost, one.Replicates = &cost, nil
			out = append(out, &one)
		}
	}
	return out
}
