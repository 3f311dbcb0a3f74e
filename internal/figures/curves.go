package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bohier/internal/plot"
	"bohier/internal/policy"
	"bohier/internal/report"
	"bohier/internal/study"
)

// progress is a trial's curve or, of folds and repeats, the mean of the first ones.
func (s Source) progress(t *study.Trial) (resource, value []float64) {
	f, name, course := &s.Study.Fidelity, s.Study.Objective().Name, t.Course
	add := func(r float64, o study.Observation) {
		if v, ok := o.Values.Get(name); ok {
			resource, value = append(resource, r), append(value, v)
		}
	}
	switch {
	case course == nil:
	case f.Averaged():
		for n := 1; n <= int(f.Resource(course)); n++ {
			o, _ := f.Mean(course, n)
			add(float64(n), o)
		}
	default:
		for _, point := range course.Points {
			add(point.Resource, point.Observation)
		}
	}
	return resource, value
}

// Curves shows a line for each trial by resource: complete ones in colour, waiting and running ones dashed, ended ones
// grey; the levels as rules, and the best as a star. It has no panels where no trial has a value.
func Curves(s Source) plot.Figure {
	f := plot.Figure{Title: s.title("learning curves"), Height: 380}
	stopped := plot.Series{Kind: plot.Line, Tone: plot.Grey, Label: "stopped"}
	open := plot.Series{Kind: plot.Dashed, Tone: 1, Label: "paused or running"}
	complete := plot.Series{Kind: plot.Line, Tone: 0, Label: "complete"}
	ends := plot.Series{Kind: plot.Dots, Tone: plot.Grey}
	star := plot.Series{Kind: plot.Stars, Tone: 0}
	best, fid, shown := s.Incumbent(nil), &s.Study.Fidelity, s.sample(&stopped, &open, &complete)
	for i := range s.Trials {
		t := &s.Trials[i]
		if t != best && !shown(i) {
			continue
		}
		resource, value := s.progress(t)
		if len(value) == 0 {
			continue
		}
		list := &stopped
		switch t.State {
		case study.Complete:
			list = &complete
		case study.Paused, study.Pending:
			list = &open
		}
		list.X, list.Y = append(append(list.X, resource...), math.NaN()), append(append(list.Y, value...), math.NaN())
		r, v := resource[len(value)-1], value[len(value)-1]
		at := fmt.Sprintf("%s at %s %s", report.Rounded(v), fid.Name, report.Number(r))
		s.add(&ends, r, v, t, at)
		if t == best {
			s.add(&star, r, v, t, at)
		}
	}
	if len(ends.X) == 0 {
		return f
	}
	levels := plot.Series{Kind: plot.Across, Tone: plot.Grey, Label: "levels", X: slices.Clone(fid.Levels)}
	panel := plot.Panel{X: plot.Axis{Label: fid.Name, Log: fid.High() >= 20*fid.Low()},
		Y: plot.Axis{Label: s.Study.Objective().Name}}
	s.window(&panel.Y, s.Study.Objective(), slices.Concat(complete.Y, stopped.Y, open.Y), nil, star.Y,
		stopped.Y, open.Y, complete.Y, ends.Y, star.Y)
	panel.Series = drawn(levels, stopped, open, complete, ends, star)
	f.Panels, f.Note = []plot.Panel{panel}, s.shares()
	return f
}

// shares lists the shares of the units by the level at which trials ended.
func (s Source) shares() string {
	f, shares := &s.Study.Fidelity, policy.Shares(s.Study, s.Trials)
	if slices.Max(shares) == 0 {
		return ""
	}
	text := "Share of the " + f.Name + " that went to trials which got as far as"
	for k, share := range shares {
		text += " " + report.Number(f.Levels[k]) + ": " + report.Percent(share)
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
