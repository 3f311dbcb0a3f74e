package surrogate

import (
	"math"
	"math/rand/v2"

	"bohier/internal/gp"
	"bohier/internal/lists"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Predict gives, in the objective's own units and sign, the posterior mean at
// every configuration, its standard deviation, and that of a noisy measurement of the i-th.
func (f *Fitted) Predict(sp *space.Space, confs []space.Configuration) (mean, std []float64,
	stdNoisy func(i int) float64) {
	u, noise := f.Model.Units(), math.Sqrt(f.Model.StandardNoise())
	m, sd := f.Latent(sp.EncodeAll(confs))
	mean, std = make([]float64, len(m)), make([]float64, len(m))
	for i := range m {
		mu, latent := gp.Moments(f.Transform, u.Value(m[i]), u.Deviation(sd[i]))
		mean[i], std[i] = gp.Clamped(mu)*f.Sign, gp.Clamped(latent)
	}
	return mean, std, func(i int) float64 {
		_, measured := gp.Moments(f.Transform, u.Value(m[i]), u.Deviation(math.Hypot(sd[i], noise)))
		return gp.Clamped(math.Hypot(measured, f.Reported))
	}
}

// reportedError is the median standard error of measurements of the objective in its own units: reported with them, or
// else declared. 0: neither.
func reportedError(st *study.Study, told []*study.Trial) float64 {
	declared := st.Objective().Noise.SD
	known := lists.Some(RowsOf(told), func(r Row) (float64, bool) {
		if se := r.ErrorOf(st.Objective().Name); r.Trial.Teaches() && se != nil && *se > 0 {
			return *se, true
		}
		return declared, declared > 0
	})
	if len(known) == 0 {
		return 0
	}
	return lists.Median(known)
}

func square(x float64) float64 { return x * x }

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

// Latent is the posterior of the modelled quantity (transformed, to be minimised) at every point of q.
func (f *Fitted) Latent(q *points.Set) (mean, std []float64) {
	mean, std = make([]float64, q.Len()), make([]float64, q.Len())
	f.Model.Standard().PredictBatch(mean, std, q)
	for i, v := range std {
		std[i] = math.Sqrt(v)
	}
	return mean, std
}

// Means are those of Latent, at a small part of the cost.
func (f *Fitted) Means(q *points.Set) []float64 {
	mean := make([]float64, q.Len())
	f.Model.Standard().Means([][]float64{mean}, q)
	return mean
}

// Draws are joint draws, from the posterior at configurations, of the minimised quantity: the objective without noise,
// signed and transformed, so that a row has its best where the objective has. Equal seeds give equal draws.
func (f *Fitted) Draws(sp *space.Space, confs []space.Configuration, draws int, seed uint64) ([][]float64, error) {
	return f.Model.Draws(rand.New(rand.NewPCG(seed, 0x6265737421)), sp.EncodeAll(confs), draws)
}
