package main

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/execute"
	"bohier/internal/lazy"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

type gateOptions struct {
	baseline  string
	by        string
	objective objectiveFlag // to compare, of several
	margin    margin
	repeats   int
	measured  []float64 // --measured: in place of running the command
}

func newGate(g *globals) *cobra.Command {
	var o gateOptions
	c := g.command("gate --baseline FILE [flags]", args(0, 0, ""), o.run, 6, 7, 9, 10, 11, 130)
	f := c.Flags()
	f.StringVar(&o.baseline, "baseline", "", "`FILE` with what `bohier best -o json` printed")
	g.oneOf(c, f, &o.by, "by", "rank by recorded values or by posterior means", "auto", "observed", "posterior")
	o.objective.add(f, c, g)
	f.Var(&o.margin, "margin", "largest accepted loss: `NUMBER[%]`, absolute or in percent of the baseline")
	f.IntVar(&o.repeats, "repeats", 1, "measure the best trial again `N` times")
	f.Float64SliceVar(&o.measured, "measured", nil,
		"new measurement `VALUE`, in place of a run of the command; repeatable")
	g.addFormat(c, "text", "json", "yaml", "junit", "github")
	return c
}

// A margin is the value of --margin.
type margin struct {
	text    string
	value   float64
	percent bool
}

func (m *margin) String() string { return m.text }
func (m *margin) Type() string   { return "margin" }

func (m *margin) Set(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || v < 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return usage("such as --margin 0.5% or --margin 0.01", "%q is no margin", text)
	}
	*m = margin{text, v, percent}
	return nil
}

// of is the margin in units of the objective.
func (m *margin) of(now, base report.Quality) float64 {
	switch {
	case m.percent:
		return m.value / 100 * math.Abs(base.Value)
	case m.text == "" && now.Stderr != nil && base.Stderr != nil:
		return 2 * math.Hypot(*now.Stderr, *base.Stderr)
	}
	return m.value
}

func (o *gateOptions) run(s call, args []string) error {
	if o.baseline == "" {
		return usage("bohier best -o json > baseline.json makes one", "name the baseline with --baseline FILE")
	}
	if o.repeats < 1 {
		return usage("", "--repeats must be at least 1, not %d", o.repeats)
	}
	for _, v := range o.measured {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return usage("a value that is none is a no", "--measured must be finite, not %v", v)
		}
	}
	session, err := s.session()
	if err != nil {
		return err
	}
	whole := session
	goals, err := o.objective.of(session)
	if err != nil {
		return err
	}
	if len(goals) > 1 {
		return usage("one of: "+strings.Join(goalNames(session.Study), ", "),
			"name the objective to compare with --objective NAME")
	}
	session = goals[0]
	st := session.Study
	base, err := o.read(s, st)
	if err != nil {
		return err
	}
	state, err := s.state(whole)
	if err != nil {
		return err
	}
	stale := len(st.Best(state.Trials, 1)) == 0 // then the best of before is measured again
	for k := range state.Trials {
		if t := &state.Trials[k]; stale && t.Stale {
			t.Outside, t.Stale = false, false
		}
	}
	find := bestOptions{by: o.by, count: 1}
	if session.Noisy(state) && base.By == "observed" { // like is compared with like
		if o.by == "posterior" {
			return usage("write --by observed, or make a new baseline with `bohier best --by posterior -o json`",
				"the baseline %s is a luckiest value, which no mean can be compared with", shownFile(o.baseline))
		}
		find.by = "observed"
	}
	find.at = st.Fidelity.High() // what is not trained out is not compared
	best, l, err := find.find(s, session, state)
	if err != nil {
		return err
	}
	now := report.TrialOf(st, &best[0], l)
	believed := now.By == "posterior" // then both are compared by their means
	if session.Noisy(state) {
		s.Log.warn(o.unlike(&now, base, st.Objective().Name)...)
	}
	result := report.Gate{
		Schema: "bohier/gate/1", Study: st.Name, Objective: st.Objective().Name, Direction: st.Objective().Direction.String(),
		Best:     qualityOf(st, &now, believed),
		Baseline: qualityOf(st, base, believed && (base.By == "posterior" || o.by == "posterior")),
	}
	result.Worse = st.Objective().Direction.Sign() * (result.Best.Value - result.Baseline.Value)
	result.Margin = o.margin.of(result.Best, result.Baseline)
	if result.OK = stale || result.Worse <= result.Margin; result.OK {
		sd := 0.0 // of one measurement
		if l.Board != nil {
			sd = l.Board.Noise[st.Objective().Name].SD
		} else if se := best[0].ErrorOf(st.Objective().Name); se != nil {
			sd = *se
		}
		if err := o.again(s.ctx, whole, st, &best[0], sd, &result); err != nil {
			return err
		}
	}
	out, err := structured(s.format, []report.Gate{result}, false)
	if err != nil {
		return err
	}
	switch s.format.name {
	case "text":
		out = append([]byte(result.Text()), '\n')
	case "junit":
		out = result.JUnit()
	case "github":
		file := s.file()
		out = result.GitHub(file, lineOfObjective(s.path(file)))
	}
	if err := s.show(out); err != nil || result.OK {
		return err
	}
	return study.Errorf(study.No, "a larger --margin, or a new baseline: bohier best -o json", "%s", result.Text())
}

// again measures the best trial now and lets that decide. sd is the deviation of one
// measurement; 0: not known.
func (o *gateOptions) again(ctx context.Context, c runner.Session, st *study.Study, t *study.Trial, sd float64,
	r *report.Gate) error {
	values := o.measured
	if len(values) == 0 {
		if !c.Study.Run.Runs() {
			return usage("measure its configuration (`bohier show "+t.ID()+" -o args`), and add --measured VALUE",
				"trial %s has to be measured again, and the study has no command", t.ID())
		}
		told, err := execute.Measure(ctx, c, filepath.Dir(st.File), filepath.Join(runner.FilesDir(st), "gate"), t.Config,
			o.repeats)
		if err != nil {
			return err
		}
		for _, m := range told {
			v, ok := m.Values.Get(st.Objective().Name)
			if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
				return study.Errorf(study.NoResult, "mend the command, or what it tests",
					"trial %s measured again has no value of %s", t.ID(), st.Objective().Name)
			}
			if r.Violates = r.Violates || !c.Study.Feasible(&study.Trial{Observation: m}); m.Stderr != nil {
				sd = *m.Stderr
			}
			values = append(values, v)
		}
	}
	now := report.Quality{Trial: t.ID()}
	for _, v := range values {
		now.Value += v / float64(len(values))
	}
	if sd > 0 {
		sd /= math.Sqrt(float64(len(values)))
		now.Stderr = &sd
	}
	r.Now, r.Measured = &now, values
	r.Worse = st.Objective().Direction.Sign() * (now.Value - r.Baseline.Value)
	r.Margin = o.margin.of(now, r.Baseline)
	r.OK = r.Worse <= r.Margin && !r.Violates
	return nil
}

// unlike says what luck there is in a comparison of noisy values.
func (o *gateOptions) unlike(now, base *report.Trial, objective string) []string {
	const instead = "; `bohier best -o json` makes a baseline of what is believed"
	file := shownFile(o.baseline)
	_, mean := base.Posterior.Of(objective)
	switch {
	case now.By == "observed" && base.By == "observed":
		return []string{"values are noisy, and the baseline " + file +
			" is the luckiest of them: the luckiest values are compared, and more trials have luckier ones" + instead}
	case now.By == "observed" && base.By == "posterior":
		return []string{"values are noisy: the baseline " + file +
			" is a leader, and one of its values is compared with the luckiest"}
	case now.By == "posterior" && !mean && base.ErrorOf(objective) == nil:
		return []string{"values are noisy, and the baseline " + file + " is one value, which may be luck" + instead}
	}
	return nil
}

// read is the baseline, which must fit the study.
func (o *gateOptions) read(s call, st *study.Study) (*report.Trial, error) {
	data, err := s.readFile(o.baseline)
	if err != nil {
		return nil, err
	}
	const hint = "it must be what `bohier best -o json` printed for this study"
	var t report.Trial
	if err := json.Unmarshal(data, &t); err != nil || t.Params == nil {
		return nil, usage(hint, "%s is no baseline", shownFile(o.baseline))
	}
	if _, err := st.Space.ParseJSON(t.Params); err != nil {
		return nil, usage(hint, "the baseline %s is of another space: %v", shownFile(o.baseline), err)
	}
	if v, ok := t.Values.Get(st.Objective().Name); !ok || math.IsNaN(v) {
		return nil, usage(hint, "the baseline %s has no value of the objective %q", shownFile(o.baseline),
			st.Objective().Name)
	}
	if f := &st.Fidelity; t.Resource != nil && *t.Resource < f.High() {
		return nil, usage(hint+" when a trial had all "+report.Number(f.High())+" "+f.Name,
			"the baseline %s is a trial at %v %s only", shownFile(o.baseline), *t.Resource, f.Name)
	}
	return &t, nil
}

// qualityOf is how good a trial is: by what the surrogate believed of it, or by its value.
func qualityOf(st *study.Study, t *report.Trial, believed bool) report.Quality {
	name := st.Objective().Name
	m := report.Quality{Trial: t.ID, Value: t.Values.Of(name), Stderr: t.ErrorOf(name)}
	if e, ok := t.Posterior.Of(name); ok && believed {
		m.Value, m.Stderr = e.Mean, &e.Std
	}
	return m
}

var objectiveKey = lazy.Regexp(`(?m)^objectives?[ \t]*:`)

// lineOfObjective is the line of a study file that declares the objective.
func lineOfObjective(file string) int {
	text, _ := os.ReadFile(file)
	at := objectiveKey().FindIndex(text)
	if at == nil {
		return 1
	}
	return 1 + strings.Count(string(text[:at[0]]), "\n")
}
