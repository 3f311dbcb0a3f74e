package surrogate

import (
	"math"
	"math/rand/v2"

	"bohier/internal/gp"
	"bohier/internal/points"
	"bohier/internal/space"
)

// Predict gives, in the objective's own units and sign, the posterior mean at
// every configuration, its standard deviation, and that of a noisy measurement;
// over hyperparameter samples those of the mixture. Squares are of standardised
// values: those of the objective's own could overflow.
func (f *Fitted) Predict(sp *space.Space, confs []space.Configuration) (mean, std, stdNoisy []float64) {
	return f.predict(sp, confs, true)
}

// means are those of Predict, which take half as long alone.
func (f *Fitted) means(sp *space.Space, confs []space.Configuration) []float64 {
	mean, _, _ := f.predict(sp, confs, false)
	return mean
}

// predict is Predict; the deviations of measurements are 0 unless measured is set.
func (f *Fitted) predict(sp *space.Space, confs []space.Configuration, measured bool) (mean, std, stdNoisy []float64) {
	q, n, u, samples := sp.EncodeAll(confs), len(confs), f.Model.Units(), f.Model.Samples()
	mean, std, stdNoisy = make([]float64, n), make([]float64, n), make([]float64, n)
	m, v := make([]float64, n), make([]float64, n)
	means, latent, noisy := make([][]float64, n), make([][]float64, n), make([][]float64, n) // per sample
	for _, s := range samples {
		s.Standard().PredictBatch(m, v, q)
		for i := range m {
			mu, sd := gp.Moments(f.Transform, u.Value(m[i]), u.Deviation(math.Sqrt(v[i])))
			sdn := 0.0
			if measured {
				_, sdn = gp.Moments(f.Transform, u.Value(m[i]), u.Deviation(math.Sqrt(v[i]+s.StandardNoise())))
			}
			means[i], latent[i], noisy[i] = append(means[i], mu), append(latent[i], sd), append(noisy[i], sdn)
			mean[i] += mu / float64(len(samples))
		}
	}
	for i := range mean {
		for k, mu := range means[i] {
			latent[i][k] = bounded(math.Hypot(latent[i][k], bounded(mu-mean[i])))
			noisy[i][k] = bounded(math.Hypot(noisy[i][k], bounded(mu-mean[i])))
		}
		std[i], stdNoisy[i] = bounded(rms(latent[i])), bounded(rms(noisy[i]))
		mean[i] = bounded(mean[i]) * f.Sign
	}
	return mean, std, stdNoisy
}

// rms is the root mean square of v, 0 of nothing; no square overflows.
func rms(v []float64) float64 {
	largest, sum := 0.0, 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 {
		return 0
	}
	for _, x := range v {
		sum += square(x / largest)
	}
	return largest * math.Sqrt(sum/float64(len(v)))
}

// Reaches is, at every point of q, the probability that the objective without noise is as
// good as a value of its own; 0 where its transform has no such value.
func (f *Fitted) Reaches(value float64, q *points.Set) []float64 {
	mean, std := f.Latent(q)
	target := f.Model.Units().Standard(f.Transform.Forward(f.Sign * value))
	out := make([]float64, len(mean))
	for i := range out {
		if p := math.Erfc((mean[i]-target)/std[i]/math.Sqrt2) / 2; p > 0 { // not NaN
			out[i] = p
		}
	}
	return out
}

func square(x float64) float64 { return x * x }

// Latent is the posterior of the modelled quantity (transformed, to be
// minimised) at every point of q, averaged over hyperparameter samples.
func (f *Fitted) Latent(q *points.Set) (mean, std []float64) {
	n, samples := q.Len(), f.Model.Samples()
	mean, std = make([]float64, n), make([]float64, n)
	m, v := make([]float64, n), make([]float64, n)
	share := 1 / float64(len(samples))
	second := make([]float64, n) // moments
	for _, s := range samples {
		s.Standard().PredictBatch(m, v, q)
		for i := range m {
			mean[i] += share * m[i]
			second[i] += share * (v[i] + m[i]*m[i])
		}
	}
	for i := range std {
		std[i] = math.Sqrt(max(0, second[i]-mean[i]*mean[i]))
		if len(samples) == 1 { // the difference of squares would lose digits
			std[i] = math.Sqrt(v[i])
		}
	}
	return mean, std
}

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
