package gp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// branches are the models of a Model that has one per activity pattern, each
// with hyperparameters of its own (the baseline of Swersky et al. 2014 and of
// Zaefferer & Horn 2018). Where a pattern has too few observations for a model
// of its own, predictions are the mean and variance of all observations.
type branches map[string]*Model

// pattern names the activity of point i.
func pattern(x *points.Set, i int) string {
	b := make([]byte, x.Dim())
	for c := range b {
		b[c] = '0'
		if x.Active(c, i) {
			b[c] = '1'
		}
	}
	return string(b)
}

// byPattern lists the points of every pattern, in order of first appearance.
func byPattern(x *points.Set) (names []string, rows map[string][]int) {
	rows = make(map[string][]int)
	for i := range x.Len() {
		p := pattern(x, i)
		if rows[p] == nil {
			names = append(names, p)
		}
		rows[p] = append(rows[p], i)
	}
	return names, rows
}

// fitSeparate fits one model per activity pattern. The report is that of the
// pattern with most observations, its likelihoods, evaluations, points, warnings
// and leave-one-out figures taken over all.
func fitSeparate(ctx context.Context, k kernels.Kernel, x *points.Set, y []float64, o Options) (*Model, *Report, error) {
	o.Separate = false
	units, flat := UnitsOf(y)
	if flat {
		return nil, nil, &FallbackError{Reason: "flat"}
	}
	m := &Model{units: units, hyperparameters: hyperparameters{kernel: k}, x: x, parts: branches{}}
	names, rows := byPattern(x)
	slices.SortStableFunc(names, func(a, b string) int { return len(rows[b]) - len(rows[a]) })
	var total *Report
	for _, name := range names {
		idx := rows[name]
		part, partOptions := choose(y, idx), o
		partOptions.Stderr = choose(o.Stderr, idx)
		partOptions.Params = forPart(k, o.Params, units, part)
		b, rep, err := Fit(ctx, k, x.Select(idx), part, partOptions)
		if _, unfit := errors.AsType[*FallbackError](err); unfit {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		m.parts[name] = b
		if total == nil {
			total = rep
			continue
		}
		total.LogMarginalLikelihood += rep.LogMarginalLikelihood
		total.LogPosterior += rep.LogPosterior
		total.Evaluations += rep.Evaluations
		total.Rejected += rep.Rejected
		total.Points += rep.Points
		total.FitPoints += rep.FitPoints
		total.LOO = total.LOO.join(rep.LOO)
		total.Jitter = max(total.Jitter, rep.Jitter)
		total.Condition = max(total.Condition, rep.Condition)
		for _, r := range rep.Stopped {
			r.Name = "pattern " + name + ": " + r.Name
			total.Stopped = append(total.Stopped, r)
		}
		for _, w := range rep.Warnings {
			total.Warnings = append(total.Warnings, "pattern "+name+": "+w)
		}
	}
	if total == nil {
		return nil, nil, &FallbackError{Reason: "singular"}
	}
	if missing := len(names) - len(m.parts); missing > 0 {
		total.Warnings = append(total.Warnings, fmt.Sprintf("%d of %d activity patterns have no model of their own", missing, len(names)))
	}
	return m, total, nil
}

// forPart are hyperparameters, edited in the units of all observations, for a
// model of those in part: what was not edited is as declared for them.
func forPart(k kernels.Kernel, edited []kernels.Param, all Units, part []float64) []kernels.Param {
	own := Params(k, part)
	if len(edited) != len(own) {
		return edited // nil, or for Fit to refuse
	}
	declared := paramsIn(k, all)
	for i, e := range edited {
		takeEdits(&own[i], declared[i], e, func(v float64) float64 { return v })
		own[i].Name = e.Name
		if _, ours := e.Prior.(unitPrior); !ours {
			own[i].Prior = e.Prior
		}
	}
	return own
}

// condition adds observations to the models of their patterns; a pattern without
// a model keeps none.
func (b branches) condition(x *points.Set, y []float64) (branches, error) {
	out := maps.Clone(b)
	names, rows := byPattern(x)
	for _, name := range names {
		m := b[name]
		if m == nil {
			continue
		}
		grown, err := m.Condition(x.Select(rows[name]), choose(y, rows[name]))
		if err != nil {
			return nil, err
		}
		out[name] = grown
	}
	return out, nil
}

// drawSeparate draws the points of every pattern jointly, patterns independently.
func (m *Model) drawSeparate(r *rand.Rand, q *points.Set, count int) ([][]float64, error) {
	out := make([][]float64, count)
	for d := range out {
		out[d] = make([]float64, q.Len())
	}
	names, rows := byPattern(q)
	for _, name := range names {
		idx := rows[name]
		b := m.parts[name]
		if b == nil {
			for d := range out {
				for _, i := range idx {
					out[d][i] = m.units.Value(r.NormFloat64())
				}
			}
			continue
		}
		draws, err := b.Draws(r, q.Select(idx), count)
		if err != nil {
			return nil, err
		}
		for d := range out {
			for j, i := range idx {
				out[d][i] = draws[d][j]
			}
		}
	}
	return out, nil
}

// A patternPredictor asks the model of every point's activity pattern.
type patternPredictor struct {
	m        *Model
	standard bool
	parts    map[string]Predictor // as far as they were asked
	loaded   []patternBatch       // the last LoadBatch
}

// A patternBatch is the points of one pattern.
type patternBatch struct {
	m    *Model // nil: the pattern has none
	p    Predictor
	rows []int
}

// each asks the predictor of every pattern about its points of q, and takes the answers
// to the units of the whole. A pattern without a model has the mean and variance of
// all observations.
func (p *patternPredictor) each(mean, variance []float64, q *points.Set, ask func(b Predictor, mean, variance []float64, q *points.Set)) (out []patternBatch) {
	names, rows := byPattern(q)
	for _, name := range names {
		b := patternBatch{p.m.parts[name], p.parts[name], rows[name]}
		u := p.m.units
		mu, v := make([]float64, len(b.rows)), make([]float64, len(b.rows))
		if b.m != nil {
			if b.p == nil {
				b.p = b.m.predictor(p.standard)
				p.parts[name] = b.p
			}
			ask(b.p, mu, v, q.Select(b.rows))
			out = append(out, b)
		}
		for j, i := range b.rows {
			switch {
			case b.m == nil && p.standard:
				mean[i], variance[i] = 0, 1
			case b.m == nil:
				mean[i], variance[i] = u.Value(0), u.Variance(1)
			case p.standard: // what is standard there is not here
				ratio := b.m.units.per(u)
				mean[i], variance[i] = u.Standard(b.m.units.Value(mu[j])), v[j]*ratio*ratio
			default:
				mean[i], variance[i] = mu[j], v[j]
			}
		}
	}
	return out
}

func (p *patternPredictor) PredictBatch(mean, variance []float64, q *points.Set) {
	p.each(mean, variance, q, Predictor.PredictBatch)
}

func (p *patternPredictor) Means(mean []float64, q *points.Set) {
	p.PredictBatch(mean, make([]float64, q.Len()), q)
}

func (p *patternPredictor) Open(mean, bound []float64, q *points.Set) func(bound []float64, at []int, share float64) {
	return openInFull(p, mean, bound, q)
}

func (p *patternPredictor) LoadBatch(mean, variance []float64, q *points.Set) {
	p.loaded = p.each(mean, variance, q, Predictor.LoadBatch)
}

func (p *patternPredictor) PullBatch(dx [][]float64, dmean, dvar []float64) {
	for _, b := range p.loaded {
		ratio := 1.0
		if p.standard {
			ratio = b.m.units.per(p.m.units)
		}
		d, m, v := make([][]float64, len(b.rows)), make([]float64, len(b.rows)), make([]float64, len(b.rows))
		for j, i := range b.rows {
			d[j], m[j], v[j] = dx[i], dmean[i]*ratio, dvar[i]*ratio*ratio
		}
		b.p.PullBatch(d, m, v)
	}
}
