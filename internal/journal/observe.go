package journal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"bohier/internal/study"
)

// Observe decides on the outcome of a trial, which it returns as it is. No records mean that the journal
// says so already. A value that is NaN or infinite makes the trial failed, with the
// value as its note. Late results of abandoned trials are accepted.
func (s *State) Observe(id string, rep study.Report) ([]Record, *study.Trial, error) {
	return s.on(id, func(t *study.Trial) ([]Record, error) { return s.observe(t, rep) })
}

func (s *State) observe(t *study.Trial, rep study.Report) ([]Record, error) {
	r, err := checked(rep)
	if err != nil {
		return nil, err
	}
	r.Trial, r.Tag, r.Params = t.Number, t.Tag, rep.Params
	if rep.Mode == study.Replicate {
		return s.replicate(t, r, rep)
	}
	open := isOpen(t)
	switch { // metrics and notes of earlier reports stay
	case rep.Mode == study.Replace:
		for _, o := range t.Observations() {
			rep.Metrics = o.Metrics.With(rep.Metrics)
		}
		rep.Duration = cmp.Or(rep.Duration, t.Duration)
		if r.Note == "" && r.Raw == "" && t.State == r.State && t.Failure == r.Failure {
			r.Note = t.Note
		}
	case open:
		rep.Metrics = t.Metrics.With(rep.Metrics)
	}
	if rep.Mode == study.Once && r.State == study.Complete && (open || t.State == study.Complete) {
		if more, err := supplement(t, &r); err != nil {
			return nil, err
		} else if more.Values != nil && (rep.Partial || t.State == study.Complete) {
			more.Kind = KindPartial
			return append([]Record{more}, missing(t, rep.Observation)...), nil
		} else if rep.Partial {
			return append(missing(t, rep.Observation), remark(t, rep.Note)...), nil
		}
	}
	if rep.Mode == study.Once && r.State == study.Failed && s.fidelity == nil && (open || t.State == study.Failed) {
		if _, err := supplement(t, &r); err != nil { // earlier reports stay
			return nil, err
		}
	}
	switch same := s.same(t, &r, rep.Observation); {
	case slices.Contains(takes[KindObserve], t.State):
		r.Kind = KindObserve
		r.Resource, r.Leg = rep.At, t.Course.Leg()
	case same:
		return append(missing(t, rep.Observation), remark(t, rep.Note)...), nil
	case rep.Mode == study.Replace:
		r.Kind = KindReplace
	default:
		return nil, study.Errorf(study.Conflict,
			"To correct it: --replace. To add a further measurement: --replicate.",
			"trial %s is already observed: %s; now: %s", t.ID(), describe(t.State, t.Failure, t.Observation),
			describe(r.State, r.Failure, recorded(rep.Observation, &r)))
	}
	return append([]Record{r}, extras(t.Number, t.Tag, rep.Observation)...), nil
}

// replicate decides on a further measurement of a trial's configuration, which r describes. One whose key is known is
// not recorded again.
func (s *State) replicate(t *study.Trial, r Record, rep study.Report) ([]Record, error) {
	before, known := s.replicated[rep.Key]
	known = known && rep.Key != ""
	switch {
	case known && before.trial == t.Number && sameObservation(before.Observation, r.observation()):
		if n := len(t.Replicates); n > 0 && n == before.at { // its metrics may have been cut off
			return extras(t.Number, t.Tag, beyond(&t.Replicates[n-1], rep.Observation)), nil
		}
		return nil, nil
	case known:
		return nil, study.Errorf(study.Conflict, "Use another key.",
			"key %q is a further measurement of trial %s: %s; now of trial %s: %s",
			rep.Key, s.Trials[before.trial-1].ID(), describe(study.Complete, "", before.Observation), t.ID(),
			describe(r.State, r.Failure, r.observation()))
	case t.State != study.Complete:
		return nil, study.Errorf(study.Conflict, "Observe it first.",
			"trial %s is %s; only a complete trial can be measured again", t.ID(), t.State)
	case t.Stale:
		return nil, study.Errorf(study.Conflict,
			"`bohier run` and `bohier suggest` begin a new context with the best configuration of before; `bohier enqueue` "+
				"asks for any other.",
			"trial %s was measured under another context; a further measurement is a new trial", t.ID())
	case r.State != study.Complete:
		return nil, study.Errorf(study.Conflict, "", "a further measurement of trial %s needs finite values", t.ID())
	}
	r.Kind, r.Key = KindReplicate, rep.Key
	return append([]Record{r}, extras(t.Number, t.Tag, rep.Observation)...), nil
}

// Supposing calls ask with the trials as they would be with t in the place of the one with its number.
func (s *State) Supposing(t study.Trial, ask func(trials []study.Trial)) {
	s.own()
	at := s.Number(t.Number)
	was := *at
	*at = t
	ask(s.Trials)
	*at = was
}

// supplement adds a trial's earlier values to an outcome: the values that were reported before the others. more are the
// additions of the outcome; it has no values where the trial has none, or all of them. The error is a study.Conflict
// where the trial has another value; one of a complete trial is left to the caller.
func supplement(t *study.Trial, r *Record) (more Record, err error) {
	var fresh study.Values
	for name, v := range r.Values.All() {
		was, known := t.Values.Get(name)
		switch {
		case !known:
			fresh.Set(name, v)
		case was != v && t.State == study.Complete:
			return Record{}, nil
		case was != v:
			return Record{}, study.Errorf(study.Conflict, "To correct it, report all values with --replace.",
				"%s of trial %s is already observed: %v; now: %v", name, t.ID(), was, v)
		}
	}
	if len(fresh) > 0 {
		more = Record{Trial: r.Trial, Tag: r.Tag, Values: fresh, Stderrs: r.Stderrs, Cost: r.Cost,
			Stderr: r.Stderr, Note: r.Note}
		for name := range r.Stderrs.All() {
			if _, now := fresh.Get(name); !now {
				more.Stderrs.Delete(name)
			}
		}
	}
	r.Values, r.Stderrs = t.Values.With(r.Values), t.Stderrs.With(r.Stderrs)
	r.Cost, r.Stderr = cmp.Or(r.Cost, t.Cost), cmp.Or(r.Stderr, t.Stderr)
	return more, nil
}

// recorded is an observation as the journal will hold it: the outcomes of r, which are finite, with its metrics.
func recorded(o study.Observation, r *Record) study.Observation {
	out := r.observation()
	out.Metrics, out.Duration = o.Metrics, o.Duration
	return out
}

// extras is the record of an observation's values beside its outcomes: none for nothing.
func extras(number int, tag string, o study.Observation) []Record {
	if len(o.Metrics) == 0 && o.Duration == nil {
		return nil
	}
	return []Record{{Kind: KindMeasure, Optional: true, Trial: number, Tag: tag, Metrics: o.Metrics, Seconds: o.Duration}}
}

// missing is the record of an observation's values that the trial lacks: a metric that comes later,
// or one that a crash kept from being written.
func missing(t *study.Trial, o study.Observation) []Record {
	more := beyond(&t.Observation, o)
	if n := len(t.Replicates); n > 0 { // a measure record speaks of the last measurement
		more = beyond(&t.Replicates[n-1], more)
		more.Duration = nil
	}
	return extras(t.Number, t.Tag, more)
}

// beyond are the notes and metrics of o that a measurement lacks.
func beyond(have *study.Observation, o study.Observation) study.Observation {
	var more study.Observation
	for name, v := range o.Metrics.All() {
		if _, known := have.Metrics.Get(name); !known {
			more.Metrics.Set(name, v)
		}
	}
	if have.Duration == nil {
		more.Duration = o.Duration
	}
	return more
}

// recordOf is a record with the outcome of a report.
func recordOf(rep study.Report) Record {
	r := Record{State: study.Complete, Failure: rep.Failure, Note: rep.Note, Values: rep.Values, Cost: rep.Cost,
		Stderr: rep.Stderr, Stderrs: rep.Stderrs}
	if rep.Failure != "" {
		r.State = study.Failed
	}
	return r
}

// checked is recordOf a report that may be recorded. A value that is not finite is a failure.
func checked(rep study.Report) (Record, error) {
	r := recordOf(rep)
	r.Values = nil
	for k, v := range []*float64{rep.Cost, rep.Stderr, rep.Duration} {
		if v != nil && (!finite(*v) || *v < 0) {
			what := []string{"cost", "the standard error", "the duration"}[k]
			return r, study.Errorf(study.Usage, "", "%s must be finite and not negative, not %v", what, *v)
		}
	}
	for name, v := range rep.Stderrs.All() {
		if !finite(v) || v < 0 {
			return r, study.Errorf(study.Usage, "", "the standard error of %s must be finite and not negative, not %v", name, v)
		}
	}
	if err := study.CheckMetrics(rep.Metrics); err != nil {
		return r, err
	}
	if err := checkNote(rep.Note); err != nil {
		return r, err
	}
	if !slices.Contains(failures, rep.Failure) {
		return r, study.Errorf(study.Usage, "One of: infeasible, transient.", "unknown failure %q", rep.Failure)
	}
	for name, v := range rep.Values.All() {
		if finite(v) {
			r.Values.Set(name, v)
			continue
		}
		if r.State != study.Failed {
			r.State, r.Failure = study.Failed, study.Infeasible
		}
		r.Raw = cmp.Or(r.Raw, raw(v))
	}
	if r.State == study.Complete && len(r.Values) == 0 {
		return r, study.Errorf(study.Usage, "", "an observation needs a value or a failure")
	}
	return r, nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// raw is a value that is not finite, as text: nan, inf or -inf.
func raw(v float64) string { return strings.TrimPrefix(strings.ToLower(show(v)), "+") }

// same reports whether a trial already has the outcome of r, and no metric that contradicts those of r. A duration is
// not compared: measuring the time of a repeated report gives another one.
func (s *State) same(t *study.Trial, r *Record, reported study.Observation) bool {
	if t.State != r.State || t.Failure != r.Failure || r.Raw != "" && t.Note != r.Raw {
		return false
	}
	if r.Params != nil && !s.ran(t, r.Params) {
		return false
	}
	for name, v := range reported.Metrics.All() {
		was, known := t.Metrics.Get(name)
		if known && was != v {
			return false
		}
	}
	o := r.observation()
	if s.fidelity != nil && r.State == study.Failed && len(o.Values) == 0 { // those it had before it failed stay
		return true
	}
	return slices.Equal(t.Values, o.Values) && agrees(&t.Observation, &o)
}

// ran reports whether a trial has a configuration of today: as it was recorded, or as today's space reads it.
func (s *State) ran(t *study.Trial, params []byte) bool {
	return sameParams(params, s.Params(t.Number)) ||
		t.Config.Active != nil && sameParams(params, s.space.AppendJSON(nil, t.Config))
}

// agrees reports whether a measurement has the cost and the standard errors that another one gives.
func agrees(t, o *study.Observation) bool {
	for name, v := range o.Stderrs.All() {
		if was, known := t.Stderrs.Get(name); !known || was != v {
			return false
		}
	}
	return (o.Cost == nil || equal(t.Cost, o.Cost)) && (o.Stderr == nil || equal(t.Stderr, o.Stderr))
}

// sameObservation reports whether two measurements say the same.
func sameObservation(a, b study.Observation) bool {
	alike := func(x, y *float64) bool { return x == nil && y == nil || equal(x, y) }
	return slices.Equal(a.Values, b.Values) && alike(a.Cost, b.Cost) && alike(a.Stderr, b.Stderr) &&
		slices.Equal(a.Stderrs, b.Stderrs)
}

// sameParams reports whether two objects of parameters give the same values. A value is its text here, quoted or not:
// records written before choices had types have "16" for 16.
func sameParams(a, b []byte) bool {
	x, y := texts(a, nil), texts(b, nil)
	return len(x) == len(y) && !slices.ContainsFunc(x, func(m text) bool {
		v := find(y, m.name)
		return v == nil || !sameText(v, m.value)
	})
}

func sameText(a, b []byte) bool { return bytes.Equal(a, b) || unquoted(a) == unquoted(b) }

// unquoted is the text of a string, or the compact JSON of anything else.
func unquoted(v json.RawMessage) string {
	var text string
	if len(v) > 0 && v[0] == '"' && json.Unmarshal(v, &text) == nil {
		return text
	}
	return string(compact(v))
}

func equal(a, b *float64) bool { return a != nil && b != nil && *a == *b }

func describe(st study.State, f study.Failure, o study.Observation) string {
	text := string(st)
	if f != "" {
		text += " (" + string(f) + ")"
	}
	if said := outcomes(o); said != "" {
		text += " " + said
	}
	return text
}

// outcomes is an observation in words.
func outcomes(o study.Observation) string {
	text := ""
	for name, v := range o.Values.All() {
		text += fmt.Sprintf(" %s=%s", name, show(v))
	}
	if o.Cost != nil {
		text += fmt.Sprintf(" cost=%v", *o.Cost)
	}
	if o.Stderr != nil {
		text += fmt.Sprintf(" stderr=%v", *o.Stderr)
	}
	for name, v := range o.Stderrs.All() {
		text += fmt.Sprintf(" stderr.%s=%v", name, v)
	}
	for name, v := range o.Metrics.All() {
		text += fmt.Sprintf(" %s=%v", name, v)
	}
	return strings.TrimPrefix(text, " ")
}
