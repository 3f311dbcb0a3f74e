package suggest

import (
	"math"
	"testing"

	"bohier/internal/gp"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// The acquisition function is the average of improvement × feasibility ÷ cost over the outcomes of the pending trials,
// with an incumbent for each. Here it is averaged by hand, one outcome at a time.
func TestAverageOverOutcomes(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
	st.Constraints = []study.Constraint{{Name: "c", Bound: 1}}
	st.Cost = &study.Cost{Name: "cost", Exponent: 0.7}
	trials := told(t, st, 12, func(c space.Configuration) (study.Observation, study.Failure) {
		o, _ := constrained(c)
		cost := math.Exp(c.Value[0])
		o.Cost = &cost
		return o, ""
	})
	for k := range 2 {
		trials[10+k].State = study.Pending
		trials[10+k].Observation = study.Observation{}
	}
	r := Request{Number: 13, Seed: 5}
	o := mustFit(t, st, trials, r)
	domain := space.NewDomain(st.Space, nil)
	q := domain.Sample(generator(r, 99), 24)
	confs := make([]space.Configuration, q.Len())
	for i := range confs {
		confs[i] = st.Space.Decode(q, i)
	}
	q = st.Space.EncodeAll(confs)
	got, err := scoring{o}.scores(confs)
	must(t, err)
	predict := func(m *gp.Model, q *points.Set, i int) (mean, std float64) {
		var mu, v [1]float64
		m.Standard().PredictBatch(mu[:], v[:], q.Slice(i, i+1))
		return mu[0], math.Sqrt(v[0])
	}
	good, pending := feasiblePoints(st, o.h.Observed), pointsOf(st, o.h.pending)
	if pending.Len() != 2 {
		t.Fatalf("%d pending", pending.Len())
	}
	bounded, cost := o.others["constraint.c"].fit, o.others["cost"].fit.Model
	limit := bounded.Model
	weight, sum := make([]float64, q.Len()), make([]float64, q.Len())
	for i := range weight {
		c, std := predict(limit, q, i)
		mean, _ := predict(cost, q, i)
		scale := cost.Units().Value(1) - cost.Units().Value(0)
		weight[i] = math.Erfc(-(limit.Units().Standard(bounded.Transform.Forward(1))-c)/std/math.Sqrt2) / 2 / math.Pow(math.Exp(scale*mean), 0.7)
	}
	rng := generator(r, streamFantasy)
	for range policy.Draws {
		y, err := o.goals[0].fit.Model.Draws(rng, pending, 1)
		must(t, err)
		m, err := o.goals[0].fit.Model.Condition(pending, y[0])
		must(t, err)
		incumbent := math.Inf(1)
		for _, x := range []*points.Set{good, pending} {
			for i := range x.Len() {
				mean, _ := predict(m, x, i)
				incumbent = min(incumbent, mean)
			}
		}
		for i := range sum {
			mean, std := predict(m, q, i)
			z := (incumbent - mean) / std
			ei := std * (z*math.Erfc(-z/math.Sqrt2)/2 + math.Exp(-z*z/2)/math.Sqrt(2*math.Pi))
			sum[i] += ei * weight[i] / float64(policy.Draws)
		}
	}
	compared := 0
	for i, v := range sum {
		if v < 1e-9 {
			continue // the plain formulas lose their digits
		}
		compared++
		if !(math.Abs(got[i]-math.Log(v)) <= 1e-6) {
			t.Errorf("point %d: %v, by hand %v", i, got[i], math.Log(v))
		}
	}
	if compared < 2 {
		t.Errorf("only %d points to compare", compared)
	}
}
