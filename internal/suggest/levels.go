package suggest

import (
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/fidelity"
	"bohier/internal/points"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// fullAfter is the number of complete trials after which configurations are compared
// at full resource, and of rows a level needs before.
const fullAfter = 3

// atLevels fills in what the surrogate of a study with a fidelity sees: the values of
// every trial at the levels that deserve trust and its highest one, and the resource
// at which configurations are compared.
func (h *history) atLevels(trials []study.Trial) {
	f, trusted := &h.st.Fidelity, fidelity.Trusted(h.st, trials)
	count := make([]int, len(trusted))
	for _, t := range h.Told() {
		h.Rows = append(h.Rows, rowsOf(f, t, trusted, count)...)
	}
	if h.At = f.High(); f.AcquireAt != "auto" || !fidelity.Continues(h.st) {
		h.At = acquireAt(f, len(h.Observed), count)
	}
	if f.Model == "final" && !f.MeasuresOne() {
		h.Rows = slices.DeleteFunc(h.Rows, func(r surrogate.Row) bool { return r.Resource < f.High() })
	}
}

// furtherRows are the further measurements of a trial, which are of the full resource; none
// where that was a smaller one when they were made.
func furtherRows(f *study.Fidelity, t *study.Trial) (rows []surrogate.Row) {
	if f.Resource(t.Course) < f.High() && !f.MeasuresOne() {
		return nil
	}
	for _, o := range t.Replicates {
		r := surrogate.Row{Trial: t, Resource: f.High(), Observation: o}
		if f.Averaged() && !f.MeasuresOne() {
			r.Of = f.High()
		}
		rows = append(rows, r)
	}
	return rows
}

// rowsOf is what the surrogate sees of a trial; it counts the rows of each level.
func rowsOf(f *study.Fidelity, t *study.Trial, trusted []bool, count []int) (rows []surrogate.Row) {
	rows = furtherRows(f, t)
	add := func(resource float64, o study.Observation) {
		rows = append(rows, surrogate.Row{Trial: t, Resource: resource, Observation: o})
	}
	highest := f.Resource(t.Course)
	switch {
	case f.MeasuresOne(): // every report is a measurement of the same
		for _, p := range t.Course.Points[:min(int(highest), len(t.Course.Points))] {
			add(f.High(), p.Observation)
		}
		return rows
	case f.Averaged():
		o, _ := f.Latest(t.Course)
		if k := f.LevelAt(highest); k >= 0 {
			count[k]++
		}
		return append(rows, surrogate.Row{Trial: t, Resource: highest, Of: highest, Observation: o})
	case f.Use == "all":
		for _, p := range curveRows(f, trusted, t.Course.Points) {
			add(p.Resource, p.Observation)
			if k := slices.Index(f.Levels, p.Resource); k >= 0 {
				count[k]++
			}
		}
		return rows
	}
	seen := 0.0
	for k, fine := range trusted {
		o, _, ok := f.Entry(t.Course, k)
		if !ok || !fine {
			continue
		}
		seen = f.Levels[k]
		if j := f.Jumped(t.Course, k); j > 0 {
			seen = j
		}
		add(seen, o)
		count[k]++
	}
	if below := f.LevelAt(highest); highest > seen && below >= 0 && trusted[below] {
		if p := t.Course.Find(highest); p != nil {
			add(highest, p.Observation)
		}
	}
	return rows
}

// mostRows is the number of rows that one trial's curve has at most.
const mostRows = 50

// curveRows are the points of a curve from the lowest level on that deserves trust,
// thinned evenly where they are many; levels and the last point stay.
func curveRows(f *study.Fidelity, trusted []bool, points []study.Point) []study.Point {
	low := slices.Index(trusted, true)
	points = slices.DeleteFunc(slices.Clone(points), func(p study.Point) bool { return p.Resource < f.Levels[low] })
	spare := mostRows - len(f.Levels) - 1
	if len(points) <= mostRows {
		return points
	}
	var out []study.Point
	for i, p := range points {
		even := i*spare/len(points) != (i+1)*spare/len(points)
		if even || i == len(points)-1 || slices.Contains(f.Levels, p.Resource) {
			out = append(out, p)
		}
	}
	return out
}

// acquireAt is the resource at which configurations are compared: the full one once
// some trials have it, else the highest level with some rows, or the lowest with any.
func acquireAt(f *study.Fidelity, complete int, rows []int) float64 {
	for _, r := range f.Levels {
		if f.AcquireAt == strconv.FormatFloat(r, 'g', -1, 64) {
			return r
		}
	}
	if f.AcquireAt == "full" || complete >= fullAfter || f.MeasuresOne() || f.Model == "final" {
		return f.High()
	}
	for k := f.Top(); k >= 0; k-- {
		if rows[k] >= fullAfter {
			return f.Levels[k]
		}
	}
	for k, n := range rows {
		if n > 0 {
			return f.Levels[k]
		}
	}
	return f.High()
}

// rivals are the trials that a new configuration competes with: complete ones and,
// where the surrogate knows resources, all with a value.
func (s *surrogates) rivals() []*study.Trial {
	if !s.st.Fidelity.Early() || s.st.Fidelity.Model == "final" && !s.st.Fidelity.MeasuresOne() {
		return s.h.Observed
	}
	return s.h.Told()
}

// pendingPoints are where pending trials are believed to come out: in a study with a fidelity
// all that have no value at full resource, there. The promise of a paused trial is had by going
// on with it: without that belief its neighbourhood is suggested again and again, each time
// only to be judged by a part. Where curves up to its level tell nothing of ends, nobody judges
// there, and nothing is believed.
func (s *surrogates) pendingPoints(plain *points.Set) *points.Set {
	if s.curves == nil && !s.fit.Resources() {
		return plain
	}
	unfinished := slices.Clone(s.h.Partial)
	for _, t := range s.h.pending {
		if !slices.Contains(unfinished, t) {
			unfinished = append(unfinished, t)
		}
	}
	if s.curves != nil {
		return pointsOf(s.st, slices.DeleteFunc(unfinished, s.uninformed))
	}
	if ends := s.fit.Ends(s.st, unfinished); ends != nil {
		return ends
	}
	return plain
}

// uninformed reports whether a trial waits at a level that tells nothing of ends, where the
// surrogate decides how far trials go.
func (s *surrogates) uninformed(t *study.Trial) bool {
	if s.extrapolation == nil || t.State == study.Pending || !fidelity.Continues(s.st) {
		return false
	}
	k := s.st.Fidelity.LevelAt(s.st.Fidelity.Resource(t.Course))
	return k >= 0 && !s.extrapolation.Informs(k)
}

// incumbents are the centres of the local search: the n best trials by their values or, in a
// study with a fidelity, by their means where configurations are compared. With several
// objectives they are on the front that is shown, that of the means where one is noisy.
func (s *surrogates) incumbents(n int) *points.Set {
	if s.st.Several() && MaterialNoise(s.st, s.h.Observed, s.r.Warm) {
		return centresAt(s.h, contributors(s.standing().Front(), n))
	}
	if s.st.Fidelity.Early() && s.fit != nil && s.fit.Model != nil {
		if good := feasiblePoints(s.st, s.rivals()); good != nil {
			mean, _ := s.fit.Latent(good)
			order := make([]int, good.Len())
			floats.ArgsortStable(mean, order)
			return good.Select(order[:min(n, len(order))])
		}
	}
	return incumbents(s.h, n)
}
