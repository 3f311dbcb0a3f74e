package figures

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/lists"
	"bohier/internal/plot"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A Place is a configuration along whose parameters a slice or contour runs.
type Place struct {
	At    space.Configuration
	Trial *study.Trial // whose configuration it is; nil: values were changed
	Words string       // where that is, in a sentence
}

// Slice shows the posterior along parameter i with all others as at a place, where i is active, and the observed
// trials, which lie elsewhere in the other parameters. Where a value of i activates a parameter that is inactive there,
// it takes its default, or the middle of its range. Where the surrogate expects outcomes to violate a constraint, or
// the space forbids the value, is hatched.
func Slice(s Source, i int, place Place) plot.Figure {
	st, at := s.Study, place.At
	panel := plot.Panel{X: s.axis(i), Y: plot.Axis{Label: st.Objective().Name}}
	numeric := panel.X.Names == nil
	values := grid(st.Space, i, 200)
	var x []float64
	var confs []space.Configuration
	allowed := make([]bool, len(values))
	for k, v := range values {
		if c, ok := moved(st.Space, at, i, v); ok {
			x, confs, allowed[k] = append(x, v), append(confs, c), true
		}
	}
	mean, std, _ := s.Surrogate(confs)
	around := func(by float64) []float64 { return floats.AddScaledTo(make([]float64, len(x)), mean, by, std) }
	wide := plot.Series{Kind: plot.Band, X: x, Y: around(2), Low: around(-2)}
	band := plot.Series{Kind: plot.Band, Label: "± 1 and 2 std", X: x, Y: around(1), Low: around(-1)}
	line := plot.Series{Kind: plot.Line, Label: "posterior mean", X: x, Y: mean}
	if !numeric { // beside the observed values, not on them
		wide.Kind, band.Kind, line.Kind = plot.Bars, plot.Bars, plot.Dots
		beside := slices.Clone(x)
		floats.AddConst(0.14, beside)
		line.X, band.X, wide.X = beside, beside, beside
	}
	seen := plot.Series{Kind: plot.Dots, Tone: plot.Grey, Label: "observed"}
	shown := s.sample(&seen)
	for k := range s.Trials {
		t := &s.Trials[k]
		if v, ok := s.value(t); ok && t.Config.Active[i] && shown(k) {
			s.add(&seen, t.Config.Value[i], v, t)
		}
	}
	star := plot.Series{Kind: plot.Stars, Tone: 1, Label: "incumbent"}
	if t := place.Trial; t != nil {
		e, _ := s.standing().Of(t)
		s.add(&star, at.Value[i], e.Mean, t)
	}
	s.window(&panel.Y, st.Objective(), seen.Y, nil, append(around(-1), around(0)...),
		seen.Y, wide.Y, wide.Low, band.Y, band.Low, star.Y)
	panel.Series = drawn(s.refused(values, allowed, confs, panel.X), wide, band, seen, line, star)
	return plot.Figure{Title: s.title("along " + st.Space.Param(i).Name), Note: place.Words, Height: 340,
		Panels: []plot.Panel{panel}}
}

// refused are the strips of an axis where a value is not allowed, or outcomes probably violate a constraint.
func (s Source) refused(values []float64, allowed []bool, confs []space.Configuration, a plot.Axis) plot.Series {
	out := plot.Series{Kind: plot.Strips, Tone: plot.Grey, Label: "not allowed"}
	var p []float64
	if s.Feasible != nil {
		out.Label = s.refusal()
		p = s.Feasible(confs)
	}
	low, high := a.Low, a.High
	if a.Names != nil {
		low, high = -0.5, float64(len(a.Names))-0.5
	}
	edge := func(k int) float64 { // of value k and the one before
		switch {
		case k == 0:
			return low
		case k == len(values):
			return high
		case a.Log:
			return math.Sqrt(values[k-1]) * math.Sqrt(values[k])
		}
		return values[k-1] + (values[k]-values[k-1])/2
	}
	n := 0 // of the allowed values so far
	for k := range values {
		if allowed[k] {
			if n++; p == nil || p[n-1] >= 0.5 {
				continue
			}
		}
		if last := len(out.X) - 1; last >= 0 && out.X[last] == edge(k) {
			out.X[last] = edge(k + 1)
			continue
		}
		out.Low, out.X = append(out.Low, edge(k)), append(out.X, edge(k+1))
	}
	return out
}

// refusal reports why Feasible doubts.
func (s Source) refusal() string {
	if len(s.Study.Constraints) > 0 {
		return "probably violates a constraint"
	}
	return "probably fails"
}

// grid is values of a parameter from low to high, at most so many steps, evenly
// spaced on its axis: all of them if there are few, and up to 201 of a choice.
func grid(s *space.Space, i, most int) (out []float64) {
	at := func(share float64) float64 { return s.NumberAt(i, share) }
	if p := s.Param(i); p.Choice() {
		last := len(p.Values) - 1
		most, at = min(last, 200), func(share float64) float64 { return math.Round(share * float64(last)) }
	}
	for k := range most + 1 {
		if v := at(float64(k) / float64(max(most, 1))); len(out) == 0 || v > out[len(out)-1] {
			out = append(out, v)
		}
	}
	return out
}

// moved is configuration c with parameter i at v; not ok where that is not allowed.
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
		case p.IsNumber():
			next.Value[k] = s.NumberAt(k, 0.5)
		default:
			next.Value[k] = float64((len(p.Values) - 1) / 2)
		}
	}
	s.Activate(&next)
	return next, s.Allows(next) && next.Active[i]
}

// over are the allowed configurations with parameters i and j at the values x and y, and their rows and columns.
func over(s *space.Space, at space.Configuration, i, j int, x, y []float64) (confs []space.Configuration,
	cells [][2]int) {
	for row := range y {
		for column := range x {
			first, ok := moved(s, at, i, x[column])
			if !ok && s.Conditional(i) { // j may activate i
				first = at
			}
			c, ok := moved(s, first, j, y[row])
			if ok && c.Value[i] != x[column] {
				c, ok = moved(s, c, i, x[column])
			}
			if ok && c.Active[i] && c.Active[j] {
				confs, cells = append(confs, c), append(cells, [2]int{row, column})
			}
		}
	}
	return confs, cells
}

// PlaceFor is where to cut along parameters: at the incumbent, in the branch where they and the fixed ones are active,
// with the fixed values. ok is false where no complete trial is in such a branch and the fixed values lead to none.
func (s Source) PlaceFor(along []int, fixed space.Assignment) (Place, bool) {
	exact := true
	fits := func(t *study.Trial) bool {
		for i, v := range fixed {
			if !t.Config.Active[i] || exact && t.Config.Value[i] != v {
				return false
			}
		}
		return !slices.ContainsFunc(along, func(i int) bool { return !t.Config.Active[i] })
	}
	t := s.Incumbent(fits)
	if t == nil {
		exact = false
		t = s.Incumbent(fits)
	}
	if t == nil {
		return Place{}, false
	}
	place := Place{At: t.Config, Trial: t, Words: "The other parameters as in the incumbent, trial " + t.ID() + "."}
	if best := s.Incumbent(nil); best != nil && best.Number != t.Number {
		place.Words = fmt.Sprintf("The other parameters as in trial %s, the best of its branch; the incumbent is trial %s.",
			t.ID(), best.ID())
	}
	if exact {
		return place, true
	}
	for _, i := range s.Study.Space.Order() {
		if v, ok := fixed[i]; ok {
			if place.At, ok = moved(s.Study.Space, place.At, i, v); !ok {
				return Place{}, false
			}
		}
	}
	place.Trial, place.Words = nil, "The other parameters as in trial "+t.ID()+", but for the fixed values."
	return place, !slices.ContainsFunc(along, func(i int) bool { return !place.At.Active[i] })
}

// Contour shows the posterior mean over two parameters with all others as at a
// place, and beside it how uncertain that is. Dots are the observed trials in which
// both are active; a veil covers where outcomes probably violate a constraint.
func Contour(s Source, i, j int, place Place) plot.Figure {
	st := s.Study
	const steps = 32
	x, y := grid(st.Space, i, steps), grid(st.Space, j, steps)
	confs, cells := over(st.Space, place.At, i, j, x, y)
	f := plot.Figure{
		Title: s.title(st.Space.Param(i).Name + " and " + st.Space.Param(j).Name), Note: place.Words,
		Columns: 2, Width: 460, Height: 440,
	}
	if len(confs) == 0 {
		return f
	}
	spread := func(values []float64) [][]float64 { // over the grid
		out := lists.Make(len(y), func(int) []float64 { return slices.Repeat([]float64{math.NaN()}, len(x)) })
		for k, at := range cells {
			out[at[0]][at[1]] = values[k]
		}
		return out
	}
	mean, std, _ := s.Surrogate(confs)
	best, worst, sign := slices.Min(mean), slices.Max(mean), s.sign()
	if sign < 0 {
		best, worst = worst, best
	}
	var veil [][]float64
	if s.Feasible != nil {
		veil = spread(lists.Of(s.Feasible(confs), func(p float64) float64 { return 1 - p }))
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
		mean, best, worst = lists.Of(mean, log), log(best), log(worst)
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
