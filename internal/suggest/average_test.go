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

// The acquisition function is the average of improvement × feasibility ÷ cost over
// every combination of hyperparameter samples of the three surrogates and of
// outcomes of the pending trials, with an incumbent for each sample and outcome.
// Here it is averaged by hand, one combination at a time.
func TestAverageOverCombinations(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
	st.Constraints = []study.Constraint{{Name: "c", Bound: 1}}
	st.Cost = &study.Cost{Name: "cost", Exponent: 0.7}
	trials := told(t, st, 12, func(c space.Configuration) (study.Observation, study.Failure) {
		o, _ := constrained(c)
		cost := math.Exp(c.Value[0])
		o.Cost = &cost
		return o, ""
	})
	st.Surrogate.Inference = "mcmc"
	for k := range 2 {
		trials[10+k].State = study.Pending
		trials[10+k].Observation = study.Observation{}
	}
	r := Request{Number: 13, Seed: 5}
	o, err := fitSurrogates(t.Context(), st, trials, r)
	if err != nil {
		t.Fatal(err)
	}
	domain := space.NewDomain(st.Space, nil)
	q := domain.Sample(generator(r, 99), 6)
	confs := make([]space.Configuration, q.Len())
	for i := range confs {
		confs[i] = st.Space.Decode(q, i)
	}
	q = st.Space.EncodeAll(confs)
	a, _, err := o.acquisition(o.plan)
	if err != nil {
		t.Fatal(err)
	}
	got := scoreOf(a, q)
	predict := func(m *gp.Model, q *points.Set, i int) (mean, std float64) {
		var mu, v [1]float64
		m.Standard().PredictBatch(mu[:], v[:], q.Slice(i, i+1))
		return mu[0], math.Sqrt(v[0])
	}
	good, pending := feasiblePoints(st, o.h.Observed), pointsOf(st, o.h.pending)
	limits, costs := o.others["constraint.c"].fit.Model.Samples(), o.others["cost"].fit.Model.Samples()
	if n := len(o.fit.Model.Samples()); n < 2 || len(limits) < 2 || len(costs) < 2 || pending.Len() != 2 {
		t.Fatalf("%d, %d and %d samples, %d pending", n, len(limits), len(costs), pending.Len())
	}
	feasible, price := make([][]float64, len(limits)), make([][]float64, len(costs))
	for i := range q.Len() {
		for l, limit := range limits {
			c, std := predict(limit, q, i)
			feasible[l] = append(feasible[l], math.Erfc(-(limit.Units().Standard(1)-c)/std/math.Sqrt2)/2)
		}
		for k, cost := range costs {
			mean, _ := predict(cost, q, i)
			scale := cost.Units().Value(1) - cost.Units().Value(0)
			price[k] = append(price[k], math.Pow(math.Exp(scale*mean), 0.7))
		}
	}
	sum, count := make([]float64, q.Len()), 0.0
	for _, sample := range o.fit.Model.Samples() {
		rng := generator(r, streamFantasy)
		for range policy.Draws {
			y, err := sample.Sample(rng, pending)
			if err != nil {
				t.Fatal(err)
			}
			m, err := sample.Condition(pending, y)
			if err != nil {
				t.Fatal(err)
			}
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
				for l := range limits {
					for c := range costs {
						sum[i] += ei * feasible[l][i] / price[c][i]
					}
				}
			}
			count += float64(len(limits) * len(costs))
		}
	}
	compared := 0
	for i, v := range sum {
		if v /= count; v < 1e-9 {
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
