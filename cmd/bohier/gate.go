package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"bohier/internal/execute"
	"bohier/internal/lazy"
	"bohier/internal/lists"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// marginOf is the largest loss that is accepted, as --margin has it, in units of the objective.
func marginOf(text string) (of func(now, base report.Quality) float64, err error) {
	number, percent := strings.CutSuffix(text, "%")
	value := 0.0
	if text != "" {
		value, err = execute.Reported(number)
	}
	if err != nil || value < 0 || math.IsInf(value, 0) || math.IsNaN(value) {
		return nil, usage("such as --margin 0.5% or --margin 0.01", "--margin: %q is no margin", text)
	}
	return func(now, base report.Quality) float64 {
		switch {
		case percent:
			return value / 100 * math.Abs(base.Value)
		case text == "" && now.Stderr != nil && base.Stderr != nil:
			return 2 * math.Hypot(*now.Stderr, *base.Stderr)
		}
		return value
	}, nil
}

func runGate(v *view, _ []string) error {
	margin, err := marginOf(v.text("margin"))
	file, by, measured := v.text("baseline"), v.text("by"), must(v.command.Flags().GetFloat64Slice("measured"))
	switch {
	case err != nil:
		return err
	case file == "":
		return usage("bohier best -o json > baseline.json makes one", "name the baseline with --baseline FILE")
	}
	for _, value := range measured {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return usage("a run without a number as its value has failed the gate", "--measured must be finite, not %v", value)
		}
	}
	places, err := v.asked(v.text("objective"))
	if err != nil {
		return err
	}
	if len(places) > 1 {
		return usage("one of: "+strings.Join(v.Study.Goals(), ", "), "name the objective to compare with --objective NAME")
	}
	base, err := baselineOf(v.call, v.Study.For(places[0]), file)
	if err := v.read(err); err != nil {
		return err
	}
	whole := v.session
	v = v.goal(places[0])
	result, err := gate{v, whole, by, base, shownFile(file), margin, measured}.compare()
	if err != nil {
		return err
	}
	err = present(v.call, []report.Gate{result}, false, func() []byte {
		switch v.format {
		case "junit":
			return result.JUnit()
		case "github":
			line := slices.IndexFunc(bytes.Split(v.studyText(), []byte("\n")), objectiveKey().Match)
			return result.GitHub(v.file(), 1+max(0, line))
		}
		return []byte(result.Text() + "\n")
	})
	if err != nil || result.OK {
		return err
	}
	answer := "the gate failed"
	if v.format != "text" { // which says the rest
		answer += ": " + result.Text()
	}
	return study.Errorf(study.No, "a larger --margin, or a new baseline: bohier best -o json", "%s", answer)
}

// A gate is a question whether the best of a study is as good as a baseline.
type gate struct {
	*view                   // for the objective alone
	whole    runner.Session // of all objectives
	by       string
	base     *report.Trial
	file     string // of the baseline, for messages
	margin   func(now, base report.Quality) float64
	measured []float64 // the best, measured again; empty: the command does it
}

// compare compares the best with the baseline and, where it holds, measures it again.
func (g gate) compare() (result report.Gate, err error) {
	st, name := g.Study, g.Study.Objective().Name
	stale := len(st.Best(g.Trials, 1)) == 0 // then the best of before is measured again
	for k := range g.Trials {
		if t := &g.Trials[k]; stale && t.Stale {
			t.Outside, t.Stale = false, false
		}
	}
	find := bestOptions{by: g.by, count: 1, at: st.Fidelity.High()} // trials that are not fully trained are not compared
	noisy := g.session.Noisy(g.state)
	if noisy && g.base.By == "observed" { // like is compared with like
		if g.by == "posterior" {
			return result, usage("write --by observed, or make a new baseline with `bohier best --by posterior -o json`",
				"the baseline %s is a luckiest value, which no mean can be compared with", g.file)
		}
		find.by = "observed"
	}
	best, l, err := find.find(g.view)
	if err != nil {
		return result, err
	}
	now := report.TrialOf(st, &best[0], l)
	believed := now.By == "posterior" // then both are compared by their means
	if noisy {
		g.Log.warn(unlike(g.file, &now, g.base, name)...)
	}
	result = report.Gate{
		Schema: "bohier/gate/1", Study: st.Name, Objective: name, Direction: st.Objective().Direction.String(),
		Best:     qualityOf(st, &now, believed),
		Baseline: qualityOf(st, g.base, believed && (g.base.By == "posterior" || g.by == "posterior")),
	}
	result.Worse = st.Objective().Direction.Sign() * (result.Best.Value - result.Baseline.Value)
	result.Margin = g.margin(result.Best, result.Baseline)
	if result.OK = stale || result.Worse <= result.Margin; !result.OK {
		return result, nil
	}
	sd := 0.0 // of one measurement
	if l.Board != nil {
		sd = l.Board.Noise[name].SD
	} else if se := best[0].ErrorOf(name); se != nil {
		sd = *se
	}
	if err := g.remeasure(&best[0], sd, &result); err != nil {
		return result, err
	}
	result.Margin = g.margin(*result.Now, result.Baseline)
	result.OK = result.Worse <= result.Margin && !result.Violates
	return result, nil
}

// remeasure measures the best trial now, unless the values are given, and notes how it compares. sd is the
// deviation of one measurement, 0 where it is not known; reported errors and several values can show a larger one.
func (g gate) remeasure(t *study.Trial, sd float64, r *report.Gate) (err error) {
	name := g.Study.Objective().Name
	again := lists.Of(g.measured, func(v float64) study.Observation {
		return study.Observation{Values: study.Values{{Name: name, Value: v}}}
	})
	if len(again) == 0 {
		if !g.whole.Study.Run.Runs() {
			return usage("run your program with the output of `bohier show "+t.ID()+" -o args` and pass its value on: "+
				"--measured VALUE", "trial %s must be measured again, and the study has no command", t.ID())
		}
		files := filepath.Join(runner.FilesDir(g.Study), "gate")
		again, err = execute.Measure(g.ctx, g.whole, filepath.Dir(g.Study.File), files, t.Config, g.count("repeats"))
		if err != nil {
			return err
		}
		r.Violates = !g.whole.Study.Feasible(&study.Trial{Observation: again[0], Replicates: again[1:]})
	}
	var list []study.Measurement
	for _, m := range again {
		v, ok := m.Values.Get(name)
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			return study.Errorf(study.NoResult, "repair the command, or the program that it tests",
				"trial %s measured again has no value of %s", t.ID(), name)
		}
		if se := m.ErrorOf(name); se != nil {
			sd = max(sd, *se)
		}
		r.Measured, list = append(r.Measured, v), append(list, study.Measurement{Observation: m})
	}
	all := report.Measure([]string{name}, list)
	r.Now = &report.Quality{Trial: t.ID(), Value: all.Mean.Of(name)}
	if sd = max(sd, all.Std.Of(name)); sd > 0 {
		r.Now.Stderr = new(sd / math.Sqrt(float64(len(list))))
	}
	r.Worse = g.Study.Objective().Direction.Sign() * (r.Now.Value - r.Baseline.Value)
	return nil
}

// unlike warns of luck in a comparison of noisy values with the baseline of a file.
func unlike(file string, now, base *report.Trial, objective string) []string {
	const instead = "; `bohier best -o json` makes a baseline of posterior means"
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

// baselineOf is the baseline in a file, which must fit the study.
func baselineOf(s call, st *study.Study, file string) (*report.Trial, error) {
	const hint = "write it with `bohier best -o json` in this study"
	data, err := s.readFile(file)
	if unread, ok := errors.AsType[*study.Error](err); ok {
		unread.Hint = cmp.Or(unread.Hint, hint)
	}
	if err != nil {
		return nil, err
	}
	file = shownFile(file)
	var t report.Trial
	if err := json.Unmarshal(data, &t); err != nil || t.Params == nil {
		return nil, usage(hint, "%s is no baseline", file)
	}
	if _, err := st.Space.ParseJSON(t.Params); err != nil {
		return nil, usage(hint, "the baseline %s is of another space: %v", file, err)
	}
	if v, ok := t.Values.Get(st.Objective().Name); !ok || math.IsNaN(v) {
		return nil, usage(hint, "the baseline %s has no value of the objective %q", file,
			st.Objective().Name)
	}
	if f := &st.Fidelity; t.Resource != nil && *t.Resource < f.High() {
		return nil, usage(hint+" when a trial had all "+report.Number(f.High())+" "+f.Name,
			"the baseline %s is a trial at %v %s only", file, *t.Resource, f.Name)
	}
	return &t, nil
}

// qualityOf is how good a trial is: by its posterior mean, or by its value.
func qualityOf(st *study.Study, t *report.Trial, believed bool) report.Quality {
	name := st.Objective().Name
	m := report.Quality{Trial: t.ID, Value: t.Values.Of(name), Stderr: t.ErrorOf(name)}
	if e, ok := t.Posterior.Of(name); ok && believed {
		m.Value, m.Stderr = e.Mean, &e.Std
	}
	return m
}

var objectiveKey = lazy.Regexp(`^objectives?[ \t]*:`)
