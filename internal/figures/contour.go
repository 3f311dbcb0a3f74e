package figures

import (
	"math"
	"slices"

	"bohier/internal/plot"
	"bohier/internal/space"
)

// Contour shows the posterior mean over two parameters with all others as at a
// place, and beside it how uncertain that is. Dots are the observed trials in which
// both are active; a veil covers where outcomes probably violate a constraint.
func Contour(s Source, i, j int, place Place) plot.Figure {
	st := s.Study
	const steps = 32
	x, y := grid(st.Space, i, steps), grid(st.Space, j, steps)
	var confs []space.Configuration
	var cells [][2]int
	for b := range y {
		for a := range x {
			first, ok := moved(st.Space, place.At, i, x[a])
			if !ok && st.Space.Conditional(i) { // j may be what activates i
				first = place.At
			}
			c, ok := moved(st.Space, first, j, y[b])
			if ok && c.Value[i] != x[a] {
				c, ok = moved(st.Space, c, i, x[a])
			}
			if ok && c.Active[i] && c.Active[j] {
				confs, cells = append(confs, c), append(cells, [2]int{b, a})
			}
		}
	}
	f := plot.Figure{
		Title: s.title(st.Space.Param(i).Name + " and " + st.Space.Param(j).Name), Note: place.Words,
		Columns: 2, Width: 460, Height: 440,
	}
	if len(confs) == 0 {
		return f
	}
	spread := func(values []float64) [][]float64 { // over the grid
		out := make([][]float64, len(y))
		for b := range out {
			out[b] = slices.Repeat([]float64{math.NaN()}, len(x))
		}
		for k, at := range cells {
			out[at[0]][at[1]] = values[k]
		}
		return out
	}
	mean, std, _ := s.Surrogate.Predict(confs)
	best, worst, sign := slices.Min(mean), slices.Max(mean), s.sign()
	if sign < 0 {
		best, worst = worst, best
	}
	var veil [][]float64
	if s.Feasible != nil {
		doubts := s.Feasible(confs)
		for k, p := range doubts {
			doubts[k] = 1 - p
		}
		veil = spread(doubts)
	}
	seen := plot.Series{Kind: plot.Rings, Tone: plot.Grey, Label: "observed"}
	shown := s.sample(&seen)
	for k := range s.Trials {
		t := &s.Trials[k]
		if _, ok := s.value(t); ok && t.Config.Active[i] && t.Config.Active[j] && shown(k) {
			s.add(&seen, t.Config.Value[i], t.Config.Value[j], t)
		}
	}
	star := plot.Series{Kind: plot.Stars, Tone: 1, Label: "incumbent"}
	if t := place.Trial; t != nil {
		s.add(&star, t.Config.Value[i], t.Config.Value[j], t)
	}
	title, ramp := "mean of "+st.Objective().Name, plot.Axis{}
	if s.window(&ramp, st.Objective(), mean, nil, nil) {
		title += ", poor ones in one colour"
		worst = []float64{ramp.Low, 0, ramp.High}[int(sign)+1]
	}
	positive := slices.DeleteFunc(slices.Clone(mean), func(v float64) bool { return !(v > 0) })
	if ramp.Log && len(positive) > 0 {
		title = "log10 of the " + title
		floor := slices.Min(positive) // means of a surrogate may be negative where values are not
		log := func(v float64) float64 { return math.Log10(max(v, floor)) }
		for k := range mean {
			mean[k] = log(mean[k])
		}
		best, worst = log(best), log(worst)
	}
	panel := func(title string, z []float64, best, worst float64) plot.Panel {
		f := &plot.Surface{X: x, Y: y, Z: spread(z), Best: best, Worst: worst, Veil: veil, VeilLabel: s.refusal()}
		return plot.Panel{Title: title, X: s.axis(i), Y: s.axis(j), Surface: f, Series: drawn(seen, star)}
	}
	f.Panels = []plot.Panel{
		panel(title, mean, best, worst),
		panel("standard deviation", std, slices.Min(std), slices.Max(std)),
	}
	return f
}
