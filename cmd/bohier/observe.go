package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bohier/internal/execute"
	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

// joined is a report with the flags of commands that report a measurement. alone: a note
// or metrics may be all.
func (s call) joined(st *study.Study, t study.Report, alone bool) (study.Report, error) {
	if s.changed("cost") {
		t.Cost = new(s.number("cost"))
	}
	if err := readStderr(st, s.list("stderr"), &t); err != nil {
		return t, err
	}
	t.Note = cmp.Or(s.text("note"), t.Note)
	given := map[string]any{}
	for _, text := range s.list("metric") {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return t, usage("such as --metric accuracy=0.9", "%q is not NAME=VALUE", text)
		}
		if name = space.Name(name); given[name] != nil {
			return t, usage("", "the metric %s is given twice", name)
		}
		given[name] = execute.ParseMetric(value)
	}
	t.Metrics = t.Metrics.With(study.NamedOf(given))
	// Recording refuses these, too, but knows no line of a file.
	for k, v := range []*float64{t.Cost, t.Stderr, t.Duration} {
		if v != nil && (!(*v >= 0) || math.IsInf(*v, 0)) {
			name := []string{"cost", "stderr", "duration"}[k]
			return t, usage("", "%s must be a number that is not negative, not %v", name, *v)
		}
	}
	fail := study.Failure(s.text("fail"))
	if v, both := t.Values.Get(st.Objective().Name); both && fail != "" {
		return t, usage("a trial has one or the other; --note says more", "%s = %v and --fail %s are given",
			st.Objective().Name, v, fail)
	}
	if t.Failure = cmp.Or(fail, t.Failure); t.Failure == "" && len(t.Values) == 0 && !(alone && remarks(t)) {
		return t, usage("a number, or NAME=NUMBER, or --fail infeasible|transient", "nothing is reported")
	}
	return t, nil
}

// remarks reports whether a report is a note or metrics alone.
func remarks(t study.Report) bool {
	return (t.Note != "" || len(t.Metrics) > 0) && len(t.Values) == 0 && len(t.Points) == 0 &&
		t.Failure == "" && t.Cost == nil && t.Stderr == nil && len(t.Stderrs) == 0
}

// readStderr reads the standard errors of --stderr.
func readStderr(st *study.Study, texts []string, t *study.Report) (err error) {
	given := map[string]any{}
	for _, text := range texts {
		name, value, named := strings.Cut(text, "=")
		if name = space.Name(name); !named {
			value = text
			if name, err = st.Unnamed("--stderr ", text); err != nil {
				return err
			}
		}
		if given[name] != nil {
			return usage("", "the standard error of %s is given twice", name)
		}
		given[name] = value
	}
	if err := execute.Stderrs(st, given, &t.Observation); err != nil {
		return usage("a number such as 0.02, or NAME=NUMBER", "%v", err)
	}
	return nil
}

// readValues reads VALUE or NAME=VALUE… arguments.
func readValues(st *study.Study, texts []string) (t study.Report, err error) {
	var fields []field
	for _, text := range texts {
		name, value, named := strings.Cut(text, "=")
		if !named {
			name, value = "", text
		}
		if name == "" {
			if name, err = st.Unnamed("", text); err != nil {
				return t, err
			}
		}
		fields = append(fields, field{meaningOf(st, name, nil), value})
	}
	object, metrics, err := readFields(st, fields, nil)
	if err != nil {
		return t, err
	}
	if t, err = execute.ResultOf(st, object); err != nil && !execute.Lacks(err) {
		return t, usage("a number such as 0.42, or NAME=NUMBER", "%v", err)
	}
	t.Metrics = t.Metrics.With(metrics)
	return t, nil
}

func outcomeNames(st *study.Study) []string {
	names := st.Outcomes()
	if st.Cost != nil && !slices.Contains(names, st.Cost.Name) {
		names = append(names, st.Cost.Name)
	}
	return names
}

// given is the result that arguments or the file of --json have.
func (s call) given(st *study.Study, values []string) (t study.Report, err error) {
	file := s.text("json")
	switch {
	case file == "":
		return readValues(st, values)
	case len(values) > 0:
		return t, usage("", "give the values as arguments or with --json, not both")
	}
	data, err := s.readFile(file)
	if err != nil {
		return t, err
	}
	t, err = execute.ParseResults(st, string(data))
	if st.Several() && execute.Lacks(err) { // that is reported where the earlier reports are known
		err = nil
	} else if err != nil {
		err = usage("such as "+execute.ResultExample(st), "%s: %v", shownFile(file), err)
	}
	return t, err
}

// asReport is the report that arguments and flags make; nothing but remarks where they are all.
func (s call) asReport(st *study.Study, values []string) (t study.Report, err error) {
	replace, replicate, key := s.on("replace"), s.on("replicate"), s.text("key")
	switch {
	case replace && replicate:
		return t, usage("", "--replace and --replicate exclude each other")
	case key != "" && !replicate:
		return t, usage("an observation is recorded once anyway", "--key goes with --replicate")
	}
	alone := !replace && !replicate && !s.on("partial") && !s.on("ask") && !s.changed("at") && len(s.list("actual")) == 0
	if t, err = s.given(st, values); err == nil {
		t, err = s.joined(st, t, alone)
	}
	if err != nil || remarks(t) {
		return t, err
	}
	switch {
	case replace:
		t.Mode = study.Replace
	case replicate:
		t.Mode = study.Replicate
	}
	t.Partial, t.Key, t.Ask = s.on("partial"), key, s.on("ask")
	if t.Actual, err = assignment(st, s.list("actual")); err != nil {
		return t, err
	}
	at, err := s.resource(st, "at", "there is no fidelity to report at", false)
	if err == nil && at != 0 && t.At != 0 && t.At != at {
		err = usage("", "the value is said to be at %v and at %v", t.At, at)
	}
	t.At = cmp.Or(at, t.At)
	return t, err
}

func runObserve(s call, session runner.Session, args []string) error {
	id := strings.TrimPrefix(args[0], "=") // see numbersAreNoFlags
	t, err := s.asReport(session.Study, args[1:])
	if err != nil {
		return err
	}
	if remarks(t) {
		annotate := func(now *journal.State, id string) ([]journal.Record, *study.Trial, error) {
			return now.Annotate(id, t.Note, t.Metrics)
		}
		return eachTrial(s, session, []string{id}, annotate)
	}
	session.Warn = func(line string) { s.Log.warn(line) }
	trial, was, err := session.Observe(s.ctx, id, t)
	if err != nil {
		return err
	}
	again := safe
	if t.Mode == study.Replicate && t.Key == "" {
		again = twice
	}
	if trial.State == study.Failed && t.Failure == "" {
		s.Log.warn(fmt.Sprintf("trial %s is recorded as failed: %s", trial.ID(), trial.Note))
	}
	receipt := report.ReceiptOf(session.Study, &trial, was != nil)
	if was != nil && t.Mode == study.Replace && (len(was.Values) > 0 || was.State == study.Failed) {
		receipt.Was, receipt.Changes = was.Values, report.Changes(session.Study, was, &trial)
	}
	if err := printReceipts(s, []report.Receipt{receipt}, false, again); err != nil || !t.Ask {
		return err
	}
	return verdictError(receipt.Verdict)
}
