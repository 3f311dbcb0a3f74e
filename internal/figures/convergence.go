package figures

import (
	"cmp"
	"math"
	"slices"

	"bohier/internal/plot"
	"bohier/internal/study"
)

// Convergence options.
type ConvergenceOptions struct {
	ByCost bool // along the bottom what the trials so far have cost
	// ByResource: along the bottom the units of a fidelity that had been spent when a
	// trial was complete; the trials are in that order.
	ByResource bool
	Scale      string // of the objective: linear, log, or empty for what suits the values
}

// Convergence shows the value of every complete trial and the best so far by trial
// number, or by what the trials up to each have cost. Only trials that count can be
// the best. Where the best value may be luck it shows the leader among the trials
// so far instead, as the surrogate sees it now, ± its standard deviation. Failed
// trials are ticks at the lower edge.
func Convergence(s Source, o ConvergenceOptions) plot.Figure {
	seen := points{plot.Series{Kind: plot.Dots, Tone: plot.Grey, Label: "observed"}}
	out := points{plot.Series{Kind: plot.Crosses, Tone: 3, Label: "violates a constraint"}}
	failed := points{plot.Series{Kind: plot.Rug, Tone: 1, Label: "failed"}}
	best := plot.Series{Kind: plot.Stairs, Tone: 0, Label: "best so far"}
	star := points{plot.Series{Kind: plot.Stars, Tone: 0}}
	band := plot.Series{Kind: plot.Band, Tone: 0, Label: "± 1 std"}
	if s.Believed != nil {
		best.Label = "leader so far"
	}
	sign, last, std, spent := s.Study.Objective().Direction.Sign(), math.NaN(), 0.0, 0.0
	var units map[int]float64
	if o.ByResource {
		units = s.spentAt()
		s.Trials = slices.Clone(s.Trials)
		slices.SortStableFunc(s.Trials, func(a, b study.Trial) int { return cmp.Compare(units[a.Number], units[b.Number]) })
	}
	for i := range s.Trials {
		t := &s.Trials[i]
		if t.Cost != nil {
			spent += *t.Cost
		}
		x := float64(t.Number)
		switch {
		case o.ByCost:
			x = spent
		case o.ByResource:
			x = units[t.Number]
		}
		if t.State == study.Failed {
			failed.add(x, 0, t, s.tip(t))
		}
		v, ok := s.value(t)
		if !ok {
			continue
		}
		if !s.counts(t) {
			out.add(x, v, t, s.tip(t))
			continue
		}
		seen.add(x, v, t, s.tip(t))
		level := v
		if s.Believed != nil {
			e, ok := s.Believed[t.Number]
			if !ok {
				continue
			}
			level = e.Mean
			if math.IsNaN(last) || sign*level < sign*last {
				if n := len(band.X); n > 0 { // the band steps as the line does
					band.X, band.Low, band.Y = append(band.X, x), append(band.Low, band.Low[n-1]), append(band.Y, band.Y[n-1])
				}
				std = e.Std
			}
		}
		if math.IsNaN(last) || sign*level < sign*last {
			last = level
			star.X, star.Y, star.Trials, star.Tips = []float64{x}, []float64{level}, []int{t.Number}, []string{s.tip(t)}
		}
		if s.Believed != nil {
			band.X, band.Low, band.Y = append(band.X, x), append(band.Low, last-std), append(band.Y, last+std)
		}
		best.X, best.Y = append(best.X, x), append(best.Y, last)
	}
	p := plot.Panel{X: plot.Axis{Label: "trial", Whole: true}, Y: plot.Axis{Label: s.Study.Objective().Name}}
	if o.ByCost {
		p.X = plot.Axis{Label: "cost so far"}
	}
	if o.ByResource {
		p.X = plot.Axis{Label: s.Study.Fidelity.Name + " so far"}
	}
	if s.Believed != nil {
		p.Series = append(p.Series, band)
	}
	f := plot.Figure{Title: s.title("convergence"), Height: 340}
	p.Y.Log = o.Scale == "log" || o.Scale == "" && spread(slices.Concat(seen.Y, out.Y, best.Y, s.target()))
	if !p.Y.Log && o.Scale == "" {
		p.Y.Low, p.Y.High = focus(slices.Concat(seen.Y, out.Y), slices.Concat(best.Y, s.target()), sign)
		for _, list := range []*points{&seen, &out} {
			if n := clamp(list.Y, p.Y); n > 0 {
				list.Label += " (poor ones at the edge)"
			}
		}
	}
	p.Series = some(p.Series, seen, out, failed)
	if len(best.X) > 0 {
		p.Series = append(p.Series, best)
	}
	if t := s.target(); len(t) > 0 && len(best.X) > 0 {
		p.Series = append(p.Series, plot.Series{
			Kind: plot.Dashed, Tone: 2, Label: "target",
			X: []float64{best.X[0], best.X[len(best.X)-1]}, Y: []float64{t[0], t[0]},
		})
	}
	p.Series = some(p.Series, star)
	f.Panels = []plot.Panel{p}
	return f
}

func (s Source) target() []float64 {
	if t := s.Study.Objective().Target; t != nil {
		return []float64{*t}
	}
	return nil
}

// spread reports whether values ask for a log scale: positive, over two decades.
func spread(v []float64) bool {
	if len(v) == 0 {
		return false
	}
	lo, hi := slices.Min(v), slices.Max(v)
	return lo > 0 && hi/lo >= 100
}

// focus is a range of values that shows the good ones where few poor ones would
// flatten all others; low = high: the whole range will do.
func focus(seen, best []float64, sign float64) (low, high float64) {
	if len(seen) < 8 {
		return 0, 0
	}
	v := make([]float64, len(seen)) // the smaller the better
	for k := range seen {
		v[k] = sign * seen[k]
	}
	slices.Sort(v)
	least := v[0]
	for _, b := range best {
		least = min(least, sign*b)
	}
	quarter := v[len(v)*3/4]
	fence := quarter + 1.5*(quarter-v[len(v)/4])
	if most := v[len(v)-1]; !(fence > least) || most-least < 2.5*(fence-least) {
		return 0, 0
	}
	low, high = least-0.05*(fence-least), fence
	if sign < 0 {
		low, high = -high, -low
	}
	return low, high
}

// clamp puts values beyond an axis at its edge and counts them.
func clamp(v []float64, a plot.Axis) (n int) {
	if !(a.Low < a.High) {
		return 0
	}
	for k := range v {
		if at := min(max(v[k], a.Low), a.High); at != v[k] {
			v[k] = at
			n++
		}
	}
	return n
}
