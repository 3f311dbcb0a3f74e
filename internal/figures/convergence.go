package figures

import (
	"cmp"
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/plot"
	"bohier/internal/study"
)

// along is the quantity along the bottom: the numbers of trials or, for "cost" and "resource", the amount spent until
// each was complete; then the trials are in that order.
func (s Source) along(what string) (a plot.Axis, trials []*study.Trial, x []float64) {
	trials, a = study.Pointers(s.Trials), plot.Axis{Label: "trial", Whole: true}
	at := func(t *study.Trial) float64 { return float64(t.Number) }
	switch what {
	case "cost":
		spent := 0.0
		at = func(t *study.Trial) float64 {
			if t.Cost != nil {
				spent += *t.Cost
			}
			return spent
		}
		a = plot.Axis{Label: "cost so far"}
	case "resource":
		units := s.spentAt()
		slices.SortStableFunc(trials, func(a, b *study.Trial) int { return cmp.Compare(units[a.Number], units[b.Number]) })
		at, a = func(t *study.Trial) float64 { return units[t.Number] }, plot.Axis{Label: s.Study.Fidelity.Name + " so far"}
	}
	return a, trials, lists.Of(trials, at)
}

// Convergence shows the value of every complete trial and the best so far along "trial", "cost" or
// "resource". Only trials that count can be the best. Where the best value may be luck it shows
// the leader among the trials so far instead, as the surrogate sees it now, ± its standard
// deviation. Failed trials are ticks at the lower edge. It has no panels where no trial has a value.
func Convergence(s Source, along string) plot.Figure {
	seen := plot.Series{Kind: plot.Dots, Tone: plot.Grey, Label: "observed"}
	out := plot.Series{Kind: plot.Crosses, Tone: 3, Label: "violates a constraint"}
	failed := plot.Series{Kind: plot.Rug, Tone: 1, Label: "failed"}
	best := plot.Series{Kind: plot.Stairs, Tone: 0, Label: "best so far"}
	band := plot.Series{Kind: plot.Band, Tone: 0, Label: "± 1 std"}
	target := plot.Series{Kind: plot.Across, Tone: 2, Label: "target"}
	var star plot.Series
	in := s.standing()
	if in.Believed() {
		best.Label = "leader so far"
	}
	last := study.Estimate{Mean: math.NaN()}
	axis, trials, x := s.along(along)
	shown := s.sample(&seen, &out, &failed)
	for i, t := range trials {
		v, ok := s.value(t)
		list := &seen
		switch {
		case t.State == study.Failed:
			list, v = &failed, 0
		case !ok:
			continue
		case !s.Study.Counts(t):
			list = &out
		}
		if shown(i) {
			s.add(list, x[i], v, t)
		}
		e, ok := in.Of(t)
		better := math.IsNaN(last.Mean) || s.sign()*e.Mean < s.sign()*last.Mean
		if !ok || !better && !shown(i) {
			continue
		}
		if n := len(band.X); n > 0 { // the band steps as the line does
			band.X, band.Low, band.Y = append(band.X, x[i]), append(band.Low, band.Low[n-1]), append(band.Y, band.Y[n-1])
		}
		if better {
			last, star = e, plot.Series{Kind: plot.Stars, Tone: 0}
			s.add(&star, x[i], e.Mean, t)
		}
		if in.Believed() {
			band.X, band.Low = append(band.X, x[i]), append(band.Low, last.Mean-last.Std)
			band.Y = append(band.Y, last.Mean+last.Std)
		}
		best.X, best.Y = append(best.X, x[i]), append(best.Y, last.Mean)
	}
	ob, f := s.Study.Objective(), plot.Figure{Title: s.title("convergence"), Height: 340}
	if len(seen.X)+len(out.X) == 0 {
		return f
	}
	if ob.Target != nil && len(best.X) > 0 {
		target.Y = []float64{*ob.Target}
	}
	p := plot.Panel{X: axis, Y: plot.Axis{Label: ob.Name}}
	s.window(&p.Y, ob, slices.Concat(seen.Y, out.Y), nil, slices.Concat(best.Y[max(len(best.Y)-1, 0):], target.Y),
		seen.Y, out.Y, best.Y, band.Low, band.Y)
	p.Series = drawn(band, seen, out, failed, best, target, star)
	f.Panels = []plot.Panel{p}
	return f
}
