package suggest

import (
	"context"
	"math"

	"bohier/internal/acq"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// regretDelta is the probability δ that the confidence bounds miss the objective.
const regretDelta = 0.1

// regretBound is an upper bound on how much the best trial can still be improved,
// in the objective's units (Makarova et al. 2022, "Automatic termination for
// hyperparameter optimization", eq. 5): the lowest upper confidence bound among
// the trials minus the lowest lower one anywhere. The width of the bounds is
// theirs, β = ⅖·ln(d·n²·π²/6δ) for n trials and d coordinates. Over several
// hyperparameter samples it is the largest. Constraints only narrow the choice,
// so the bound holds with them.
func (s *surrogates) regretBound(ctx context.Context) (float64, error) {
	st, h := s.st, s.h
	tried := feasiblePoints(st, h.Observed)
	if tried == nil {
		return math.Inf(1), nil
	}
	kappa := regretWidth(float64(len(h.Observed)), float64(max(1, len(st.Space.Coordinates()))))
	head, err := acq.NewHead("lcb", acq.HeadOptions{Kappa: kappa})
	if err != nil {
		return 0, err
	}
	domain := space.NewDomain(st.Space, nil)
	if err := domain.Err(); err != nil {
		return 0, err
	}
	worst := 0.0
	for k, m := range s.fit.Model.Samples() {
		mean, variance := make([]float64, tried.Len()), make([]float64, tried.Len())
		m.Standard().PredictBatch(mean, variance, tried)
		upper := math.Inf(1)
		for i := range mean {
			upper = math.Min(upper, mean[i]+kappa*math.Sqrt(variance[i]))
		}
		found, _, err := acq.Maximize(ctx,
			acq.NewEnsemble(acq.Member{{Head: head, Surrogate: func() acq.Surrogate { return m.Standard() }}}),
			domain, acq.Options{
				Rand: generator(s.r, streamStop+uint64(k)<<32), Incumbents: incumbents(h, centres),
				Candidates: st.Acquisition.Candidates, Starts: st.Acquisition.Starts, Workers: surrogate.Workers(),
			})
		if err != nil {
			return 0, err
		}
		u := m.Units()
		worst = max(worst, s.fit.Transform.Inverse(u.Value(upper))-s.fit.Transform.Inverse(u.Value(-found[0].Score)))
	}
	return worst, nil
}

// regretWidth is √β.
func regretWidth(n, d float64) float64 {
	return math.Sqrt(max(0, 0.4*math.Log(d*n*n*math.Pi*math.Pi/(6*regretDelta))))
}

// regretReached is the Exhausted error of a study whose regret bound is small enough,
// nil while it is not or none is asked for.
func (s *surrogates) regretReached(ctx context.Context) error {
	limit := s.st.Stop.Regret
	if !(limit > 0) {
		return nil
	}
	bound, err := s.regretBound(ctx)
	if err != nil || !(bound < limit) {
		return err
	}
	return study.Errorf(study.Exhausted, "`bohier best` shows the result; lower stop.regret to go on",
		"no more than %.3g can be gained over the best trial, less than stop.regret: %v", bound, limit)
}
