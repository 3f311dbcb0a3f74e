package suggest

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/pareto"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// MaterialNoise reports whether a study's objective, or one of several, is noisy enough for
// its best value to be luck: the newest fit, as the journal has it, found as much, a
// standard error was reported, or measurements of one configuration differ. No surrogate
// is fitted to tell.
func MaterialNoise(st *study.Study, trials []*study.Trial, fit *study.FitRecord) bool {
	var open []string // objectives about which it is not known yet
	for k, ob := range st.Objectives {
		one := fit.Of(st.For(k))
		switch {
		case ob.Noise.SD > 0, !ob.Noise.None && one != nil && policy.NoisyFit(one):
			return true
		case !ob.Noise.None:
			open = append(open, ob.Name)
		}
	}
	first := map[string]study.Values{}
	for _, t := range trials {
		if len(open) == 0 || t.State != study.Complete || t.Outside {
			continue
		}
		key := st.Space.Key(t.Config)
		for _, o := range t.Observations() {
			before, again := first[key]
			for _, name := range open {
				v, ok := o.Values.Get(name)
				if !ok {
					continue
				}
				if se := o.ErrorOf(name); se != nil && *se > 0 {
					return true
				}
				if known, again := before.Get(name); again && v != known {
					return true
				}
			}
			if first[key] = o.Values; again {
				first[key] = before.With(o.Values)
			}
		}
	}
	return false
}

// measurementError is the standard deviation of the noise of one measurement, in
// standardised units: the fitted one and the median of those reported.
func measurementError(f *surrogate.Fitted, m *gp.Model) float64 {
	variance, unit := m.StandardNoise(), m.Units().Deviation(1)
	var reported []float64
	for _, sd := range f.Stderr {
		if sd > 0 {
			reported = append(reported, sd/unit)
		}
	}
	if len(reported) > 0 {
		sd := gp.Median(reported)
		variance += sd * sd
	}
	return math.Sqrt(variance)
}

// A rating rates configurations by their posterior means; less is better.
type rating struct {
	s      *surrogates
	models []*gp.Model // of each objective
	fits   []*surrogate.Fitted
	value  []float64 // of the configurations that were measured
	// With several objectives: the achievement function that rates them.
	weights, ideal, nadir []float64
}

// rating rates the measured configurations at. With several objectives the rating is an
// achievement function, with weights that make one configuration of the front, another for
// each trial number, the best compromise.
func (s *surrogates) rating(at *points.Set) (*rating, error) {
	w := &rating{s: s}
	if s.fit != nil {
		w.fits = []*surrogate.Fitted{s.fit}
	}
	for _, g := range s.goals {
		w.fits = append(w.fits, g.fit)
	}
	for _, f := range w.fits {
		m, err := believer(f.Model, pointsOf(s.st, s.h.pending))
		if err != nil {
			return nil, err
		}
		w.models = append(w.models, m)
	}
	means := w.means(at)
	if len(w.models) == 1 {
		for _, v := range means {
			w.value = append(w.value, v[0])
		}
		return w, nil
	}
	front := frontOf(means)
	w.ideal, w.nadir = pareto.Bounds(front)
	w.weights = make([]float64, len(w.models))
	for j, v := range front[s.r.Number%len(front)] {
		w.weights[j] = 1
		if span := w.nadir[j] - w.ideal[j]; span > 0 {
			w.weights[j] = 1 / max(0.05, (v-w.ideal[j])/span)
		}
	}
	w.value = pareto.Achievement(means, w.weights, w.ideal, w.nadir)
	return w, nil
}

// means are those of every objective at points, in standardised units.
func (w *rating) means(q *points.Set) [][]float64 {
	believed := make([][]*gp.Model, len(w.models))
	for j, m := range w.models {
		believed[j] = []*gp.Model{m}
	}
	return meansOf(believed, q)[0]
}

// measurements is the number of draws of the outcome of one measurement of several objectives,
// in antithetic pairs.
const measurements = 64

// gains are, for every point, the knowledge gradient of one measurement there over all of
// the points, in standardised units.
func (w *rating) gains(q *points.Set) ([]float64, error) {
	moved := make([][][]float64, len(w.models))
	for j, m := range w.models {
		var err error
		if moved[j], err = moves(m, measurementError(w.fits[j], m), q); err != nil {
			return nil, err
		}
	}
	means, out := w.means(q), make([]float64, q.Len())
	if len(w.models) == 1 {
		a := make([]float64, len(means))
		for i, v := range means {
			a[i] = -v[0]
		}
		for i := range out {
			floats.Scale(-1, moved[0][i])
			out[i] = acq.KnowledgeGradient(a, moved[0][i])
		}
		return out, nil
	}
	// A rating changes with the one objective that determines the achievement function there.
	value := pareto.Achievement(means, w.weights, w.ideal, w.nadir)
	slope := pareto.Slopes(means, w.weights, w.ideal, w.nadir)
	best, rng := floats.Min(value), generator(w.s.r, streamRepeat)
	z := make([]float64, len(w.models))
	for range measurements {
		for j := range z {
			z[j] = rng.NormFloat64()
		}
		for i := range out {
			up, down := math.Inf(1), math.Inf(1)
			for k, v := range value {
				d := 0.0
				for j := range z {
					d += slope[k][j] * moved[j][i][k] * z[j]
				}
				up, down = min(up, v+d), min(down, v-d)
			}
			out[i] += (best - (up+down)/2) / measurements
		}
	}
	return out, nil
}

// moves[i][k] is the change of the mean at point k, in standardised units, when a measurement at
// point i comes out one standard deviation above its mean; sd is the standard deviation of
// the measurement's noise.
func moves(m *gp.Model, sd float64, q *points.Set) ([][]float64, error) {
	n := q.Len()
	mean, variance := make([]float64, n), make([]float64, n)
	m.Standard().PredictBatch(mean, variance, q)
	u, out := m.Units(), make([][]float64, n)
	for i := range n {
		// Every mean changes by its covariance with point i divided by that standard deviation.
		// Condition assumes the fitted noise alone, without reported standard errors.
		above := (variance[i] + m.StandardNoise()) / math.Sqrt(variance[i]+sd*sd)
		after, err := m.Condition(q.Select([]int{i}), []float64{u.Value(mean[i] + above)})
		if err != nil {
			return nil, err
		}
		out[i] = make([]float64, n)
		after.Standard().Means(out[i], q)
		floats.Sub(out[i], mean)
	}
	return out, nil
}
