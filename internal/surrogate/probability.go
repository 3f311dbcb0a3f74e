package surrogate

import (
	"math/rand/v2"

	"bohier/internal/space"
)

// ProbabilityBest estimates for every configuration the probability that the
// objective without noise is best there among all of them, by so many joint draws
// from the posterior, which are shared out among hyperparameter samples. Equal seeds
// give equal estimates.
func (f *Fitted) ProbabilityBest(sp *space.Space, confs []space.Configuration, draws int, seed uint64) ([]float64, error) {
	q, samples := sp.EncodeAll(confs), f.Model.Samples()
	rng := rand.New(rand.NewPCG(seed, 0x6265737421))
	out := make([]float64, len(confs))
	each := (draws + len(samples) - 1) / len(samples)
	for _, s := range samples {
		rows, err := s.Draws(rng, q, each)
		if err != nil {
			return nil, err
		}
		for _, row := range rows { // of what is minimised, monotone in the objective
			best := 0
			for i, v := range row {
				if v < row[best] {
					best = i
				}
			}
			out[best] += 1 / float64(each*len(samples))
		}
	}
	return out, nil
}
