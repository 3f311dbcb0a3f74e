package plot

import (
	"cmp"
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/text"
)

// parallel draws parallel coordinates: threads where the best are in front, dotted where an axis does not apply.
func (d drawing) parallel(p Panel) {
	q := p.Parallel
	top, bottom := d.head(p)+42, d.y+d.h-16
	n := len(q.Axes)
	if n == 0 {
		return
	}
	longest, ys := 0.0, make([]scale, n)
	for k, a := range q.Axes {
		longest = max(longest, width(a.Label)*1.1)
		lo, hi := a.extent(lists.Of(q.Threads, func(t Thread) float64 { return t.At[k] }))
		ys[k] = scale{lo, hi, bottom, top, a.Log, false}
	}
	left, right := 45.0, 45.0
	for _, t := range q.Axes[n-1].ticks(ys[n-1].lo, ys[n-1].hi, 5) {
		right = max(right, min(width(t.label)+12, 110))
	}
	room := (d.w - left - right) / float64(max(n-1, 1))
	at := func(k int) float64 { return d.x + left + room*float64(k) }
	threads := slices.Clone(q.Threads)
	rank := func(t Thread) float64 {
		if math.IsNaN(t.Shade) {
			return math.Inf(1)
		}
		return t.Shade
	}
	slices.SortStableFunc(threads, func(a, b Thread) int { return cmp.Compare(rank(b), rank(a)) }) // the best in front
	d.inside(d.x, top-6, d.w, bottom-top+12, scale{0, d.w, 0, d.w, false, false},
		scale{0, 1, bottom - top, 0, false, false}, func() {
			for _, t := range threads {
				s := Series{}
				for k := range ys {
					s.X, s.Y = append(s.X, at(k)-d.x), append(s.Y, ys[k].at(t.At[k])-top+6)
				}
				d.thread(s, t, q.Front)
			}
		})
	for k, a := range q.Axes {
		d.group("axis", func() {
			d.rule(at(k), top, at(k), bottom, soft)
			place, from := atMiddle, at(k)
			half, most, up := width(a.Label)*1.1/2, room+20, 11.0
			switch { // at the edges a long name cannot stand above the middle of its axis
			case k == 0 && half > from-d.x-4:
				place, from = atStart, d.x+8
			case k == n-1 && half > d.x+d.w-from-4:
				place, from = atEnd, d.x+d.w-8
			}
			if longest > room-12 { // names in two rows, where they would touch
				if up = 26 - 15*float64(k%2); k > 0 && k < n-1 {
					most = 2*room - 12
				}
			}
			d.text(from, top-up, place, strong, ink, text.Middle(a.Label, max(int(most/textStep), 3)))
			for _, t := range a.ticks(ys[k].lo, ys[k].hi, 5) {
				if y := ys[k].at(t.at); t.label != "" && y >= top-1 && y <= bottom+1 {
					d.rule(at(k)-3, y, at(k)+3, y, soft)
					d.text(at(k)+6, y+4, atStart, halo, ink, text.Middle(t.label, max(int(min(room-10, 100)/textStep), 2)))
				}
			}
		})
	}
}

// thread draws a thread as the series of where it meets the axes.
func (d drawing) thread(s Series, t Thread, front bool) {
	var over []line // straight lines over the gaps
	last := -1
	for k := range s.Y {
		if bad(s.Y[k]) {
			continue
		}
		if last >= 0 && k-last > 1 {
			over = append(over, line{x: []float64{s.X[last], s.X[k]}, y: []float64{s.Y[last], s.Y[k]}})
		}
		last = k
	}
	if over != nil {
		d.stroke(over, pen{tone: shade(t.Shade), width: 0.8, dashes: "1 3", opacity: 0.6, sign: ":"})
	}
	pixels := scale{0, 1, 0, 1, false, false}
	lines := s.runs(pixels, pixels, 0)
	for k, l := range lines {
		if len(l.x) == 1 { // between two gaps: a dash
			lines[k] = line{x: []float64{l.x[0] - 5, l.x[0] + 5}, y: []float64{l.y[0], l.y[0]}}
		}
	}
	p := pen{tone: shade(t.Shade), width: 1.1, opacity: 0.75, sign: "·", owners: owners{[]int{t.Trial}, []string{t.Tip}}}
	if t.Shade <= 0 {
		p.width = 2.6
	}
	if t.Shade <= 0.1 || front && t.Shade <= 1 {
		p.sign = "*"
	}
	d.stroke(lines, p)
}
