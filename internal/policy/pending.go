package policy

import (
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
	rng := generator(r, streamFantasy)
	draws := make([][]float64, fantasies)
	for k := range draws {
		var err error
		if draws[k], err = m.Sample(rng, pending); err != nil {
			return nil, err
		}
	}
	return m.ConditionEach(pending, draws)
}

// withRefused conditions a model on the configurations that failed as infeasible:
// they are believed to be as bad as the lower quartile of the good ones at least,
// so that little is expected of the surroundings of a failure however well the
// objective would have gone on there. (The worst of the good would keep too far
// from the edge, where the best configurations may be; the best of them lets more
// than half of the trials near it fail.)
func withRefused(m *gp.Model, refused, good *points.Set) (*gp.Model, error) {
	if refused == nil {
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
	believed := means(refused)
	for k := range believed {
		believed[k] = max(believed[k], known[len(known)/4])
	}
	return m.Condition(refused, believed)
}
