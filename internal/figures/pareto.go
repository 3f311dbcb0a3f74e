package figures

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/pareto"
	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/study"
)

// Pareto shows the trials of several objectives by every pair of these: the front (with more than two objectives that
// of the pair alone), the dominated trials faint, trials against a constraint hollow, pending ones where they are
// expected, and reference point and targets as lines. Where values are noisy the front is that of board (else nil),
// drawn at the posterior means of its trials, and at the measured values as well. expected has, by number of a pending
// trial, an estimate for each objective.
func Pareto(s Source, expected map[int][]study.Estimate, board *study.Leaderboard) plot.Figure {
	m, f := len(s.Study.Objectives), plot.Figure{Title: s.title("front")}
	c := s.clouds()
	for y := 1; y < m; y++ {
		for x := range y {
			if p := s.pair(x, y, c, expected, board); len(p.Series) > 0 {
				f.Panels = append(f.Panels, p)
			}
		}
	}
	if m > 2 {
		f.Note = "Every pair of objectives with a front of its own: a trial that another one beats in both may be on the " +
			"front of all."
		f.Columns, f.Width, f.Height = min(m-1, 3), 380, 320
	}
	return f
}

// The clouds are the measured trials that every panel shows: dominated ones, ones that violate a constraint, and the
// front.
type clouds struct {
	in     *study.Standing
	trials [3][]*study.Trial
	series [3]plot.Series // without their places
}

func (s Source) clouds() (c clouds) {
	c.series = [3]plot.Series{
		{Kind: plot.Dots, Tone: plot.Grey, Label: "dominated"},
		{Kind: plot.Rings, Tone: 3, Label: "violates a constraint"},
		{Kind: plot.Dots, Tone: 0, Label: "front"},
	}
	c.in = s.standing()
	on, shown := s.onFront(), s.sample(&c.series[0], &c.series[1])
	for k := range s.Trials {
		t, of := &s.Trials[k], 0
		if _, ok := s.value(t); !ok {
			continue
		}
		if _, ok := on[t.Number]; !s.Study.Feasible(t) {
			of = 1
		} else if ok {
			of = 2
		}
		if of == 2 || shown(k) {
			c.trials[of] = append(c.trials[of], t)
			s.add(&c.series[of], 0, 0, t)
		}
	}
	return c
}

// pair is the panel of objectives x and y.
func (s Source) pair(x, y int, c clouds, awaited map[int][]study.Estimate, board *study.Leaderboard) plot.Panel {
	obx, oby := s.Study.Objectives[x], s.Study.Objectives[y]
	for k, trials := range c.trials {
		c.series[k].X = lists.Of(trials, func(t *study.Trial) float64 { return t.Values.Of(obx.Name) })
		c.series[k].Y = lists.Of(trials, func(t *study.Trial) float64 { return t.Values.Of(oby.Name) })
	}
	dominated, hollow, best := c.series[0], c.series[1], c.series[2]
	expected := plot.Series{Kind: plot.Crosses, Tone: 1, Label: "pending, as expected"}
	trusted := plot.Series{Kind: plot.Crosses, Tone: 0, Label: "the front's trials, by posterior means"}
	bars, trustedBars := plot.Series{Kind: plot.Line, Tone: 1}, plot.Series{Kind: plot.Line, Tone: 0}
	estimate := func(to, bars *plot.Series, ex, ey study.Estimate, t *study.Trial) {
		gap := math.NaN()
		s.add(to, ex.Mean, ey.Mean, t)
		bars.X = append(bars.X, ex.Mean-ex.Std, ex.Mean+ex.Std, gap, ex.Mean, ex.Mean, gap)
		bars.Y = append(bars.Y, ey.Mean, ey.Mean, gap, ey.Mean-ey.Std, ey.Mean+ey.Std, gap)
	}
	var vectors [][]float64
	if board == nil {
		vectors = lists.Of(c.in.Vectors, func(v []float64) []float64 { return []float64{v[x], v[y]} })
	} else {
		for k := range board.Leaders {
			l, v := &board.Leaders[k], board.Front.Vectors[k]
			estimate(&trusted, &trustedBars, l.Expected(obx.Name), l.Expected(oby.Name), l.Trial)
			vectors = append(vectors, []float64{v[x], v[y]})
		}
	}
	for k := range s.Trials {
		if e, ok := awaited[s.Trials[k].Number]; ok {
			estimate(&expected, &bars, e[x], e[y], &s.Trials[k])
		}
	}
	p := plot.Panel{X: plot.Axis{Label: axisLabel(obx)}, Y: plot.Axis{Label: axisLabel(oby)}}
	p.Series = drawn(staircase(vectors, obx, oby), dominated, hollow, best, bars, trustedBars, expected, trusted)
	for k, a := range []*plot.Axis{&p.X, &p.Y} {
		along := func(q plot.Series) []float64 { return [][]float64{q.X, q.Y}[k] }
		front := slices.Concat(along(best), along(trusted))
		all := lists.Of(p.Series, along)
		s.window(a, []study.Objective{obx, oby}[k], slices.Concat(along(dominated), along(hollow), front), front, nil,
			all...)
	}
	cross := func(label string, tone plot.Tone, vx, vy *float64) plot.Series {
		line := plot.Series{Kind: plot.Across, Tone: tone, Label: label}
		for k, v := range []*float64{vx, vy} {
			if a := []plot.Axis{p.X, p.Y}[k]; v != nil && !(a.Low < a.High && (*v < a.Low || *v > a.High)) {
				to := []*[]float64{&line.X, &line.Y}[k]
				*to = append(*to, *v)
			}
		}
		return line
	}
	if len(p.Series) == 0 {
		return p
	}
	if whole := c.in.Front(); whole != nil {
		p.Series = append(p.Series, drawn(cross("reference point", plot.Grey, &whole.Reference[x], &whole.Reference[y]))...)
	}
	p.Series = append(p.Series, drawn(cross("target", 2, obx.Target, oby.Target))...)
	return p
}

func axisLabel(ob study.Objective) string {
	if ob.Direction == study.Maximize {
		return ob.Name + " (more is better)"
	}
	return ob.Name
}

// staircase is the edge of the dominated region in two objectives.
func staircase(vectors [][]float64, x, y study.Objective) plot.Series {
	front := lists.Of(pareto.Front(vectors), func(i int) []float64 { return vectors[i] })
	slices.SortFunc(front, slices.Compare[[]float64])
	s := plot.Series{Kind: plot.Line, Tone: 0}
	add := func(a, b float64) {
		s.X, s.Y = append(s.X, x.Direction.Sign()*a), append(s.Y, y.Direction.Sign()*b)
	}
	for k, v := range front {
		if k > 0 {
			add(v[0], front[k-1][1])
		}
		add(v[0], v[1])
	}
	return s
}

// Hypervolume shows the normalised hypervolume after every complete trial, with one reference point throughout: that of
// all trials. Where values are noisy it is that of the trials' posterior means as they are now, so that it ends with
// the front that is shown. The bottom axis is that of Convergence.
func Hypervolume(s Source, along string) plot.Figure {
	line := plot.Series{Kind: plot.Stairs, Tone: 0}
	axis, trials, x := s.along(along)
	var complete []*study.Trial
	for k, t := range trials {
		if t.State == study.Complete {
			complete, line.X = append(complete, t), append(line.X, x[k])
		}
	}
	in, f := s.standing(), plot.Figure{Title: s.title("hypervolume"), Height: 340}
	front := in.Front()
	if front == nil {
		return f
	}
	line.Y = in.Growth(complete)
	f.Note = fmt.Sprintf("Up to %s; 1 would be the best values of every objective in one trial.",
		report.NewHypervolume(s.Study, front).ReferenceWords(s.Study)) + s.byMeans()
	f.Panels = []plot.Panel{{X: axis, Y: plot.Axis{Label: "normalised hypervolume", Low: 0, High: 1},
		Series: []plot.Series{line}}}
	return f
}
