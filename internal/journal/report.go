package journal

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"bohier/internal/study"
)

// A Rule decides for a study with a fidelity; the journal keeps its decisions.
type Rule struct {
	// Next is the task of the next worker; the error says why there is none. trials is only read.
	Next func(trials []study.Trial) (study.Task, error)
	// Judge answers a report that made trial number reach the levels seen for the first time; trials has the report.
	Judge func(trials []study.Trial, number int, seen []int) (v study.Verdict, why string)
}

// curveMost is the number of points that one record keeps beside its own.
const curveMost = 200

// Report decides on the values of a trial at rep.Points; the last is the newest. No records mean that the
// journal says so already, and the Course of the trial has the answer; the trial is as it is else. The strings are
// warnings.
func (s *State) Report(id string, rep study.Report, f *study.Fidelity, rule Rule) ([]Record, *study.Trial, []string,
	error) {
	t, err := s.Trial(id)
	if err != nil {
		return nil, nil, nil, err
	}
	rep.Points = thin(rep.Points, f) // before they are compared, so that a repeated report is known
	fresh, warnings, err := unknown(t, rep, f)
	if err != nil {
		return nil, nil, nil, err
	}
	other := rep.Params != nil && !s.ran(t, rep.Params)
	corrects := t.State == study.Failed || len(fresh) < len(rep.Points)
	if rep.Mode == study.Replace && corrects {
		return correct(s, t, rep, f)
	}
	if len(fresh) == 0 && other {
		return nil, nil, nil, study.Errorf(study.Conflict, "To correct it: --replace.", "trial %s was run with %s; now: %s",
			t.ID(), s.Params(t.Number), rep.Params)
	}
	if len(fresh) == 0 {
		p := t.Course.Find(rep.Points[len(rep.Points)-1].Resource)
		var recs []Record
		if p == t.Course.Newest() { // a measure record speaks of it
			recs = missing(t, rep.Points[len(rep.Points)-1].Observation)
		}
		recs = append(recs, remark(t, rep.Note)...)
		answer := t.Again(p)
		return recs, &answer, warnings, nil
	}
	if t.State == study.Failed {
		if v, ok := rep.Points[len(rep.Points)-1].Values.Get(s.objective); ok && !finite(v) && t.Note == raw(v) {
			return nil, t, warnings, nil
		}
		return nil, nil, nil, study.Errorf(study.Conflict, "To correct it: --replace.", "trial %s is %s", t.ID(),
			describe(t.State, t.Failure, t.Observation))
	}
	recs, after, err := s.report(t, fresh, rep, f, rule)
	if err != nil {
		return nil, nil, nil, err
	}
	if last := &after; rep.Ask && last.State == study.Paused && last.Course.Verdict == study.VerdictPause {
		var task study.Task
		s.Supposing(after, func(trials []study.Trial) { task, err = rule.Next(trials) })
		if err == nil && task.Trial == t.Number {
			recs = append(recs, promotion(s, &after, task, t.Worker, "", ""))
		}
	}
	return recs, t, append(warnings, jumped(s.Trials, &after, f)...), nil
}

// jumped warns of a report beyond a level that is taken for one at it, unless one of the trials had such a report
// before: a study is warned once.
func jumped(trials []study.Trial, after *study.Trial, f *study.Fidelity) []string {
	level, at := f.FirstJumped(after.Course)
	before := func(t study.Trial) bool { level, _ := f.FirstJumped(t.Course); return level > 0 }
	if level == 0 || slices.ContainsFunc(trials, before) {
		return nil
	}
	return []string{fmt.Sprintf("trial %s has no report at level %v, and its report at %v replaces it; "+
		"report at levels, so that trials are compared at the same %s", after.ID(), level, at, f.Name)}
}

// unknown are the points that the journal does not have; one that differs from its own is a conflict, or left out, with
// a warning unless a leg went over it once more.
func unknown(t *study.Trial, rep study.Report, f *study.Fidelity) (fresh []study.Point, warnings []string, err error) {
	for k, p := range rep.Points {
		if !(p.Resource > 0) || p.Resource > f.High() {
			return nil, nil, study.Errorf(study.Usage, "", "%s must be above 0 and at most %s, not %s", f.Name, show(f.High()),
				show(p.Resource))
		}
		if f.Averaged() && p.Resource != float64(int(p.Resource)) {
			return nil, nil, study.Errorf(study.Usage, "", "%s must be a whole number, not %s", f.Name, show(p.Resource))
		}
		was := t.Course.Find(p.Resource)
		switch {
		case was == nil:
			fresh = append(fresh, p)
		case agree(was.Observation, p.Observation):
		case rep.Mode == study.Replace:
		case t.Course.Leg() >= 2 && !f.Resume && p.Resource <= t.Course.Last().From:
		default:
			text := fmt.Sprintf("trial %s has at %s %s already: %s; now: %s", t.ID(), f.Name, show(p.Resource),
				outcomes(was.Observation), outcomes(p.Observation))
			if !rep.First || k == len(rep.Points)-1 {
				return nil, nil, study.Errorf(study.Conflict, "To correct it: --replace.", "%s", text)
			}
			warnings = append(warnings, text+"; the first one counts")
		}
	}
	return fresh, warnings, nil
}

// agree reports whether a report says the same as the records: omitted values are not compared.
func agree(was, now study.Observation) bool {
	for name, v := range now.Values.All() {
		if w, known := was.Values.Get(name); known && w != v {
			return false
		}
	}
	return (now.Cost == nil || was.Cost == nil || equal(was.Cost, now.Cost)) &&
		(now.Stderr == nil || equal(was.Stderr, now.Stderr))
}

func show(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// report makes the records of points that are new, and the trial after them.
func (s *State) report(t *study.Trial, fresh []study.Point, rep study.Report, f *study.Fidelity,
	rule Rule) (recs []Record, after study.Trial, err error) {
	after = *t
	var curve [][2]float64
	for k, p := range fresh {
		rep.Observation = p.Observation
		r, err := checked(rep)
		if err != nil {
			return nil, after, err
		}
		r.Trial, r.Tag, r.Resource, r.Leg = t.Number, t.Tag, p.Resource, t.Course.Leg()
		last := k == len(fresh)-1
		if last {
			r.Params = rep.Params
		}
		if r.State == study.Failed { // not a number: the known values, then the failure
			if !slices.Contains(takes[KindObserve], after.State) {
				return nil, after, study.Errorf(study.Conflict, "To correct it: --replace.", "trial %s is %s; now: %s=%s at %s %s",
					t.ID(),
					describe(t.State, t.Failure, t.Observation), s.objective, r.Raw, f.Name, show(p.Resource))
			}
			r.Kind, after.State = KindObserve, r.State
			return append(recs, r), after, nil
		}
		if v, only := r.Values.Get(s.objective); !last && only && plain(p.Observation) {
			curve = append(curve, [2]float64{p.Resource, v})
			continue
		}
		r.Kind, r.Curve = KindReport, curve
		curve = nil
		seq := s.Seq + len(recs) + 1
		after = s.judge(&r, after, seq, f, rule)
		recs = append(append(recs, r), extras(r.Trial, r.Tag, p.Observation)...)
	}
	return recs, after, nil
}

// judge fills the state and the verdict of a report that is to be record seq, and returns the trial after it.
func (s *State) judge(r *Record, before study.Trial, seq int, f *study.Fidelity, rule Rule) study.Trial {
	r.State, r.Verdict = before.State, study.VerdictGo
	after := before // as long as the verdict is not known
	folding{s}.applyReport(&after, r, seq)
	c := after.Course
	var seen []int
	for k := range f.Levels {
		_, _, was := f.Entry(before.Course, k)
		if _, _, is := f.Entry(c, k); is && !was {
			seen = append(seen, k)
		}
	}
	full := f.Resource(c) >= f.High()
	switch state := after.State; {
	case full:
		r.State, r.Verdict = study.Complete, study.VerdictDone
	case state == study.Complete:
		r.Verdict = study.VerdictDone
	case state == study.Stopped || state == study.Abandoned:
		r.Verdict = study.VerdictStop
	case state == study.Paused:
		r.Verdict = study.VerdictPause
	default:
		var why string
		s.Supposing(after, func(trials []study.Trial) { r.Verdict, why = rule.Judge(trials, after.Number, seen) })
		switch r.Verdict {
		case study.VerdictPause:
			r.State = study.Paused
		case study.VerdictStop:
			r.State, r.Note = study.Stopped, cmp.Or(r.Note, why)
		}
	}
	folding{s}.applyReport(&before, r, seq)
	return before
}

// plain reports whether a point has nothing but its values.
func plain(o study.Observation) bool {
	return o.Cost == nil && o.Stderr == nil && len(o.Stderrs) == 0 && o.Duration == nil && len(o.Metrics) == 0 &&
		len(o.Values) == 1
}

// thin leaves points out of a long curve, so that a record has at most curveMost. Points with more than a finite value
// stay. The others stay at levels, or first beyond a level, at the ends, and evenly between.
func thin(points []study.Point, f *study.Fidelity) []study.Point {
	if len(points) <= curveMost || f.Averaged() {
		return points
	}
	var out []study.Point
	for len(points) > 0 {
		n := 0
		for n < len(points)-1 && plain(points[n].Observation) && !slices.ContainsFunc(points[n].Values, endless) {
			n++
		}
		room := curveMost - len(f.Levels)
		for i, p := range points[:n] {
			level := i > 0 && f.LevelAt(points[i-1].Resource) != f.LevelAt(p.Resource)
			if n <= curveMost || i == 0 || level || i*(room-1)/(n-1) != (i-1)*(room-1)/(n-1) {
				out = append(out, p)
			}
		}
		out, points = append(out, points[n]), points[n+1:]
	}
	return out
}

func endless(m study.Member[float64]) bool { return !finite(m.Value) }

// correct replaces the value at one resource; promotions already made stand.
func correct(s *State, t *study.Trial, rep study.Report, f *study.Fidelity) ([]Record, *study.Trial, []string, error) {
	if len(rep.Points) != 1 {
		return nil, nil, nil, study.Errorf(study.Usage, "", "--replace corrects one value")
	}
	p := rep.Points[0]
	same := rep.Params == nil || s.ran(t, rep.Params)
	if was := t.Course.Find(p.Resource); was != nil && t.State != study.Failed && agree(was.Observation, p.Observation) &&
		same {
		return nil, t, nil, nil
	}
	rep.Observation = p.Observation
	r, err := checked(rep)
	if err != nil {
		return nil, nil, nil, err
	}
	r.Kind, r.Trial, r.Tag, r.Params, r.Resource = KindReplace, t.Number, t.Tag, rep.Params, p.Resource
	if r.State == study.Failed {
		return []Record{r}, t, nil, nil
	}
	c := t.Course.Clone()
	c.Put(study.Point{Resource: p.Resource, Observation: p.Observation})
	reached := f.Resource(c)
	switch last := c.Last(); {
	case reached >= f.High():
		r.State = study.Complete
	case t.State != study.Failed:
		r.State = t.State
	case last != nil && reached >= last.To:
		r.State = study.Paused
	default:
		r.State = study.Stopped
	}
	return append([]Record{r}, extras(r.Trial, r.Tag, p.Observation)...), t, nil, nil
}

// promotion is the record by which a trial gets a further leg.
func promotion(s *State, t *study.Trial, task study.Task, worker, key, flags string) Record {
	seen := cmp.Or(task.Seen, s.Seq)
	return Record{Kind: KindPromote, Trial: t.Number, Tag: t.Tag, Leg: t.Course.Leg() + 1, To: task.To,
		From: seen, Source: task.Source, Cut: task.Cut.Search, FitCut: task.Cut.Fits, Worker: worker, Key: key, Flags: flags}
}
