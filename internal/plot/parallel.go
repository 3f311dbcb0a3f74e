package plot

import (
	"math"
	"sort"

	"bohier/internal/text"
)

// extent is the range of axis k.
func (p Parallel) extent(k int) (lo, hi float64) {
	return p.Axes[k].extent(func(yield func(float64)) {
		for _, t := range p.Threads {
			yield(t.At[k])
		}
	})
}

// places are the scales of the axes of parallel coordinates, from the bottom to
// the top, and where each stands.
func (p Parallel) places(left, right, top, bottom float64) (at []float64, ys []scale) {
	n := len(p.Axes)
	for k, a := range p.Axes {
		lo, hi := p.extent(k)
		ys = append(ys, scale{lo, hi, bottom, top, a.Log, false})
		at = append(at, left+(right-left)*float64(k)/float64(max(n-1, 1)))
	}
	return at, ys
}

// parallel draws parallel coordinates: threads where the best are in front, dotted
// where an axis does not apply.
func (d drawing) parallel(p Panel) {
	q := p.Parallel
	y := d.head(p)
	top, bottom := y+42, d.y+d.h-16
	n := len(q.Axes)
	if n == 0 {
		return
	}
	longest := 0.0
	for _, a := range q.Axes {
		longest = max(longest, width(a.Label)*1.1)
	}
	right := 45.0
	lo, hi := q.extent(n - 1)
	for _, t := range q.Axes[n-1].ticks(lo, hi, 5) {
		right = max(right, min(width(t.label)+12, 110))
	}
	room := (d.w - 45 - right) / float64(max(n-1, 1))
	at, ys := q.places(d.x+45, d.x+d.w-right, top, bottom)
	d.inside(d.x, top-6, d.w, bottom-top+12, scale{0, d.w, 0, d.w, false, false},
		scale{0, 1, bottom - top, 0, false, false}, func() {
			order := byShade(q.Threads)
			for _, i := range order {
				t := q.Threads[i]
				s := Series{}
				var alone []line
				for k := range at {
					v := ys[k].at(t.At[k])
					s.X, s.Y = append(s.X, at[k]-d.x), append(s.Y, v-top+6)
				}
				lines := runs(s, scale{0, 1, 0, 1, false, false}, scale{0, 1, 0, 1, false, false})
				if over := s.bridges(); len(over) > 0 {
					d.stroke(over, pen{tone: shade(t.Shade), width: 0.8, dashes: "1 3", opacity: 0.6, sign: ":"})
				}
				for _, l := range lines {
					if len(l.x) == 1 { // between two gaps: a dash
						l.x, l.y = []float64{l.x[0] - 5, l.x[0] + 5}, []float64{l.y[0], l.y[0]}
					}
					alone = append(alone, l)
				}
				p := pen{tone: shade(t.Shade), width: 1.1, opacity: 0.75, sign: "·", owners: owners{[]int{t.Trial}, tip(t.Tip)}}
				if t.Shade <= 0 {
					p.width = 2.6
				}
				if t.Shade <= 0.1 || q.Front && t.Shade <= 1 {
					p.sign = "*"
				}
				d.stroke(alone, p)
			}
		})
	for k, a := range q.Axes {
		d.group("axis", func() {
			d.rule(at[k], top, at[k], bottom, soft)
			place, from := atMiddle, at[k]
			most := room + 20
			half := width(a.Label) * 1.1 / 2
			switch { // at the edges a long name cannot stand above the middle of its axis
			case k == 0 && half > at[k]-d.x-4:
				place, from = atStart, d.x+8
			case k == n-1 && half > d.x+d.w-at[k]-4:
				place, from = atEnd, d.x+d.w-8
			}
			up := 26.0
			if longest <= room-12 {
				up = 11
			}
			if longest > room-12 && k%2 == 1 { // names in two rows, where they would touch
				up = 11
			}
			if longest > room-12 {
				most = 2*room - 12
				if k == 0 || k == n-1 { // to one side only
					most = room + 20
				}
			}
			d.text(from, top-up, place, strong, ink, text.Middle(a.Label, max(int(most/textStep), 3)))
			for _, t := range a.ticks(ys[k].lo, ys[k].hi, 5) {
				if y := ys[k].at(t.at); t.label != "" && y >= top-1 && y <= bottom+1 {
					d.rule(at[k]-3, y, at[k]+3, y, soft)
					d.text(at[k]+6, y+4, atStart, halo, ink, text.Middle(t.label, max(int(min(room-10, 100)/textStep), 2)))
				}
			}
		})
	}
}

// bridges are the straight lines over the gaps of a series.
func (s Series) bridges() (out []line) {
	last := -1
	for k := range s.Y {
		if bad(s.Y[k]) {
			continue
		}
		if last >= 0 && k-last > 1 {
			out = append(out, line{x: []float64{s.X[last], s.X[k]}, y: []float64{s.Y[last], s.Y[k]}})
		}
		last = k
	}
	return out
}

// byShade orders threads from the worst to the best.
func byShade(list []Thread) []int {
	order := make([]int, len(list))
	for k := range order {
		order[k] = k
	}
	worse := func(a, b Thread) bool { // one without a value is worst
		return a.Shade > b.Shade || math.IsNaN(a.Shade) && !math.IsNaN(b.Shade)
	}
	sort.SliceStable(order, func(a, b int) bool { return worse(list[order[a]], list[order[b]]) })
	return order
}

func tip(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}
