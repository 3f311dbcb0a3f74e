package execute

import (
	"cmp"
	"slices"

	"bohier/internal/study"
)

// curvePoints is about how many points of a curve wait for a record: an hour of logging
// must not become a thousand of them.
const curvePoints = 100

// waiting is what a command reported and no record has yet. As it grows it is thinned evenly
// over the resource; what was reported at levels, the ends, and all folds and repeats stay.
type waiting struct {
	f      *study.Fidelity
	points []study.Point
	step   float64 // the least distance between points that may go
}

func (w *waiting) add(p study.Point) {
	if n := len(w.points); n > 1 && w.spare(w.points[n-2], w.points[n-1]) { // the end until now
		w.points = w.points[:n-1]
	}
	w.points = append(w.points, p)
	n := len(w.points)
	if n <= 2*curvePoints {
		return
	}
	w.step = (p.Resource - w.points[0].Resource) / curvePoints
	kept := w.points[:1]
	for _, q := range w.points[1 : n-1] {
		if !w.spare(kept[len(kept)-1], q) {
			kept = append(kept, q)
		}
	}
	w.points = append(kept, p)
}

// spare reports whether a point may go because it is close to the one before it.
func (w *waiting) spare(before, p study.Point) bool {
	return p.Resource-before.Resource < w.step && !w.f.Averaged() && !slices.Contains(w.f.Levels, p.Resource)
}

// take are the points, ascending, less one at a resource that is reported now; of several at
// one resource the first, as the command began anew. None waits any more.
func (w *waiting) take(less float64) []study.Point {
	out := slices.DeleteFunc(w.points, func(p study.Point) bool { return p.Resource == less })
	slices.SortStableFunc(out, func(a, b study.Point) int { return cmp.Compare(a.Resource, b.Resource) })
	w.points, w.step = nil, 0
	return slices.CompactFunc(out, func(a, b study.Point) bool { return a.Resource == b.Resource })
}

// last is the newest point; nil: there is none.
func (w *waiting) last() *study.Point {
	if len(w.points) == 0 {
		return nil
	}
	return &w.points[len(w.points)-1]
}
