package surrogate

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/space"
)

// Draws are joint draws, from the posterior at configurations, of what is minimised: the
// objective without noise, signed and transformed, so that a row has its best where the
// objective has. They are shared out among hyperparameter samples; equal seeds give
// equal draws.
func (f *Fitted) Draws(sp *space.Space, confs []space.Configuration, draws int, seed uint64) ([][]float64, error) {
	q, samples := sp.EncodeAll(confs), f.Model.Samples()
	rng := rand.New(rand.NewPCG(seed, 0x6265737421))
	var out [][]float64
	each := (draws + len(samples) - 1) / len(samples)
	for _, s := range samples {
		rows, err := s.Draws(rng, q, each)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// ProbabilityBest estimates for every configuration the probability that the
// objective without noise is best there among all of them, by Draws.
func (f *Fitted) ProbabilityBest(sp *space.Space, confs []space.Configuration, draws int, seed uint64) ([]float64,
	error) {
	rows, err := f.Draws(sp, confs, draws, seed)
	out := make([]float64, len(confs))
	for _, row := range rows {
		out[floats.MinIdx(row)] += 1 / float64(len(rows))
	}
	return out, err
}
