package main

import (
	"context"
	"math/rand/v2"
	"time"

	"bohier/bench/problems"
	"bohier/internal/config"
)

// randomSearch is the variant of independent random configurations. (A study's
// design "random" takes the branches of the space in turn.)
const randomSearch = "random="

// sample is optimize for that variant.
func sample(_ context.Context, p *problems.Problem, seed uint64, n int, _ string, _ float64, trace bool) (*run, error) {
	st, report := config.Parse(p.Name, p.Study(seed, n), config.Options{})
	if err := report.Err(); err != nil {
		return nil, err
	}
	r, g := &run{Problem: p.Name, Seed: seed, N: n}, rand.New(rand.NewPCG(seed, 0))
	began := time.Now()
	configs, err := st.Space.Sample(g, n)
	if err != nil {
		return nil, err
	}
	for _, c := range configs {
		y, err := evaluate(p, st.Space, c)
		if err != nil {
			return nil, err
		}
		r.tell(y, "random", st.Space, c, trace)
	}
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}
