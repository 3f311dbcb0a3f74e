package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bohier/internal/fidelity"
	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/study"
)

// A progress is the results of a trial by resource.
type progress struct {
	resource, value []float64
}

// progressOf is a trial's curve or, of folds and repeats, the mean of the first ones.
func (s Source) progressOf(t *study.Trial) (p progress) {
	f, name := &s.Study.Fidelity, s.Study.Objective().Name
	add := func(r float64, o study.Observation) {
		if v, ok := o.Values.Get(name); ok {
			p.resource, p.value = append(p.resource, r), append(p.value, v)
		}
	}
	if t.Course == nil {
		return p
	}
	if f.Averaged() {
		for n := 1; n <= int(f.Resource(t.Course)); n++ {
			o, _ := f.Mean(t.Course, n)
			add(float64(n), o)
		}
		return p
	}
	for _, point := range t.Course.Points {
		add(point.Resource, point.Observation)
	}
	return p
}

// Curves shows a line for each trial by resource: complete ones in colour, waiting and running
// ones dashed, ended ones grey; the levels as rules, and the best as a star. It has no panels
// where no trial has a value.
func Curves(s Source) plot.Figure {
	f := plot.Figure{Title: s.title("learning curves"), Height: 380}
	if !s.Study.Fidelity.Early() {
		return f
	}
	stopped := points{plot.Series{Kind: plot.Line, Tone: plot.Grey, Label: "stopped"}}
	open := points{plot.Series{Kind: plot.Dashed, Tone: 1, Label: "paused or running"}}
	complete := points{plot.Series{Kind: plot.Line, Tone: 0, Label: "complete"}}
	ends := points{plot.Series{Kind: plot.Dots, Tone: plot.Grey}}
	star := points{plot.Series{Kind: plot.Stars, Tone: 0}}
	best := s.Incumbent(nil)
	low, high := math.Inf(1), math.Inf(-1)
	for i := range s.Trials {
		t := &s.Trials[i]
		p := s.progressOf(t)
		if len(p.value) == 0 {
			continue
		}
		list := &stopped
		switch t.State {
		case study.Complete:
			list = &complete
		case study.Paused, study.Pending:
			list = &open
		}
		for k, v := range p.value {
			list.X, list.Y = append(list.X, p.resource[k]), append(list.Y, v)
			low, high = min(low, v), max(high, v)
		}
		list.X, list.Y = append(list.X, math.NaN()), append(list.Y, math.NaN())
		end := len(p.value) - 1
		tip := fmt.Sprintf("%s\n%s at %s %s", s.tip(t), report.Rounded(p.value[end]), s.Study.Fidelity.Name,
			report.Number(p.resource[end]))
		ends.add(p.resource[end], p.value[end], t, tip)
		if t == best {
			star.add(p.resource[end], p.value[end], t, tip)
		}
	}
	if math.IsInf(low, 1) {
		return f
	}
	rules := points{plot.Series{Kind: plot.Dashed, Tone: plot.Grey, Label: "levels"}}
	for _, r := range s.Study.Fidelity.Levels {
		rules.X, rules.Y = append(rules.X, r, r, math.NaN()), append(rules.Y, low, high, math.NaN())
	}
	axis := plot.Axis{Label: s.Study.Fidelity.Name, Log: s.Study.Fidelity.High() >= 20*s.Study.Fidelity.Low()}
	panel := plot.Panel{X: axis, Y: plot.Axis{Label: s.Study.Objective().Name}}
	if s.window(&panel.Y, s.Study.Objective().Direction.Sign(), slices.Concat(complete.Y, stopped.Y, open.Y), nil,
		star.Y) {
		panel.Y.Label += edge
		clip(panel.Y, rules.Y, stopped.Y, open.Y, complete.Y, ends.Y, star.Y)
	}
	panel.Series = some(panel.Series, rules, stopped, open, complete, ends, star)
	f.Panels, f.Note = []plot.Panel{panel}, s.shares()
	return f
}

// shares says what part of the units went to trials that ended at which level.
func (s Source) shares() string {
	f, shares := &s.Study.Fidelity, fidelity.Shares(s.Study, s.Trials)
	if slices.Max(shares) == 0 {
		return ""
	}
	text := "Share of the " + f.Name + " that went to trials which got as far as"
	for k, share := range shares {
		text += fmt.Sprintf(" %s: %.0f %%", report.Number(f.Levels[k]), 100*share)
		if k < f.Top() {
			text += ","
		}
	}
	return text + "."
}

// spentAt is the units that had been spent when each trial became complete, by number.
func (s Source) spentAt() map[int]float64 {
	f := &s.Study.Fidelity
	type step struct {
		seq, trial, leg int
		to              float64
	}
	var steps []step
	for i := range s.Trials {
		if c := s.Trials[i].Course; c != nil {
			for _, p := range c.Points {
				steps = append(steps, step{p.Seq, i, p.Leg, p.Resource})
			}
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Or(cmp.Compare(a.seq, b.seq), cmp.Compare(a.to, b.to)) })
	reached, spent, out := map[[2]int]float64{}, 0.0, map[int]float64{}
	for _, p := range steps {
		c, key := s.Trials[p.trial].Course, [2]int{p.trial, p.leg}
		if p.leg >= 1 && p.leg <= len(c.Legs) {
			from := c.Legs[p.leg-1].From
			if now := f.Charge(from, p.to); now > reached[key] {
				spent += now - reached[key]
				reached[key] = now
			}
		}
		if p.to >= f.High() || f.Averaged() {
			out[s.Trials[p.trial].Number] = spent
		}
	}
	return out
}
