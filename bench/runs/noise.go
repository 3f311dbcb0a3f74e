package runs

import (
	"context"
	"math"
	"math/rand/v2"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

// A Leader is what a study with noisy observations recommends in the end: the
// configuration with the best posterior mean among those tried.
type Leader struct {
	Value float64 `json:"value"` // without noise
	Noise float64 `json:"noise"` // the fitted standard deviation there, in the objective's units
	Trial int     `json:"trial"`
}

// noisy adds normal noise to a value, the same for the same seed and trial.
func noisy(y, sd float64, seed uint64, number int) float64 {
	if sd == 0 {
		return y
	}
	return y + sd*rand.New(rand.NewPCG(seed, uint64(number)<<8|0xff)).NormFloat64()
}

// lead finds the leader of a study that has ended.
func lead(ctx context.Context, st *study.Study, trials []study.Trial, warm *study.FitRecord, seed uint64,
	truth []float64) (*Leader, error) {
	r := suggest.Request{Seed: seed, Warm: warm}
	f, err := suggest.FitObjective(ctx, suggest.History(st, trials, r), r)
	if err != nil {
		return nil, err
	}
	confs := make([]space.Configuration, len(trials))
	out := &Leader{}
	for k, t := range trials {
		confs[k] = t.Config
	}
	mean, std, stdNoisy := f.Predict(st.Space, confs)
	best, sign := 0, st.Objective().Direction.Sign()
	for k := range mean {
		if sign*mean[k] < sign*mean[best] {
			best = k
		}
	}
	out.Value, out.Trial = truth[best], trials[best].Number
	noisy := stdNoisy(best)
	out.Noise = math.Sqrt(max(0, noisy*noisy-std[best]*std[best]))
	return out, nil
}
