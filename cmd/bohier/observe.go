package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/execute"
	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

// tellOptions are the flags of commands that report a measurement.
type tellOptions struct {
	cost   float64
	stderr []string // NUMBER, or NAME=NUMBER
	fail   string
	note   string
	metric []string // NAME=VALUE

	hasCost bool
	alone   bool // a note or metrics may be all that is reported
}

func (o *tellOptions) flags(c *cobra.Command, g *globals) {
	f := c.Flags()
	f.Float64Var(&o.cost, "cost", 0, "cost of the trial, a `NUMBER`")
	f.StringArrayVar(&o.stderr, "stderr", nil, "standard error of the objective: `[NAME=]NUMBER`; repeatable")
	g.optionalOneOf(c, f, &o.fail, "fail", "record a failure; a transient one is no fault of the configuration",
		"infeasible", "transient")
	f.StringVar(&o.note, "note", "", "reason of a failure, or any remark, as `TEXT`")
	f.StringArrayVar(&o.metric, "metric", nil, "number or short text to keep with the trial: `NAME=VALUE`; repeatable")
}

// tell joins the flags to what else was reported.
func (o *tellOptions) tell(st *study.Study, t runner.Tell) (runner.Tell, error) {
	if o.hasCost {
		t.Cost = &o.cost
	}
	if err := o.readStderr(st, &t); err != nil {
		return t, err
	}
	if o.note != "" {
		t.Note = o.note
	}
	given := study.Metrics{}
	for _, text := range o.metric {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return t, usage("such as --metric accuracy=0.9", "%q is not NAME=VALUE", text)
		}
		name = space.Name(name)
		if _, twice := given.Get(name); twice {
			return t, usage("", "the metric %s is given twice", name)
		}
		given.Set(name, execute.ParseMetric(value))
	}
	t.Metrics = t.Metrics.With(given)
	for name, v := range map[string]*float64{"cost": t.Cost, "stderr": t.Stderr} {
		if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0) || *v < 0) {
			return t, usage("", "%s must be a number that is not negative, not %v", name, *v)
		}
	}
	if v, both := t.Values.Get(st.Objective().Name); both && o.fail != "" {
		return t, usage("a trial has one or the other; --note says more", "%s = %v and --fail %s are given",
			st.Objective().Name, v, o.fail)
	}
	switch study.Failure(o.fail) {
	case "":
	case study.Infeasible, study.Transient:
		t.Failure = study.Failure(o.fail)
	default:
		return t, usage("write --fail infeasible or --fail transient", "unknown failure %q", o.fail)
	}
	if t.Failure == "" && len(t.Values) == 0 && !o.remarks(t) {
		return t, usage("a number, or NAME=NUMBER, or --fail infeasible|transient", "nothing is reported")
	}
	return t, nil
}

// remarks reports whether a report is a note or metrics alone, where that is one.
func (o *tellOptions) remarks(t runner.Tell) bool {
	return o.alone && (t.Note != "" || len(t.Metrics) > 0) && len(t.Values) == 0 && len(t.Points) == 0 &&
		t.Failure == "" && t.Cost == nil && len(o.stderr) == 0
}

// readStderr reads the standard errors of --stderr.
func (o *tellOptions) readStderr(st *study.Study, t *runner.Tell) (err error) {
	given := map[string]bool{}
	for _, text := range o.stderr {
		name, value, named := strings.Cut(text, "=")
		if name = space.Name(name); !named {
			value = text
			if name, err = st.Unnamed("--stderr ", text); err != nil {
				return err
			}
		}
		v, ok := execute.ParseNumber(value)
		switch {
		case !ok:
			return usage("a number such as 0.02, or NAME=NUMBER", "--stderr: %q is not a number", value)
		case math.IsNaN(v) || math.IsInf(v, 0) || v < 0:
			return usage("", "stderr must be a number that is not negative, not %v", v)
		case st.Goal(name) < 0:
			return usage("objectives: "+strings.Join(goalNames(st), ", "),
				"the study has no objective %q to have a standard error", name)
		case given[name]:
			return usage("", "the standard error of %s is given twice", name)
		}
		given[name] = true
		st.SetError(&t.Observation, name, v)
	}
	return nil
}

func goalNames(st *study.Study) (names []string) {
	for _, ob := range st.Objectives {
		names = append(names, ob.Name)
	}
	return names
}

// readValues reads VALUE or NAME=VALUE… arguments.
func readValues(st *study.Study, texts []string) (t runner.Tell, err error) {
	for _, text := range texts {
		name, value, named := strings.Cut(text, "=")
		if name = space.Name(name); !named {
			value = text
		}
		if !named || name == "" {
			if name, err = st.Unnamed("", text); err != nil {
				return t, err
			}
		}
		if f := &st.Fidelity; named && f.Names(name) {
			v, ok := execute.ParseNumber(value)
			if !ok || t.At != 0 {
				return t, usage("one resource: "+f.Name+"=3", "%s is not a resource that is given once", text)
			}
			t.At = v
			continue
		}
		if !slices.Contains(outcomeNames(st), name) {
			return t, usage(fmt.Sprintf("outcomes of this study: %s; to keep it as a metric: --metric %s",
				strings.Join(outcomeNames(st), ", "), text),
				"the study measures no %q", name)
		}
		v, ok := execute.ParseNumber(value)
		if !ok {
			return t, usage("a number such as 0.42, or NAME=NUMBER", "%q is not a number", value)
		}
		if _, twice := t.Values.Get(name); twice {
			return t, usage("", "%s is given twice", name)
		}
		if st.Cost != nil && name == st.Cost.Name {
			if t.Cost = &v; !slices.Contains(st.Outcomes(), name) {
				continue
			}
		}
		t.Values.Set(name, v)
	}
	return t, nil
}

func outcomeNames(st *study.Study) []string {
	names := st.Outcomes()
	if st.Cost != nil && !slices.Contains(names, st.Cost.Name) {
		names = append(names, st.Cost.Name)
	}
	return names
}

type observeOptions struct {
	tellOptions
	id        string
	values    []string
	json      string
	actual    []string
	replace   bool
	replicate bool
	partial   bool
	key       string
	at        float64
	placed    bool // --at was given
	ask       bool
}

func newObserve(g *globals) *cobra.Command {
	var o observeOptions
	c := g.command("observe ID [VALUE | NAME=VALUE...] [flags]", args(1, -1, "the trial's id"), onStudy(o.run),
		4, 5, 6, 7, 8, 9, 10, 130)
	c.ValidArgsFunction = g.completeTrials(study.Pending)
	c.Aliases = []string{"tell"}
	o.flags(c, g)
	f := c.Flags()
	f.StringVar(&o.json, "json", "", "read a JSON object with the values from `FILE`; - is stdin")
	f.StringArrayVar(&o.actual, "actual", nil, "value that was really run: `NAME=VALUE`; repeatable")
	f.BoolVar(&o.replace, "replace", false, "overwrite an earlier report")
	f.BoolVar(&o.replicate, "replicate", false, "add a further measurement")
	f.BoolVar(&o.partial, "partial", false, "record some of several objectives; the others follow later")
	f.Float64Var(&o.at, "at", 0, "`RESOURCE` of the value, in a study with a fidelity (default: where the leg ends)")
	f.BoolVar(&o.ask, "ask", false, "exit 10 if the trial is to end here")
	f.StringVar(&o.key, "key", "", "with --replicate: idempotency `KEY`; the same key is recorded once")
	g.completes(c, "actual", g.completeAssignments())
	g.addFormat(c, receiptFormats...)
	return c
}

func (o *observeOptions) run(s call, session runner.Session, args []string) error {
	o.id, o.values = strings.TrimPrefix(args[0], "="), args[1:] // see numbersAreNoFlags
	o.hasCost, o.placed = s.changed("cost"), s.changed("at")
	if o.json != "" && len(o.values) > 0 {
		return usage("", "give the values as arguments or with --json, not both")
	}
	if o.replace && o.replicate {
		return usage("", "--replace and --replicate exclude each other")
	}
	if o.key != "" && !o.replicate {
		return usage("an observation is recorded once anyway", "--key goes with --replicate")
	}
	t, err := readValues(session.Study, o.values)
	if o.json != "" {
		t, err = readJSON(s, session.Study, o.json)
	}
	if err != nil {
		return err
	}
	o.alone = !o.replace && !o.replicate && !o.partial && !o.placed && !o.ask && len(o.actual) == 0
	if t, err = o.tell(session.Study, t); err != nil {
		return err
	}
	if o.remarks(t) {
		trial, recorded, err := session.Update(s.ctx, func(now *journal.State) ([]journal.Record, *study.Trial, error) {
			return now.Annotate(o.id, t.Note, t.Metrics)
		})
		if err != nil {
			return err
		}
		return printReceipts(s, []report.Receipt{report.ReceiptOf(session.Study, &trial, recorded)}, false, safe)
	}
	if t.Actual, err = assignment(session.Study, o.actual); err != nil {
		return err
	}
	t.Replace, t.Replicate, t.Partial, t.Key, t.Ask = o.replace, o.replicate, o.partial, o.key, o.ask
	if err := o.placeValue(session.Study, &t); err != nil {
		return err
	}
	session.Warn = func(line string) { s.Log.warn(line) }
	var was study.Trial // before a correction
	if o.replace {
		state, _, err := session.Read(s.ctx)
		if err != nil {
			return err
		}
		if t, err := state.Trial(o.id); err == nil {
			was = *t
		}
	}
	trial, recorded, err := session.Observe(s.ctx, o.id, t)
	if err != nil {
		return err
	}
	again := safe
	if o.replicate && o.key == "" {
		again = twice
	}
	if trial.State == study.Failed && t.Failure == "" {
		s.Log.warn(fmt.Sprintf("trial %s is recorded as failed: %s", trial.ID(), trial.Note))
	}
	receipt := report.ReceiptOf(session.Study, &trial, recorded)
	if recorded && (len(was.Values) > 0 || was.State == study.Failed) {
		receipt.Was, receipt.Changes = was.Values, report.Changes(session.Study, &was, &trial)
	}
	if err := printReceipts(s, []report.Receipt{receipt}, false, again); err != nil || !o.ask {
		return err
	}
	return verdictError(receipt.Verdict)
}

// placeValue says where the value belongs.
func (o *observeOptions) placeValue(st *study.Study, t *runner.Tell) error {
	if !o.placed {
		return nil
	}
	if err := levelled(st, "there is no fidelity to report at"); err != nil {
		return err
	}
	switch {
	case t.At != 0 && t.At != o.at:
		return usage("", "the value is said to be at %v and at %v", t.At, o.at)
	case !(o.at > 0) || o.at > st.Fidelity.High():
		return usage("", "%s must be above 0 and at most %v, not %v", st.Fidelity.Name, st.Fidelity.High(), o.at)
	}
	t.At = o.at
	return nil
}

// readJSON reads a result object from a file or stdin, or in a study with a fidelity
// a line for each resource.
func readJSON(s call, st *study.Study, file string) (runner.Tell, error) {
	data, err := s.readFile(file)
	if err != nil {
		return runner.Tell{}, err
	}
	t, err := execute.ParseResults(st, string(data))
	// a missing value is reported where the earlier reports are known
	if err != nil && !(st.Several() && execute.Lacks(err)) {
		return t, usage("such as "+execute.ResultExample(st), "%s: %v", shownFile(file), err)
	}
	return t, nil
}
