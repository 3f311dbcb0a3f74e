package runs

import (
	"context"
	"math/rand/v2"
	"time"

	"bohier/bench/problems"
)

// Random is Optimize by independent random configurations.
func Random(_ context.Context, p *problems.Problem, o Options) (*Run, error) {
	st, err := parse(p.Name, p.Study(o.Seed, o.Evaluations))
	if err != nil {
		return nil, err
	}
	r, g := &Run{Problem: p.Name, Seed: o.Seed, N: o.Evaluations}, rand.New(rand.NewPCG(o.Seed, 0))
	began := time.Now()
	configs, err := st.Space.Sample(g, o.Evaluations)
	if err != nil {
		return nil, err
	}
	var front [][]float64
	for _, c := range configs {
		y, x, err := o.evaluate(p, st.Space, c)
		if err != nil {
			return nil, err
		}
		if p.Front != nil {
			second, err := p.Second(x)
			if err != nil {
				return nil, err
			}
			front = append(front, []float64{y, second})
			y = p.Front.Missing(front)
		}
		r.Tell(y)
	}
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}
