package figures

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/pareto"
	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/study"
)

// Pareto shows the trials of several objectives by every pair of these: the front (with more
// than two objectives that of the pair alone), the dominated trials faint, trials against a
// constraint hollow, pending ones where they are expected, and reference point and targets as
// lines. Where values are noisy the front is that of board (else nil), drawn where its trials
// are believed to be, and where they were measured as well. expected has, by number of a
// pending trial, an estimate for each objective.
func Pareto(s Source, expected map[int][]study.Estimate, board *study.Leaderboard) plot.Figure {
	m := len(s.Study.Objectives)
	f := plot.Figure{Title: s.title("front")}
	for y := 1; y < m; y++ {
		for x := range y {
			f.Panels = append(f.Panels, s.pair(x, y, expected, board))
		}
	}
	if m > 2 {
		f.Note = "Every pair of objectives with a front of its own: a trial that another one beats in both may be on the " +
			"front of all."
		f.Columns, f.Width, f.Height = min(m-1, 3), 380, 320
	}
	return f
}

// pair is the panel of objectives x and y.
func (s Source) pair(x, y int, awaited map[int][]study.Estimate, board *study.Leaderboard) plot.Panel {
	obx, oby := s.Study.Objectives[x], s.Study.Objectives[y]
	dominated := points{plot.Series{Kind: plot.Dots, Tone: plot.Grey, Label: "dominated"}}
	hollow := points{plot.Series{Kind: plot.Rings, Tone: 3, Label: "violates a constraint"}}
	best := points{plot.Series{Kind: plot.Dots, Tone: 0, Label: "front"}}
	expected := points{plot.Series{Kind: plot.Crosses, Tone: 1, Label: "pending, as expected"}}
	trusted := points{plot.Series{Kind: plot.Crosses, Tone: 0, Label: "the front's trials, as believed"}}
	var bars, trustedBars plot.Series
	bar := func(to *plot.Series, ex, ey study.Estimate) {
		gap := math.NaN()
		to.X = append(to.X, ex.Mean-ex.Std, ex.Mean+ex.Std, gap, ex.Mean, ex.Mean, gap)
		to.Y = append(to.Y, ey.Mean, ey.Mean, gap, ey.Mean-ey.Std, ey.Mean+ey.Std, gap)
	}
	ranks := s.standing().Ranks()
	var vectors [][]float64
	if board != nil {
		for k := range board.Leaders {
			t, v := &board.Leaders[k].Trial, board.Front.Vectors[k]
			ex, ey := board.Leaders[k].Expected(obx.Name), board.Leaders[k].Expected(oby.Name)
			trusted.add(ex.Mean, ey.Mean, t, s.tip(t))
			bar(&trustedBars, ex, ey)
			vectors = append(vectors, []float64{v[x], v[y]})
		}
	}
	for k := range s.Trials {
		t := &s.Trials[k]
		if e, ok := awaited[t.Number]; ok {
			expected.add(e[x].Mean, e[y].Mean, t, s.tip(t))
			bar(&bars, e[x], e[y])
		}
		if _, ok := s.value(t); !ok {
			continue
		}
		vx, vy := t.Values.Of(obx.Name), t.Values.Of(oby.Name)
		switch {
		case !s.Study.Feasible(t):
			hollow.add(vx, vy, t, s.tip(t))
			continue
		case ranks[t.Number] == 1:
			best.add(vx, vy, t, s.tip(t))
		default:
			dominated.add(vx, vy, t, s.tip(t))
		}
		if board == nil {
			vectors = append(vectors, []float64{obx.Direction.Sign() * vx, oby.Direction.Sign() * vy})
		}
	}
	p := plot.Panel{X: plot.Axis{Label: axisLabel(obx)}, Y: plot.Axis{Label: axisLabel(oby)}}
	if len(vectors) > 0 {
		p.Series = append(p.Series, staircase(vectors, obx, oby))
	}
	p.Series = some(p.Series, dominated, hollow, best)
	for k, b := range []plot.Series{bars, trustedBars} {
		if b.Kind, b.Tone = plot.Line, plot.Tone(1-k); len(b.X) > 0 {
			p.Series = append(p.Series, b)
		}
	}
	p.Series = some(p.Series, expected, trusted)
	for k, a := range []*plot.Axis{&p.X, &p.Y} {
		ob, along := []study.Objective{obx, oby}[k], func(q *plot.Series) []float64 { return [][]float64{q.X, q.Y}[k] }
		front := slices.Concat(along(&best.Series), along(&trusted.Series))
		if s.window(a, ob.Direction.Sign(), slices.Concat(along(&dominated.Series), along(&hollow.Series), front), front,
			nil) {
			a.Label += edge
			for j := range p.Series {
				clip(*a, along(&p.Series[j]))
			}
		}
	}
	return s.bounds(p, x, y, s.standing().Front())
}

func axisLabel(ob study.Objective) string {
	if ob.Direction == study.Maximize {
		return ob.Name + " (more is better)"
	}
	return ob.Name
}

// staircase is the edge of what is dominated in two objectives.
func staircase(vectors [][]float64, x, y study.Objective) plot.Series {
	var front [][]float64
	for _, i := range pareto.Front(vectors) {
		front = append(front, vectors[i])
	}
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

// bounds adds the reference point and the targets, as lines across what is drawn.
func (s Source) bounds(p plot.Panel, x, y int, front *study.Front) plot.Panel {
	lowX, highX, lowY, highY := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, series := range p.Series {
		for k := range series.X {
			if math.IsNaN(series.X[k]) || math.IsNaN(series.Y[k]) {
				continue // a gap
			}
			lowX, highX = min(lowX, series.X[k]), max(highX, series.X[k])
			lowY, highY = min(lowY, series.Y[k]), max(highY, series.Y[k])
		}
	}
	if !(lowX <= highX) {
		return p
	}
	cross := func(label string, tone plot.Tone, vx, vy *float64) {
		line := plot.Series{Kind: plot.Dashed, Tone: tone, Label: label}
		if vx != nil && p.X.Low < p.X.High && (*vx < p.X.Low || *vx > p.X.High) {
			vx = nil
		}
		if vy != nil && p.Y.Low < p.Y.High && (*vy < p.Y.Low || *vy > p.Y.High) {
			vy = nil
		}
		if vx != nil {
			line.X, line.Y = append(line.X, *vx, *vx), append(line.Y, lowY, highY)
		}
		if vx != nil && vy != nil {
			line.X, line.Y = append(line.X, math.NaN()), append(line.Y, math.NaN())
		}
		if vy != nil {
			line.X, line.Y = append(line.X, lowX, highX), append(line.Y, *vy, *vy)
		}
		if len(line.X) > 0 {
			p.Series = append(p.Series, line)
		}
	}
	if front != nil {
		cross("reference point", plot.Grey, &front.Reference[x], &front.Reference[y])
	}
	cross("target", 2, s.Study.Objectives[x].Target, s.Study.Objectives[y].Target)
	return p
}

// Hypervolume shows the normalised hypervolume after every complete trial, with one
// reference point throughout: that of all trials. Where values are noisy it is that of the
// trials' posterior means as they are now, so that it ends with the front that is shown.
// Along the bottom is the number of the trial, or byCost what the trials up to it have cost.
func Hypervolume(s Source, byCost bool) plot.Figure {
	line := plot.Series{Kind: plot.Stairs, Tone: 0}
	along, spent := plot.Axis{Label: "trial", Whole: true}, 0.0
	if byCost {
		along = plot.Axis{Label: "cost so far"}
	}
	var complete []*study.Trial
	for k := range s.Trials {
		t, x := &s.Trials[k], float64(s.Trials[k].Number)
		if t.Cost != nil {
			spent += *t.Cost
		}
		if byCost {
			x = spent
		}
		if t.State == study.Complete {
			complete, line.X = append(complete, t), append(line.X, x)
		}
	}
	in := s.standing()
	line.Y = in.Growth(complete)
	f := plot.Figure{Title: s.title("hypervolume"), Height: 340}
	if front := in.Front(); front != nil {
		f.Note = fmt.Sprintf("Up to %s; as a share of what the best values of every objective together would have.",
			report.NewHypervolume(s.Study, front).ReferenceWords(s.Study))
		if s.Standing != nil {
			f.Note += " " + nowBelieved
		}
	}
	f.Panels = []plot.Panel{{X: along, Y: plot.Axis{Label: "normalised hypervolume", Low: 0, High: 1},
		Series: []plot.Series{line}}}
	return f
}

// nowBelieved says what a picture of noisy objectives shows.
const nowBelieved = "Values are noisy: the front is that of the posterior means, as the surrogates see them now."
