package plot

import (
	"math"
	"slices"
)

// series draws one series in the rectangle of the drawing.
func (d drawing) series(s Series, xs, ys scale) {
	sign := s.Kind.sign(s.Tone)
	switch s.Kind {
	case Dots, Crosses, Rings, Stars, Rug:
		d.points(s, xs, ys)
		return
	case Rows:
		d.rows(s, xs, ys)
		return
	case Strips:
		var areas []line
		for k := range s.X {
			if a, b := xs.at(s.Low[k]), xs.at(s.X[k]); !bad(a + b) {
				areas = append(areas, rectangle(a, 0, b, d.h))
			}
		}
		d.fill(areas, pen{tone: Grey, opacity: 0.22, sign: sign})
		return
	case Bars:
		var bars []line
		for k := range s.X {
			if x, y, low := xs.at(s.X[k]), ys.at(s.Y[k]), ys.at(s.Low[k]); !bad(x + y + low) {
				bars = append(bars, line{x: []float64{x, x}, y: []float64{low, y}})
			}
		}
		d.stroke(bars, pen{tone: s.Tone, width: 1.6, opacity: 0.7, sign: sign})
		return
	}
	for _, r := range runs(s, xs, ys) {
		switch s.Kind {
		case Band:
			back := slices.Clone(r.x)
			slices.Reverse(back)
			low := slices.Clone(r.low)
			slices.Reverse(low)
			d.fill([]line{{x: slices.Concat(r.x, back), y: slices.Concat(r.y, low)}},
				pen{tone: s.Tone, opacity: 0.18, sign: sign})
		case Stairs:
			d.stroke([]line{r.stairs()}, pen{tone: s.Tone, width: 2, sign: sign})
		default:
			dashes := map[Kind]string{Dashed: "6 4"}[s.Kind]
			d.stroke([]line{r}, pen{tone: s.Tone, width: 1.8, dashes: dashes, sign: sign, owners: s.whole()})
		}
	}
}

// whole are the owners of a line: its first trial and tip.
func (s Series) whole() owners {
	return owners{s.Trials[:min(1, len(s.Trials))], s.Tips[:min(1, len(s.Tips))]}
}

// points draws the points of a series, those of one tone together.
func (d drawing) points(s Series, xs, ys scale) {
	byTone := map[Tone]*struct {
		at  line
		who owners
	}{}
	var order []Tone
	for k := range s.X {
		y := d.h
		if s.Kind != Rug {
			y = ys.at(s.Y[k])
		}
		x := xs.at(s.X[k])
		if bad(x + y) {
			continue
		}
		tone := s.Tone
		if s.Shade != nil {
			tone = shade(part(s.Shade, k))
		}
		g := byTone[tone]
		if g == nil {
			g = &struct {
				at  line
				who owners
			}{}
			byTone[tone] = g
			order = append(order, tone)
		}
		g.at.x, g.at.y = append(g.at.x, x), append(g.at.y, y)
		if s.Trials != nil {
			g.who.trials = append(g.who.trials, part(s.Trials, k))
		}
		if s.Tips != nil {
			g.who.tips = append(g.who.tips, part(s.Tips, k))
		}
	}
	slices.SortFunc(order, func(a, b Tone) int { return int(b - a) }) // the best in front
	for _, tone := range order {
		d.marks(s.Kind, byTone[tone].at, tone, byTone[tone].who)
	}
}

// rows draws horizontal bars.
func (d drawing) rows(s Series, xs, ys scale) {
	half := 11.0
	if room := math.Abs(ys.at(1.36) - ys.at(1)); room < half {
		half = room
	}
	var bars []line
	who := owners{}
	for k := range s.X {
		a, b, y := xs.at(s.Low[k]), xs.at(s.X[k]), ys.at(s.Y[k])
		if bad(a + b + y) {
			continue
		}
		bars = append(bars, line{x: []float64{a, max(b, a+1)}, y: []float64{y, y}})
		if s.Trials != nil {
			who.trials = append(who.trials, part(s.Trials, k))
		}
		if s.Tips != nil {
			who.tips = append(who.tips, part(s.Tips, k))
		}
	}
	d.stroke(bars, pen{tone: s.Tone, width: 2 * half, opacity: 0.85, sign: s.Kind.sign(s.Tone),
		owners: who})
}

func rectangle(x1, y1, x2, y2 float64) line {
	return line{x: []float64{x1, x2, x2, x1}, y: []float64{y1, y1, y2, y2}}
}

func bad(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// runs cuts a series at what cannot be drawn.
func runs(s Series, xs, ys scale) []line {
	var out []line
	open := false
	for k := range s.X {
		x, y, low := xs.at(s.X[k]), ys.at(s.Y[k]), 0.0
		if s.Kind == Band || s.Kind == Bars {
			low = ys.at(s.Low[k])
		}
		if bad(x + y + low) {
			open = false
			continue
		}
		if !open {
			out, open = append(out, line{}), true
		}
		r := &out[len(out)-1]
		r.x, r.y, r.low = append(r.x, x), append(r.y, y), append(r.low, low)
	}
	return out
}

// stairs is the run with a corner before each change.
func (r line) stairs() line {
	var out line
	for k := range r.x {
		if k > 0 && k+1 < len(r.x) && r.y[k] == r.y[k-1] {
			continue // on the way to the next change
		}
		if k > 0 {
			out.x, out.y = append(out.x, r.x[k]), append(out.y, r.y[k-1])
		}
		out.x, out.y = append(out.x, r.x[k]), append(out.y, r.y[k])
	}
	return out
}
