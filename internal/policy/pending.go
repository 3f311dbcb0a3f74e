package policy

import (
	"fmt"
	"slices"

	"bohier/internal/gp"
	"bohier/internal/points"
	"bohier/internal/study"
)

// fantasies is how many joint draws of the pending outcomes are averaged over.
const fantasies = 8

// withPending conditions a model on the pending trials: on joint draws of their
// outcomes (fantasy), on the predicted means (believer) or on worst, the worst
// value seen (liar). Without pending trials it is the model itself.
func withPending(st *study.Study, m *gp.Model, pending *points.Set, worst float64, r Request) ([]*gp.Model, error) {
	if pending == nil {
		return []*gp.Model{m}, nil
	}
	n := pending.Len()
	believe := func(y []float64) ([]*gp.Model, error) {
		c, err := m.Condition(pending, y)
		return []*gp.Model{c}, err
	}
	switch st.Acquisition.Pending {
	case "believer":
		y := make([]float64, n)
		m.Predictor().Means(y, pending)
		return believe(y)
	case "liar":
		y := make([]float64, n)
		for k := range y {
			y[k] = worst
		}
		return believe(y)
	}
	draws, err := m.Draws(generator(r, streamFantasy), pending, fantasies)
	if err != nil {
		return nil, err
	}
	return m.ConditionEach(pending, draws)
}

// pessimismQuantile is that of the good trials which infeasible ones are believed to be
// as bad as, at least, so that little is expected of the surroundings of a failure
// however well the objective would have gone on there. (The worst of the good would
// keep too far from the edge, where the best configurations may be; the best of them
// lets more than half of the trials near it fail.)
const pessimismQuantile = 0.25

func pessimism(v *View, p *study.Plan) string {
	if v.Infeasible == 0 {
		return ""
	}
	p.Pessimism = pessimismQuantile
	return fmt.Sprintf("%d trials failed as infeasible", v.Infeasible)
}

// penaliseInfeasible conditions a model on the configurations that failed as
// infeasible, as if each had the predicted value or the quantile of those predicted
// for the good ones, whichever is worse.
func penaliseInfeasible(m *gp.Model, infeasible, good *points.Set, quantile float64) (*gp.Model, error) {
	if infeasible == nil || quantile == 0 {
		return m, nil
	}
	p := m.Predictor()
	means := func(q *points.Set) []float64 {
		mean := make([]float64, q.Len())
		p.Means(mean, q)
		return mean
	}
	known := means(good)
	slices.Sort(known)
	believed := means(infeasible)
	for k := range believed {
		believed[k] = max(believed[k], known[int(quantile*float64(len(known)))])
	}
	return m.Condition(infeasible, believed)
}
