package runner

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"

	"bohier/internal/journal"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Each yields the additions of a list.
func Each(list []study.Addition) iter.Seq2[study.Addition, error] {
	return func(yield func(study.Addition, error) bool) {
		for _, a := range list {
			if !yield(a, nil) {
				return
			}
		}
	}
}

// checkPartial rejects parts of a report that make no sense together with Partial.
func checkPartial(st *study.Study, t study.Report) error {
	switch {
	case !t.Partial:
		return nil
	case !st.Several():
		return study.Errorf(study.Usage, "report all values at once",
			"the study has one objective: there is nothing to report later")
	case t.Mode != study.Once || t.Failure != "" || t.Actual != nil:
		return study.Errorf(study.Usage, "give these with the report that completes the trial",
			"a partial report cannot be a correction, a further measurement, a failure or a change of the configuration")
	}
	return nil
}

// checkMeasured is the error where a report lacks one of the outcomes in names; partial
// reports whether it lacks one that may come later.
func checkMeasured(st *study.Study, t study.Report, known study.Values, names []string) (partial bool, err error) {
	all := study.Asked(names) // the hint: everything there is to give
	if len(names) == 1 {
		all = "a bare number, or " + all
	}
	for _, name := range names {
		_, earlier := known.Get(name)
		if _, ok := t.Values.Get(name); ok || earlier || t.Failure != "" {
			continue
		}
		if t.Partial {
			partial = true
			continue
		}
		what := "the constraint on"
		if st.Goal(name) >= 0 {
			what = "the objective"
		}
		hint := "give " + all + ", or --fail infeasible|transient"
		if st.Several() {
			hint += "; or add --partial and report it later"
		}
		return false, study.Errorf(study.Usage, hint, "the observation has no value for %s %q", what, name)
	}
	return partial, nil
}

// costed is an observation with its cost, where the study takes that from another value.
func costed(st *study.Study, o study.Observation) study.Observation {
	if cost := st.Cost; cost != nil && o.Cost == nil {
		if v, ok := o.Values.Get(cost.Name); ok {
			o.Cost = &v
		} else if cost.Name == "duration" {
			o.Cost = o.Duration
		}
	}
	return o
}

// actual is the configuration that was run, the proposed one with some values changed; nil where
// nothing is said of it. A warning names a constraint that it violates.
func actual(st *study.Study, t *study.Trial, changed space.Assignment, warnings *[]string) (json.RawMessage, error) {
	if changed == nil {
		return nil, nil
	}
	sp := st.Space
	a := t.Config.Assignment()
	maps.Copy(a, changed)
	conf, err := sp.Assemble(a)
	rule, err := space.Broken(err)
	if rule != nil {
		*warnings = append(*warnings, fmt.Sprintf("trial %s is kept as data: %v", t.ID(), rule))
	} else if err != nil {
		return nil, study.Errorf(study.Usage, "give every parameter the change activates, too",
			"the configuration really run does not fit the space: %v", err)
	}
	for i := range changed {
		if !conf.Active[i] {
			return nil, study.Errorf(study.Usage, "", "parameter %q is inactive in the configuration really run",
				sp.Param(i).Name)
		}
	}
	return sp.AppendJSON(nil, conf), nil
}

// report decides which values of a trial at resources to record, with warnings about them.
func (c Session) report(s *journal.State, now *study.Trial, t study.Report) (recs []journal.Record, after *study.Trial,
	warnings []string, err error) {
	if t.Params, err = actual(c.Study, now, t.Actual, &warnings); err != nil {
		return nil, nil, nil, err
	}
	if t.Points, err = pointsOf(c.Study, now, t); err != nil {
		return nil, nil, nil, err
	}
	if err := checkPoints(c.Study, t); err != nil {
		return nil, nil, nil, err
	}
	if t.Failure != "" {
		recs, after, err = failPart(c.Study, s, now, t)
		return recs, after, nil, err
	}
	recs, after, more, err := s.Report(now.ID(), t, &c.Study.Fidelity, *rule(c.Study, Ask{queued: len(s.Queue) > 0}))
	return recs, after, append(warnings, more...), err
}

// needed are the outcomes that a value at a resource has to have (0: at full resource):
// below full resource the objective alone, as constrained quantities are often known at the end only, and counts as
// kept until then. A split is a part of the value at full resource.
func needed(st *study.Study, at float64) []string {
	names, f := st.Outcomes(), &st.Fidelity
	if f.Averaged() || at == 0 || at >= f.High() {
		return names
	}
	return names[:1]
}

// checkPoints is the error where values lack an outcome that has to be there.
func checkPoints(st *study.Study, t study.Report) error {
	if t.Failure == "" && len(t.Points) == 0 {
		_, err := checkMeasured(st, t, nil, needed(st, t.At))
		return err
	}
	for _, p := range t.Points {
		if _, err := checkMeasured(st, study.Report{Observation: p.Observation}, nil, needed(st, p.Resource)); err != nil {
			return err
		}
	}
	return nil
}

// failPart records the known values of a trial and the failure of its leg.
func failPart(st *study.Study, s *journal.State, now *study.Trial, t study.Report) ([]journal.Record, *study.Trial,
	error) {
	f := &st.Fidelity
	if now.State == study.Paused && now.Course.Last() != nil {
		if t.Failure == study.Transient {
			return nil, now, nil // its leg is over
		}
	}
	if n := len(t.Points); t.At == 0 && n > 0 {
		t.At = t.Points[n-1].Resource
	}
	if t.At > f.High() || t.At < 0 {
		return nil, nil, study.Errorf(study.Usage, "", "%s must be above 0 and at most %v, not %v", f.Name, f.High(), t.At)
	}
	t.Observation = costed(st, t.Observation)
	return s.Observe(now.ID(), t)
}

// pointsOf are the values that are reported, ascending. A value without a resource is at the end of the leg.
func pointsOf(st *study.Study, now *study.Trial, t study.Report) ([]study.Point, error) {
	f := &st.Fidelity
	points := slices.Clone(t.Points)
	if t.Failure == "" && len(t.Values) > 0 {
		at := t.At
		last := now.Course.Last()
		switch {
		case at != 0:
		case last == nil:
			at = f.High()
		case f.Averaged() && last.To-last.From > 1:
			hint := fmt.Sprintf("such as --at %v", last.From+1)
			return nil, study.Errorf(study.Usage, hint, "which of the %s? the leg is from %v to %v", f.Name, last.From, last.To)
		default:
			at = last.To
			if was := now.Course.Find(last.From); t.Ask && was != nil && now.Course.Find(at) == nil &&
				was.Values.Of(st.Objective().Name) == t.Values.Of(st.Objective().Name) {
				return nil, study.Errorf(study.Usage, fmt.Sprintf("--at %v asks again, --at %v reports it there", last.From, at),
					"trial %s has this value at %s %v: is it reported again?", now.ID(), f.Name, last.From)
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
func checkPlaces(st *study.Study, t study.Report) error {
	if st.Fidelity.Early() || t.At == 0 && len(t.Points) == 0 && !t.Ask {
		return nil
	}
	return study.Errorf(study.Usage, "fidelity: {name: epochs, low: 1, high: 27} in the study file",
		"there is no fidelity to report at")
}

// placeAddition says where the values of an addition belong.
func placeAddition(st *study.Study, a *study.Addition) error {
	f := &st.Fidelity
	if err := checkPlaces(st, a.Report); err != nil {
		return err
	}
	if a.Failure != "" || f.Averaged() && a.At == f.High() { // of single values there is nothing to add but their mean
		a.At, a.Points = 0, nil
		return nil
	}
	if a.At == 0 && len(a.Points) > 0 {
		a.At = f.High()
	}
	for _, p := range a.Points {
		if !(p.Resource > 0) || p.Resource >= max(a.At, f.Low()) {
			return study.Errorf(study.Usage, "", "a curve ascends to its last %s", f.Name)
		}
	}
	if a.At > f.High() || a.At < 0 {
		return study.Errorf(study.Usage, "", "%s must be above 0 and at most %v, not %v", f.Name, f.High(), a.At)
	}
	if f.Averaged() && a.At > 0 {
		return study.Errorf(study.Usage, "report them with observe --at", "adding a part of the %s is not available yet",
			f.Name)
	}
	return nil
}
