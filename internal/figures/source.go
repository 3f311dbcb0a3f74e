package figures

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"bohier/internal/lists"
	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A Source is the data of pictures.
type Source struct {
	Study  *study.Study
	Trials []study.Trial // by number

	// The surrogate's predictions; each may be missing.
	Standing   *study.Standing                                        // nil: that of the measurements
	Surrogate  Posterior                                              // nil: too little to fit
	Feasible   func(at []space.Configuration) (probability []float64) // nil: nothing restricts outcomes
	Importance []report.Importance                                    // most important first

	Scale string // of axes of objectives: linear, log, or empty for the axis that shows the good values
}

// A Posterior predicts the objective: means, standard deviations, and those of a noisy measurement.
type Posterior func(at []space.Configuration) (mean, std []float64, stdNoisy func(i int) float64)

// value is the measured objective of a trial in today's space.
func (s Source) value(t *study.Trial) (float64, bool) {
	return t.Values.Of(s.Study.Objective().Name), t.State == study.Complete && !t.Outside && s.Study.Measured(t)
}

// standing holds the values of trials that count.
func (s Source) standing() *study.Standing {
	if s.Standing != nil {
		return s.Standing
	}
	return s.Study.Standing(study.Pointers(s.Trials))
}

// sign is that of the objective, which is the least times it.
func (s Source) sign() float64 { return s.Study.Objective().Direction.Sign() }

// Incumbent is the best trial in today's space, by predictions if there are any, among the
// trials that accept accepts; nil: there is none.
func (s Source) Incumbent(accept func(*study.Trial) bool) *study.Trial {
	var best *study.Trial
	var least float64
	in := s.standing()
	for k := range s.Trials {
		t := &s.Trials[k]
		e, ok := in.Of(t)
		if v := s.sign() * e.Mean; ok && (accept == nil || accept(t)) && (best == nil || v < least) {
			best, least = t, v
		}
	}
	return best
}

// ranks are the places of trials that can be the best, by number: 0 the best, 1 the worst. Equal
// ones share a place. With several objectives only the trials on the front have one, by the first.
func (s Source) ranks() map[int]float64 {
	values, in := map[int]float64{}, s.standing()
	for k := range s.Trials {
		if e, ok := in.Of(&s.Trials[k]); ok {
			values[s.Trials[k].Number] = s.sign() * e.Mean
		}
	}
	if s.Study.Several() {
		values = s.onFront()
	}
	order := slices.Sorted(maps.Values(values))
	out := map[int]float64{}
	for number, v := range values {
		place, _ := slices.BinarySearch(order, v)
		out[number] = float64(place) / float64(max(len(order)-1, 1))
	}
	return out
}

// onFront are the places on the front of the trials on it, by number.
func (s Source) onFront() map[int]float64 {
	in, out := s.standing(), map[int]float64{}
	front := in.Front()
	if front == nil {
		return out
	}
	for k := range front.Trials {
		out[front.Trials[k].Number] = float64(k)
	}
	for number, k := range in.Again {
		if v, ok := out[in.Trials[k].Number]; ok {
			out[number] = v
		}
	}
	return out
}

// byMeans explains the places of trials where values are noisy, and is empty elsewhere.
func (s Source) byMeans() string {
	switch {
	case s.Standing == nil || !s.Standing.Believed():
		return ""
	case s.Study.Several():
		return " Values are noisy: the front is that of the posterior means, as the surrogates see them now."
	}
	return " Values are noisy: the best is that by posterior mean, as the surrogate sees it now."
}

// ByImportance lists the parameters that can vary, the most important first and then as declared.
func (s Source) ByImportance() []int {
	known := lists.Some(s.Importance, func(imp report.Importance) (int, bool) { return s.Study.Space.Index(imp.Name) })
	return lists.Distinct(slices.Concat(known, s.Study.Space.Coordinates()), func(i int) int { return i })
}

// tip lists the facts of a trial that a reader asks for first.
func (s Source) tip(t *study.Trial) string {
	lines := []string{"trial " + t.ID()}
	_, measured := s.value(t)
	switch {
	case measured:
		for _, ob := range s.Study.Objectives {
			lines = append(lines, ob.Name+" "+report.Rounded(t.Values.Of(ob.Name)))
		}
	case t.Failure != "":
		lines = append(lines, string(t.State)+" ("+string(t.Failure)+")")
	default:
		lines = append(lines, string(t.State))
	}
	if t.State == study.Complete && !s.Study.Feasible(t) {
		lines = append(lines, "violates a constraint")
	}
	const most = 8
	shown := 0
	for i := range t.Config.Value {
		if !t.Config.Active[i] || s.Study.Space.CoordOf(i) < 0 {
			continue
		}
		if shown++; shown > most {
			return strings.Join(append(lines, "…"), "\n")
		}
		lines = append(lines, s.Study.Space.Param(i).Name+" "+report.Cell(s.Study.Space, t.Config, i))
	}
	return strings.Join(lines, "\n")
}

func (s Source) axis(i int) plot.Axis {
	p := s.Study.Space.Param(i)
	switch p.Kind {
	case space.Float, space.Int:
		a := plot.Axis{Label: p.Name, Log: p.Scale == space.Log, Whole: p.Kind == space.Int, Low: p.Low, High: p.High}
		if d := p.High - p.Low; !a.Log { // so that dots at the ends are whole
			a.Low, a.High = p.Low-0.02*d, p.High+0.02*d
		} else {
			f := math.Pow(p.High/p.Low, 0.02)
			a.Low, a.High = p.Low/f, p.High*f
		}
		return a
	}
	return plot.Axis{Label: p.Name, Names: p.Values}
}

// add adds a trial to the points of a series; more is said of it below its tip.
func (s Source) add(p *plot.Series, x, y float64, t *study.Trial, more ...string) {
	p.X, p.Y = append(p.X, x), append(p.Y, y)
	p.Trials = append(p.Trials, t.Number)
	p.Tips = append(p.Tips, strings.Join(append([]string{s.tip(t)}, more...), "\n"))
}

// mostPoints is the number of trials beyond which a picture shows one of several.
const mostPoints = 10_000

// oneOf is the number of trials for one that a picture shows.
func (s Source) oneOf() int { return 1 + (len(s.Trials)-1)/mostPoints }

// sample reports whether a picture shows the trial of an index among all; where it shows one of several,
// the labels of its clouds of points say so.
func (s Source) sample(clouds ...*plot.Series) func(k int) bool {
	n := s.oneOf()
	for _, cloud := range clouds {
		if n > 1 {
			cloud.Label += fmt.Sprintf(", one of %d", n)
		}
	}
	return func(k int) bool { return k%n == 0 }
}

// drawn are the series that have points.
func drawn(list ...plot.Series) []plot.Series {
	return slices.DeleteFunc(list, func(p plot.Series) bool { return len(p.X)+len(p.Y) == 0 })
}

func (s Source) title(what string) string {
	return strings.TrimPrefix(s.Study.Name+": "+what, ": ")
}

// Last is the last time that the trials know; zero: they know none.
func (s Source) Last() (last time.Time) {
	for k := range s.Trials {
		for _, text := range []string{s.Trials[k].Suggested, s.Trials[k].ObservedAt} {
			if at, err := time.Parse(time.RFC3339, text); err == nil && at.After(last) {
				last = at
			}
		}
	}
	return last
}

const (
	logFrom = 31.6 // ratio of good values, a decade and a half, from which their axis is logarithmic
	room    = 1.5  // of the range of the better half, beyond it
	ofFront = 0.5  // of the range of a front, beyond it
	far     = 1.6  // times the range shown, from which poor values are moved to the edge
)

// window has an axis distinguish good values of an objective: those of a front or else the better half of all, and
// others that are kept in any case. The scale is logarithmic where these span a decade and a half. It ends where far
// poorer values would squeeze them: then its label says so, and the values of moved move to its edge.
func (s Source) window(a *plot.Axis, ob study.Objective, all, front, kept []float64,
	moved ...[]float64) (clipped bool) {
	sign := ob.Direction.Sign()
	finite := slices.DeleteFunc(slices.Clone(all), math.IsNaN)
	if a.Log = s.Scale == "log"; len(finite) == 0 || s.Scale != "" {
		return false
	}
	slices.SortFunc(finite, func(x, y float64) int { return cmp.Compare(sign*x, sign*y) })
	good, beyond := finite[:(len(finite)+1)/2], room
	if len(front) > 1 && slices.Min(front) < slices.Max(front) {
		good, beyond = front, ofFront
	}
	if good[0] == good[len(good)-1] {
		good = finite[:max(len(finite)*3/4, 1)]
	}
	good = slices.Concat(good, kept)
	lo, hi := slices.Min(good), slices.Max(good)
	worst := finite[len(finite)-1]
	a.Log = lo > 0 && (hi >= logFrom*lo || sign > 0 && min(worst, hi+beyond*(hi-lo)) >= logFrom*lo)
	on, off := func(v float64) float64 { return sign * v }, func(u float64) float64 { return sign * u }
	if a.Log {
		on = func(v float64) float64 { return sign * math.Log(max(v, 1e-300)) }
		off = func(u float64) float64 { return math.Exp(sign * u) }
	}
	least, most := min(on(lo), on(hi)), max(on(lo), on(hi))
	end := most + beyond*(most-least)
	if len(finite) < 5 || most == least || on(worst)-least < far*(end-least) {
		return false
	}
	from, to := off(least-0.04*(end-least)), off(end)
	a.Low, a.High = max(min(from, to), -math.MaxFloat64), min(max(from, to), math.MaxFloat64)
	a.Label += edge
	for _, v := range moved {
		for k := range v {
			v[k] = min(max(v[k], a.Low), a.High)
		}
	}
	return true
}

// edge says in an axis's label that poor values lie at its edge.
const edge = " (poor values at the edge)"
