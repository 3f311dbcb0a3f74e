package suggest

import (
	"cmp"
	"context"
	"math"
	"slices"

	"bohier/internal/acq"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// A Weighing compares the promise of paused trials with that of a new configuration.
type Weighing struct {
	// Continue are the numbers of the paused trials that are worth more per unit of the
	// resource than the suggestion, the best first.
	Continue []int
	// Start is the resource up to which a new trial is best taken before it is judged; 0: nothing is
	// known yet, or can be, as of folds.
	Start float64
	// Suggestion is the proposal of Next; nil: nothing.
	Suggestion *study.Suggestion
	// Judged reports whether they were compared: not where there is no surrogate, unless it
	// is only because the initial design still chooses, during which paused trials wait.
	Judged bool
	// Cut is where a deadline ended the comparison.
	Cut study.Cut
}

// Weigh is Next with a comparison of its proposal with going on with a paused trial: by the expected improvement at
// full resource over the best complete trial, that of a paused trial given its own curve, divided by the units it takes
// to get there (expected improvement per second: Snoek, Larochelle & Adams 2012, arXiv:1206.2944; paused trials beside
// new ones: Swersky, Snoek & Adams 2014). A new configuration may as well be looked at first (freshRate). Like Next it
// is pure.
func Weigh(ctx context.Context, st *study.Study, trials []study.Trial, r Request) (Weighing, error) {
	sug, s, err := next(ctx, st, trials, r)
	w := Weighing{Suggestion: sug}
	if s != nil {
		w.Cut.Fits = s.h.pace.ended()
	}
	switch {
	case err != nil:
		return w, err
	case sug.Source == "model":
		w.weigh(s, sug)
	default:
		w.Judged = sug.Source == "design" || sug.Source == "initial"
	}
	w.Cut = sug.Cut
	return w, err
}

// mostLeft is the share of all units that paused trials may have taken, and a full training more, as every study begins
// with some. Beyond it the best of them goes on whatever a new configuration promises: late in a study nothing replaces
// values at full resource, and a look at one more configuration always promises a little.
const mostLeft = 0.5

// weigh fills in the surrogates' predictions for paused trials beside a suggestion.
func (w *Weighing) weigh(s *surrogates, sug *study.Suggestion) {
	st, f := s.st, &s.st.Fidelity
	ends := s.goals[0].fit.At(st, f.High())
	rivals := feasible(st, s.h.Observed)
	if len(rivals) == 0 {
		rivals = feasible(st, s.h.Told())
	}
	if len(rivals) == 0 {
		return
	}
	means := ends.Means(pointsOf(st, rivals))
	best := slices.Min(means)
	w.Judged = true
	left, all := 0.0, 0.0 // units in paused trials, in all
	for _, t := range s.h.Told() {
		units := f.Spent(t.Course)
		if all += units; t.State == study.Paused {
			left += units
		}
	}
	lead, rate := best, map[int]float64{}
	for _, t := range s.h.Partial {
		if t.State == study.Stopped || t.Outside || !st.Feasible(t) {
			continue
		}
		e := expect(st, ends.Of(st, t, f.High()), t.Config)
		if lead = min(lead, e.mean); t.State == study.Paused && !t.Course.Barred() {
			rate[t.Number] = e.logGain(best) - math.Log(f.Charge(f.Resource(t.Course), f.High())) - s.logCost(t.Config)
		}
	}
	fresh, start := s.freshRate(expect(st, ends, sug.Config), best, lead)
	fresh -= s.logCost(sug.Config)
	w.Start = start
	for n, r := range rate {
		if r >= fresh || left > mostLeft*all+f.High() {
			w.Continue = append(w.Continue, n)
		}
	}
	slices.SortFunc(w.Continue, func(a, b int) int { return cmp.Or(cmp.Compare(rate[b], rate[a]), a-b) })
}

// freshRate is the logarithm of a new configuration's expected gain for each unit, beside paused trials, and the
// resource up to which it is best evaluated first; 0 while too few trials have ended.
//
// A look is worth the improvement of its prediction over the best value that is known or predicted, lead. It is taken
// where the gain for each unit is largest; a configuration that turns out best takes all units up to the full resource.
// Beside paused trials, one of them trained out in any case, a look costs its own units alone: while looks improve the
// prediction faster than that, it is too early to train it out (marginal value theorem: Charnov 1976).
func (s *surrogates) freshRate(e prediction, best, lead float64) (rate, start float64) {
	f := &s.st.Fidelity
	full := math.Log(f.Charge(0, f.High()))
	rate = e.logGain(best) - full
	if s.extrapolation == nil { // folds, say
		return rate, 0
	}
	most, informed := e.logGain(lead)-full, false
	for k := policy.FirstLook(f); k < f.Top(); k++ {
		look := s.afterLook(e, k)
		if look.std == 0 {
			continue
		}
		informed = true
		units, gain := f.Charge(0, f.Levels[k]), look.logGain(lead)
		onward := units + below(lead, look.mean, look.std)*f.Charge(f.Levels[k], f.High())
		if r := gain - math.Log(onward); r > most {
			most, start = r, f.Levels[k]
			rate = max(rate, gain-math.Log(units))
		}
	}
	if start == 0 && (informed || len(s.h.Observed) >= fewEnds) {
		start = f.High()
	}
	return rate, start
}

// afterLook is the prediction of a configuration's end from a curve up to a level: it is a
// measurement of the end, with the error that such curves have.
func (s *surrogates) afterLook(e prediction, level int) prediction {
	fit := s.goals[0].fit
	units := fit.Model.Units()
	value := fit.Transform.Inverse(units.Value(e.mean))
	sd := s.extrapolation.Error(level, value)
	if math.IsInf(sd, 1) || e.std == 0 {
		return prediction{mean: e.mean}
	}
	sd = units.StandardDeviation(sd * math.Exp(fit.Transform.LogSlope(value)))
	return prediction{e.mean, e.std * e.std / math.Hypot(e.std, sd)}
}

// prediction is a surrogate's prediction for a configuration, as it is modelled and standardised.
type prediction struct{ mean, std float64 }

func expect(st *study.Study, fit *surrogate.Fitted, c space.Configuration) prediction {
	m, s := fit.Latent(st.Space.EncodeAll([]space.Configuration{c}))
	return prediction{m[0], s[0]}
}

// logGain is the logarithm of the expected improvement on a value.
func (e prediction) logGain(value float64) float64 {
	v, _, _ := acq.LogImprovement(value).Score(e.mean, e.std*e.std)
	return v
}

// logCost is the logarithm of the expected cost of a configuration's unit, to the power that the
// study gives it; 0 where no cost divides.
func (s *surrogates) logCost(c space.Configuration) float64 {
	cost, ok := s.others["cost"]
	factor, divides := s.plan.Factor("cost")
	if !ok || !divides {
		return 0
	}
	mean, _, _ := cost.fit.Predict(s.st.Space, []space.Configuration{c})
	return factor.Weight * mean[0]
}
