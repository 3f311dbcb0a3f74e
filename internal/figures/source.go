package figures

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A Source is what pictures are drawn from.
type Source struct {
	Study  *study.Study
	Trials []study.Trial // by number

	// The surrogate's predictions; each may be missing.
	Believed report.Estimates // of trials, where the best value may be luck
	// of several objectives; nil: that of what was measured
	Standing   *study.Standing
	Surrogate  Posterior                                              // nil: too little to fit
	Feasible   func(at []space.Configuration) (probability []float64) // nil: nothing restricts outcomes
	Importance []report.Importance                                    // most important first

	Scale string // of axes of objectives: linear, log, or empty for what shows the good values
}

// A Posterior predicts the objective: means, standard deviations, and those of a
// noisy measurement.
type Posterior interface {
	Predict(at []space.Configuration) (mean, std, stdNoisy []float64)
}

// value is the measured objective of a trial in today's space.
func (s Source) value(t *study.Trial) (float64, bool) {
	return t.Values.Of(s.Study.Objective().Name), t.State == study.Complete && !t.Outside && s.Study.Measured(t)
}

// standing is what is shown of several objectives.
func (s Source) standing() *study.Standing {
	if s.Standing != nil {
		return s.Standing
	}
	return s.Study.Standing(study.Pointers(s.Trials))
}

// counts reports whether a trial can be the best: measured, and within the
// constraints.
func (s Source) counts(t *study.Trial) bool {
	_, ok := s.value(t)
	return ok && s.Study.Feasible(t)
}

// Incumbent is the best trial in today's space, by predictions if there are any, among the
// trials that accept accepts; nil: there is none.
func (s Source) Incumbent(accept func(*study.Trial) bool) *study.Trial {
	var best *study.Trial
	var least float64
	sign := s.Study.Objective().Direction.Sign()
	for k := range s.Trials {
		t := &s.Trials[k]
		v, _ := s.value(t)
		if !s.counts(t) || accept != nil && !accept(t) {
			continue
		}
		if s.Believed != nil {
			e, ok := s.Believed[t.Number]
			if !ok {
				continue
			}
			v = e.Mean
		}
		if best == nil || sign*v < least {
			best, least = t, sign*v
		}
	}
	return best
}

// ranks are the places of trials that count, by number: 0 the best, 1 the worst, as believed
// if anything is believed; then measurements of one configuration share a place.
func (s Source) ranks() map[int]float64 {
	var list []study.Trial
	for k := range s.Trials {
		t := &s.Trials[k]
		if _, believed := s.Believed[t.Number]; s.counts(t) && (believed || s.Believed == nil) {
			list = append(list, *t)
		}
	}
	s.Study.Sort(list)
	if s.Believed != nil {
		sign := s.Study.Objective().Direction.Sign()
		slices.SortStableFunc(list, func(a, b study.Trial) int {
			return cmp.Compare(sign*s.Believed[a.Number].Mean, sign*s.Believed[b.Number].Mean)
		})
	}
	out, place := map[int]float64{}, 0
	for k, t := range list {
		if s.Believed == nil || k == 0 || s.Believed[t.Number].Mean != s.Believed[list[k-1].Number].Mean {
			place = k
		}
		out[t.Number] = float64(place) / float64(max(len(list)-1, 1))
	}
	return out
}

// byMeans says what the places of trials go by where values are noisy, and nothing elsewhere.
func (s Source) byMeans() string {
	if s.Believed == nil {
		return ""
	}
	return " Values are noisy: the best is that by posterior mean, as the surrogate sees it now."
}

// ByImportance lists the parameters that can vary, the most important first and
// then as declared.
func (s Source) ByImportance() []int {
	var out []int
	for _, imp := range s.Importance {
		if i, ok := s.Study.Space.Index(imp.Name); ok {
			out = append(out, i)
		}
	}
	for _, i := range s.Study.Space.Coordinates() {
		if !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// tip says of a trial what a person asks first.
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

// axis is the axis of a parameter.
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

// points collects a series' points of trials.
type points struct{ plot.Series }

func (p *points) add(x, y float64, t *study.Trial, tip string) {
	p.X, p.Y = append(p.X, x), append(p.Y, y)
	p.Trials, p.Tips = append(p.Trials, t.Number), append(p.Tips, tip)
}

// some appends the series that have points.
func some(list []plot.Series, more ...points) []plot.Series {
	for _, p := range more {
		if len(p.X) > 0 {
			list = append(list, p.Series)
		}
	}
	return list
}

func (s Source) title(what string) string {
	if s.Study.Title() == "" {
		return what
	}
	return s.Study.Title() + ": " + what
}
