package report

import (
	"math"

	"bohier/internal/space"
	"bohier/internal/study"
)

// Convergence shows the value of every complete trial and the best so far by
// trial number, or by what the trials up to each have cost. Only trials that
// count, in order of number, can be the best: those whose outcomes satisfy the
// constraints. With believed, where the best value may be luck, it shows the leader
// among the trials so far instead, as the surrogate sees it now, ± its standard
// deviation.
func Convergence(st *study.Study, trials []study.Trial, counts func(*study.Trial) bool, believed Estimates, byCost bool) Figure {
	seen := Series{Kind: Dots, Tone: Grey, Label: "observed"}
	out := Series{Kind: Crosses, Tone: Grey, Label: "infeasible"}
	best := Series{Kind: Stairs, Tone: 0, Label: "best so far"}
	band := Series{Kind: Band, Tone: 0, Label: "± 1 std"}
	if believed != nil {
		best.Label = "leader so far"
	}
	sign, last, std, spent := st.Objective.Direction.Sign(), math.NaN(), 0.0, 0.0
	for i := range trials {
		t := &trials[i]
		if t.Cost != nil {
			spent += *t.Cost
		}
		v, ok := t.Values[st.Objective.Name]
		if t.State != study.Complete || !ok {
			continue
		}
		x := float64(t.Number)
		if byCost {
			x = spent
		}
		if !counts(t) {
			out.X, out.Y = append(out.X, x), append(out.Y, v)
			continue
		}
		seen.X, seen.Y = append(seen.X, x), append(seen.Y, v)
		if believed != nil {
			e, ok := believed[t.Number]
			if !ok {
				continue
			}
			if math.IsNaN(last) || sign*e.Mean < sign*last {
				if n := len(band.X); n > 0 { // the band steps as the line does
					band.X, band.Low, band.Y = append(band.X, x), append(band.Low, band.Low[n-1]), append(band.Y, band.Y[n-1])
				}
				last, std = e.Mean, e.Std
			}
			band.X, band.Low, band.Y = append(band.X, x), append(band.Low, last-std), append(band.Y, last+std)
		} else if math.IsNaN(last) || sign*v < sign*last {
			last = v
		}
		best.X, best.Y = append(best.X, x), append(best.Y, last)
	}
	label := "trial"
	if byCost {
		label = "cost so far"
	}
	p := Panel{X: Axis{Label: label}, Y: Axis{Label: st.Objective.Name}, Series: []Series{seen}}
	if len(out.X) > 0 {
		p.Series = append(p.Series, out)
	}
	if believed != nil {
		p.Series = append([]Series{band}, p.Series...)
	}
	p.Series = append(p.Series, best)
	if t := st.Objective.Target; t != nil && len(best.X) > 0 {
		p.Series = append(p.Series, Series{
			Kind: Dashed, Tone: 1, Label: "target",
			X: []float64{best.X[0], best.X[len(best.X)-1]}, Y: []float64{*t, *t},
		})
	}
	return Figure{Title: title(st, "convergence"), Panels: []Panel{p}}
}

// A Posterior predicts the objective: means, standard deviations, and those of a
// noisy measurement.
type Posterior interface {
	Predict(at []space.Configuration) (mean, std, stdNoisy []float64)
}

// Slice shows the posterior along parameter i with all others as in the
// configuration at, where i is active, and the observed trials, which lie
// elsewhere in the other parameters. Where a value of i activates a parameter
// that is inactive in at, that takes its default, or the middle of its range.
func Slice(st *study.Study, i int, at space.Configuration, trials []study.Trial, m Posterior) Figure {
	p := st.Space.Param(i)
	panel := Panel{X: Axis{Label: p.Name}, Y: Axis{Label: st.Objective.Name}}
	var grid []float64
	numeric := p.Kind == space.Float || p.Kind == space.Int
	if numeric {
		panel.X.Log = p.Scale == space.Log
		grid = numberGrid(st.Space, i)
	} else {
		panel.X.Names = p.Values
		for v := range p.Values {
			grid = append(grid, float64(v))
		}
	}
	var x []float64
	var confs []space.Configuration
	for _, v := range grid {
		if c, ok := moved(st.Space, at, i, v); ok {
			x, confs = append(x, v), append(confs, c)
		}
	}
	mean, std, _ := m.Predict(confs)
	low, high := make([]float64, len(x)), make([]float64, len(x))
	for k := range x {
		low[k], high[k] = mean[k]-std[k], mean[k]+std[k]
	}
	band := Series{Kind: Band, Label: "± 1 std", X: x, Y: high, Low: low}
	line := Series{Kind: Line, Label: "posterior mean", X: x, Y: mean}
	if !numeric { // beside the observed values, not on them
		band.Kind, line.Kind = Bars, Dots
		line.X = shifted(x, 0.1)
		band.X = line.X
	}
	seen := Series{Kind: Dots, Tone: Grey, Label: "observed"}
	for k := range trials {
		t := &trials[k]
		if v, ok := t.Values[st.Objective.Name]; ok && t.State == study.Complete && !t.Outside && t.Config.Active[i] {
			seen.X, seen.Y = append(seen.X, t.Config.Value[i]), append(seen.Y, v)
		}
	}
	panel.Series = []Series{band, seen, line}
	if numeric {
		mean, _, _ := m.Predict([]space.Configuration{at})
		panel.Series = append(panel.Series, Series{Kind: Crosses, Tone: 1, Label: "incumbent", X: []float64{at.Value[i]}, Y: mean})
	}
	return Figure{Title: title(st, "along "+p.Name), Panels: []Panel{panel}}
}

func shifted(x []float64, by float64) []float64 {
	out := make([]float64, len(x))
	for k, v := range x {
		out[k] = v + by
	}
	return out
}

// numberGrid is values of a numeric parameter from low to high, evenly spaced on
// its axis: all of them if there are few.
func numberGrid(s *space.Space, i int) []float64 {
	const most = 200
	p := s.Param(i)
	var out []float64
	for k := range most + 1 {
		f := float64(k) / most
		v := p.Low + f*(p.High-p.Low)
		if p.Scale == space.Log {
			v = p.Low * math.Pow(p.High/p.Low, f)
		}
		if v = s.Round(i, min(max(v, p.Low), p.High)); len(out) == 0 || v > out[len(out)-1] {
			out = append(out, v)
		}
	}
	return out
}

// moved is configuration c with parameter i at v; not ok where that is not
// allowed.
func moved(s *space.Space, c space.Configuration, i int, v float64) (space.Configuration, bool) {
	next := space.NewConfiguration(s.Len())
	copy(next.Value, c.Value)
	next.Value[i] = v
	for k := range s.Params() {
		p := s.Param(k)
		switch {
		case c.Active[k] || k == i || p.Kind == space.Constant:
		case p.Default != nil:
			next.Value[k] = *p.Default
		case p.Kind == space.Float || p.Kind == space.Int:
			next.Value[k] = s.Round(k, middle(p))
		default:
			next.Value[k] = float64((len(p.Values) - 1) / 2)
		}
	}
	s.Activate(&next)
	_, violated := s.Violated(next)
	return next, !violated && next.Active[i]
}

func middle(p *space.Parameter) float64 {
	if p.Scale == space.Log {
		return math.Sqrt(p.Low) * math.Sqrt(p.High)
	}
	return p.Low + (p.High-p.Low)/2
}

func title(st *study.Study, what string) string {
	if st.Name == "" {
		return what
	}
	return st.Name + ": " + what
}
