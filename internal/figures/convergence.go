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
	f := plot.Figure{Title: s.title("convergence"), Height: 340}
	if s.window(&p.Y, sign, slices.Concat(seen.Y, out.Y), nil, slices.Concat(best.Y[max(len(best.Y)-1, 0):], s.target())) {
		p.Y.Label += edge
		clip(p.Y, seen.Y, out.Y, best.Y, band.Low, band.Y)
	}
	if s.Believed != nil {
		p.Series = append(p.Series, band)
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
