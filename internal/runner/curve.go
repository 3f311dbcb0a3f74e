package runner

import (
	"cmp"
	"fmt"
	"slices"

	"bohier/internal/journal"
	"bohier/internal/study"
)

// report decides what to record of a trial's values at resources, with warnings about them.
func (c Session) report(s *journal.State, now *study.Trial, t Tell) (recs []journal.Record, after *study.Trial,
	warnings []string, err error) {
	out := c.told(t)
	if out.Actual, err = c.actual(now, t.Actual, &warnings); err != nil {
		return nil, nil, nil, err
	}
	points, err := c.pointsOf(now, t)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := c.checkPoints(t, points); err != nil {
		return nil, nil, nil, err
	}
	if t.Failure != "" {
		recs, after, err = c.failPart(s, now, t, out, points)
		return recs, after, nil, err
	}
	rep := journal.Reporting{Points: points, Outcome: out, Replace: t.Replace, Ask: t.Ask, First: t.First}
	recs, after, notes, err := s.Report(now.ID(), rep, &c.Study.Fidelity, *c.rule(Ask{queued: len(s.Queue) > 0}))
	for _, n := range notes {
		if n.Lost {
			warnings = append(warnings, n.Text)
		} else if c.Debug != nil {
			c.Debug(study.Detail{Text: n.Text, Fields: map[string]any{"event": "report", "trial": now.Number, "id": now.ID()}})
		}
	}
	if err == nil && len(recs) > 0 {
		if w := c.jumped(s.Trials, after); w != "" {
			warnings = append(warnings, w)
		}
	}
	return recs, after, warnings, err
}

// needed are the outcomes that a value at a resource has to have (0: at full resource):
// below full resource the objective alone, as what is constrained is often known at the end
// only, and counts as kept until then. A split is a part of the value at full resource.
func (c Session) needed(at float64) []string {
	names, f := c.Study.Outcomes(), &c.Study.Fidelity
	if f.Averaged() || at == 0 || at >= f.High() {
		return names
	}
	return names[:1]
}

// checkPoints is the error where values lack an outcome that has to be there.
func (c Session) checkPoints(t Tell, points []study.Point) error {
	if t.Failure == "" && len(points) == 0 {
		_, err := c.checkMeasured(t, nil, c.needed(t.At))
		return err
	}
	for _, p := range points {
		if _, err := c.checkMeasured(Tell{Observation: p.Observation}, nil, c.needed(p.Resource)); err != nil {
			return err
		}
	}
	return nil
}

// failPart records what is known of a trial and that its leg failed.
func (c Session) failPart(s *journal.State, now *study.Trial, t Tell, out journal.Outcome,
	points []study.Point) ([]journal.Record, *study.Trial, error) {
	f := &c.Study.Fidelity
	if now.State == study.Paused && now.Course.Last() != nil {
		if t.Failure == study.Transient {
			return nil, now, nil // its leg is over
		}
	}
	out.Resource = t.At
	if out.Resource == 0 && len(points) > 0 {
		out.Resource = points[len(points)-1].Resource
	}
	if out.Resource > f.High() || out.Resource < 0 {
		return nil, nil, study.Errorf(study.Usage, "", "%s must be above 0 and at most %v, not %v", f.Name, f.High(),
			out.Resource)
	}
	mode := journal.Once
	if t.Replace {
		mode = journal.Replace
	}
	return s.Observe(now.ID(), out, mode)
}

// pointsOf are the values that are reported, ascending. A value without a resource is
// at the end of the leg.
func (c Session) pointsOf(now *study.Trial, t Tell) ([]study.Point, error) {
	f := &c.Study.Fidelity
	points := slices.Clone(t.Points)
	if t.Failure == "" && len(t.Values) > 0 {
		at := t.At
		last := now.Course.Last()
		switch {
		case at != 0:
		case last == nil:
			at = f.High()
		case f.Averaged() && last.To-last.From > 1:
			return nil, study.Errorf(study.Usage, "such as --at 4", "which of the %s? the leg is from %v to %v", f.Name,
				last.From, last.To)
		default:
			at = last.To
			if was := now.Course.Find(last.From); t.Ask && was != nil && now.Course.Find(at) == nil &&
				was.Values.Of(c.Study.Objective().Name) == t.Values.Of(c.Study.Objective().Name) {
				return nil, study.Errorf(study.Usage, fmt.Sprintf("--at %v asks again, --at %v reports it there", last.From, at),
					"trial %s has this value at %s %v: is it told again?", now.ID(), f.Name, last.From)
			}
		}
		points = slices.DeleteFunc(points, func(p study.Point) bool { return p.Resource == at })
		points = append(points, study.Point{Resource: at, Observation: t.Observation})
		if t.Final && at < f.High() {
			for _, r := range f.Levels {
				if r > at {
					points = append(points, study.Point{Resource: r, Observation: study.Observation{Values: t.Values}})
				}
			}
		}
	}
	slices.SortStableFunc(points, func(a, b study.Point) int { return cmp.Compare(a.Resource, b.Resource) })
	for k := 1; k < len(points); k++ {
		if points[k].Resource == points[k-1].Resource {
			return nil, study.Errorf(study.Usage, "", "two values are reported at %s %v", f.Name, points[k].Resource)
		}
	}
	return points, nil
}

// checkPlaces is the error for values at resources in a study without any.
func (c Session) checkPlaces(t Tell) error {
	if c.Study.Fidelity.Early() || t.At == 0 && len(t.Points) == 0 && !t.Ask {
		return nil
	}
	return study.Errorf(study.Usage, "fidelity: {name: epochs, low: 1, high: 27} in the study file",
		"there is no fidelity to report at")
}

// placeAddition says where the values of an addition belong.
func (c Session) placeAddition(a *journal.Addition, t Tell) error {
	f := &c.Study.Fidelity
	if err := c.checkPlaces(t); err != nil || t.Failure != "" {
		return err
	}
	if f.Averaged() && t.At == f.High() { // of single values there is nothing to add but their mean
		return nil
	}
	if a.Resource = t.At; a.Resource == 0 && len(t.Points) > 0 {
		a.Resource = f.High()
	}
	for _, p := range t.Points {
		if !(p.Resource > 0) || p.Resource >= max(a.Resource, f.Low()) {
			return study.Errorf(study.Usage, "", "a curve ascends to its last %s", f.Name)
		}
		a.Curve = append(a.Curve, [2]float64{p.Resource, p.Values.Of(c.Study.Objective().Name)})
	}
	if a.Resource > f.High() || a.Resource < 0 {
		return study.Errorf(study.Usage, "", "%s must be above 0 and at most %v, not %v", f.Name, f.High(), a.Resource)
	}
	a.Partial = a.Resource > 0 && a.Resource < f.High()
	if f.Averaged() && a.Resource > 0 {
		return study.Errorf(study.Usage, "report them with observe --at", "adding a part of the %s is not available yet",
			f.Name)
	}
	return nil
}

// jumped is the warning that a report beyond a level replaces one at it; empty where none does,
// or did before: a study is warned once.
func (c Session) jumped(before []study.Trial, after *study.Trial) string {
	f := &c.Study.Fidelity
	for i := range before {
		if level, _ := f.FirstJumped(before[i].Course); level > 0 {
			return ""
		}
	}
	level, at := f.FirstJumped(after.Course)
	if level == 0 {
		return ""
	}
	return fmt.Sprintf("level %v was jumped over by trial %s: reported at %v, which stands in for it; report at levels, "+
		"so that trials are compared at the same %s",
		level, after.ID(), at, f.Name)
}
