package plot

import (
	"math"
	"slices"
)

func (d drawing) series(s Series, xs, ys scale) {
	p := pen{tone: s.Tone, width: 1.8, sign: s.Kind.sign(s.Tone)}
	if s.Kind == Across {
		d.across(s, xs, ys)
		return
	}
	drawn := s.runs(xs, ys, d.h)
	switch s.Kind {
	case Dots, Crosses, Rings, Stars, Rug:
		at := line{x: each(drawn, func(r line, k int) float64 { return r.x[k] }),
			y: each(drawn, func(r line, k int) float64 { return r.y[k] })}
		if len(at.x) > 0 {
			d.marks(s.Kind, at, s.Tone, s.owners(each(drawn, func(r line, k int) int { return r.of[k] })))
		}
	case Strips:
		p.tone, p.opacity = Grey, 0.22
		d.fill(each(drawn, func(r line, k int) line { return rectangle(r.low[k], 0, r.x[k], d.h) }), p)
	case Bars:
		p.width, p.opacity = 1.6, 0.7
		d.stroke(each(drawn, func(r line, k int) line {
			return line{x: []float64{r.x[k], r.x[k]}, y: []float64{r.low[k], r.y[k]}}
		}), p)
	case Rows:
		p.width, p.opacity = 2*min(11, math.Abs(ys.at(1.36)-ys.at(1))), 0.85
		p.owners = s.owners(each(drawn, func(r line, k int) int { return r.of[k] }))
		d.stroke(each(drawn, func(r line, k int) line {
			return line{x: []float64{r.low[k], max(r.x[k], r.low[k]+1)}, y: []float64{r.y[k], r.y[k]}}
		}), p)
	case Band:
		p.opacity = 0.18
		for _, r := range drawn {
			back, low := slices.Clone(r.x), slices.Clone(r.low)
			slices.Reverse(back)
			slices.Reverse(low)
			d.fill([]line{{x: slices.Concat(r.x, back), y: slices.Concat(r.y, low)}}, p)
		}
	case Stairs:
		p.width = 2
		for _, r := range drawn {
			d.stroke([]line{r.stairs()}, p)
		}
	default:
		if s.Kind == Dashed {
			p.dashes = "6 4"
		}
		p.owners = owners{s.Trials[:min(1, len(s.Trials))], s.Tips[:min(1, len(s.Tips))]}
		for _, r := range drawn {
			d.stroke([]line{r}, p)
		}
	}
}

// across draws broken lines from edge to edge.
func (d drawing) across(s Series, xs, ys scale) {
	var lines []line
	for _, v := range s.X {
		if x := xs.at(v); !bad(x) {
			lines = append(lines, line{x: []float64{x, x}, y: []float64{0, d.h}})
		}
	}
	for _, v := range s.Y {
		if y := ys.at(v); !bad(y) {
			lines = append(lines, line{x: []float64{0, d.w}, y: []float64{y, y}})
		}
	}
	d.stroke(lines, pen{tone: s.Tone, width: 1.8, dashes: "6 4"})
}

func (s Series) owners(of []int) (who owners) {
	for _, k := range of {
		if s.Trials != nil {
			who.trials = append(who.trials, part(s.Trials, k))
		}
		if s.Tips != nil {
			who.tips = append(who.tips, part(s.Tips, k))
		}
	}
	return who
}

// each makes something of every point of lines.
func each[T any](lines []line, of func(r line, k int) T) (out []T) {
	for _, r := range lines {
		for k := range r.x {
			out = append(out, of(r, k))
		}
	}
	return out
}

func rectangle(x1, y1, x2, y2 float64) line {
	return line{x: []float64{x1, x2, x2, x1}, y: []float64{y1, y1, y2, y2}}
}

func bad(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// runs cuts a series at points that cannot be drawn; bottom is the lower edge.
func (s Series) runs(xs, ys scale, bottom float64) []line {
	var out []line
	open := false
	for k := range s.X {
		x, y, low := xs.at(s.X[k]), bottom, 0.0
		if s.Kind != Rug && s.Kind != Strips {
			y = ys.at(s.Y[k])
		}
		switch s.Kind {
		case Band, Bars:
			low = ys.at(s.Low[k])
		case Rows, Strips:
			low = xs.at(s.Low[k])
		}
		if bad(x + y + low) {
			open = false
			continue
		}
		if !open {
			out, open = append(out, line{}), true
		}
		r := &out[len(out)-1]
		r.x, r.y, r.low, r.of = append(r.x, x), append(r.y, y), append(r.low, low), append(r.of, k)
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
