package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bohier/internal/execute"
	"bohier/internal/lists"
	"bohier/internal/policy"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// bestOptions choose the best trials.
type bestOptions struct {
	prefix string
	by     string
	count  int
	array  bool // --number was given
	pick   string
	at     float64
	picks  bool // --pick was given
}

func runBest(v *view, _ []string) (err error) {
	o := bestOptions{prefix: v.text("prefix"), by: v.text("by"), count: v.count("number"), array: v.changed("number"),
		pick: v.text("pick"), picks: v.changed("pick")}
	o.at, err = v.resource(v.Study, "at", "there is no fidelity with levels to compare trials at", true)
	if err == nil {
		err = o.check(v)
	}
	if err != nil {
		return err
	}
	return o.show(v)
}

func (o *bestOptions) show(v *view) error {
	st := v.Study
	printer := trialPrinter{st: st, call: v.call, prefix: o.prefix, array: o.array, details: !o.array}
	count := o.count
	if st.Several() {
		printer.array, printer.details, count = o.pick == "", o.pick != "", 1
	}
	if err := v.read(printer.prepare(count)); err != nil {
		return err
	}
	best, l, err := o.find(v)
	if err != nil {
		return err
	}
	printer.Listing = l
	if v.format != "table" {
		return printer.show(study.Pointers(best))
	}
	printer.Ranks = nil // all are on the front
	if l.Board == nil {
		return printer.show(study.Pointers(best))
	}
	out := report.TrialTable(st, study.Pointers(best), printer.Listing).Text(v.Color)
	for _, line := range report.NoiseWords(l.Board) {
		out = append(append(out, line...), '\n')
	}
	return v.print(out)
}

// check rejects flags that make no sense for a study.
func (o *bestOptions) check(v *view) error {
	st := v.Study
	switch high, several := st.Fidelity.High(), st.Several(); {
	case o.at > 0 && o.at < high && o.by == "posterior":
		return usage("leave one of the two out", "posterior means are those of the full resource, %v", high)
	case !several && o.picks:
		return usage("leave it out", "--pick is for several objectives")
	case !several && o.count < 1:
		return usage("", "-n must be at least 1, not %d", o.count)
	case several && o.picks && o.pick == "":
		return usage(chosenHint(st), "--pick is empty")
	case several && o.pick != "" && o.array:
		return usage("leave -n out", "--pick takes one trial")
	case several && o.pick == "" && slices.Contains([]string{"env", "args", "args0", "id", "template"}, v.format):
		return usage(chosenHint(st), "a front has no single best trial")
	case several && o.count < 0:
		return usage("-n 0 lists all", "-n must not be negative, not %d", o.count)
	}
	return nil
}

// find returns the best trials, and the facts shown of each: as leaders where values are noisy or the surrogate was
// asked.
func (o *bestOptions) find(v *view) (best []study.Trial, l report.Listing, err error) {
	st := v.Study
	l.Own = true
	if best, below, err := o.belowFull(v); below || err != nil {
		return best, l, err
	}
	if len(v.measured().Trials) == 0 {
		return nil, l, noBest(st, v.Trials)
	}
	if err := o.judge(v); err != nil {
		return nil, l, err
	}
	l.Own, l.By, l.Board = v.board == nil, st.Measurements(v.Trials), v.board
	if v.board == nil && (o.by == "observed" || v.session.Noisy(v.state)) {
		l.Judge = "observed"
	}
	if !st.Several() {
		return v.Standing.Best(o.count), l, nil
	}
	front := v.Standing.Front()
	if v.board == nil {
		l.Ranks = front.Ranks()
	}
	if o.pick != "" {
		k, err := picked(st, front, o.pick)
		if err != nil {
			return nil, l, err
		}
		return front.Trials[k : k+1], l, nil
	}
	n := len(front.Trials)
	if !o.array {
		n = min(n, frontShown)
	} else if o.count > 0 {
		n = min(n, o.count)
	}
	if all := len(front.Trials); !o.array && !o.picks && n < all {
		v.Log.warn(fmt.Sprintf("these are %d of the %d on the front; -n 0 lists all", n, all))
	}
	return front.Trials[:n], l, nil
}

// judge ranks by posterior mean, where that was asked for or noise asks for it.
func (o *bestOptions) judge(v *view) error {
	switch o.by {
	case "observed":
		v.stand(nil)
		return nil
	case "auto":
		return v.trust()
	}
	board, err := v.leaders(true)
	switch {
	case err != nil:
		return err
	case board == nil:
		return study.Errorf(study.NoResult, "`bohier best --by observed` shows the best value",
			"no feasible trial lies in today's space")
	}
	v.Log.warn(board.Warnings...)
	v.stand(board)
	return nil
}

// noBest reports why no trial is the best.
func noBest(st *study.Study, trials []study.Trial) error {
	why, hint := runner.WithoutResult(st, trials)
	return study.Errorf(study.NoResult, hint, "there is no result yet: %s", why)
}

// belowFull are the best trials at the level that --at asks for or, where no trial has the
// full resource, at the highest that has one; below is false where those of the full resource count.
func (o *bestOptions) belowFull(v *view) (best []study.Trial, below bool, err error) {
	f := &v.Study.Fidelity
	best, level := policy.BestBelow(v.Study, v.Trials, o.at, o.count)
	switch {
	case level == 0 || o.by == "posterior":
		return nil, false, nil
	case best == nil:
		return nil, true, study.Errorf(study.NoResult, "`bohier status` shows how many trials have one at each level",
			"no trial has a value at %s %v that keeps the constraints", f.Name, level)
	case o.at == 0:
		v.Log.warn(fmt.Sprintf("no feasible trial has all %v %s yet: the best at %v", f.High(), f.Name, level))
	}
	return best, true, nil
}

// frontShown is how many trials of a front `best` lists unless asked otherwise.
const frontShown = 20

// chosenHint is the hint for choosing one trial of a front.
func chosenHint(st *study.Study) string {
	return "add --pick knee, --pick " + st.Objective().Name + ", or weights: --pick " + weightsExample(st)
}

func weightsExample(st *study.Study) string {
	return st.Objectives[0].Name + "=0.7," + st.Objectives[1].Name + "=0.3"
}

// picked is the index of the trial of a front that is asked for: the best in one
// objective, the knee, or the best compromise with weights.
func picked(st *study.Study, f *study.Front, text string) (int, error) {
	if k := st.Goal(text); k >= 0 {
		first := func(i int) []float64 { return slices.Concat(f.Vectors[i][k:], f.Vectors[i][:k]) } // by this objective
		better := func(a, b int) int { return slices.Compare(first(a), first(b)) }
		return slices.MinFunc(lists.Every(len(f.Vectors)), better), nil
	}
	if text == "knee" {
		return f.Knee(), nil
	}
	weights, given, sum := make([]float64, len(st.Objectives)), make([]bool, len(st.Objectives)), 0.0
	for _, part := range weightParts(text) {
		name, value, ok := strings.Cut(part, "=")
		k := st.Goal(name)
		w, number := execute.ParseNumber(value)
		if !ok || k < 0 || given[k] || !number || !(w >= 0) || math.IsInf(w, 0) {
			return 0, usage("an objective's name, knee, or a weight from 0 for each: "+weightsExample(st),
				"%q picks nothing out of a front: %q", text, part)
		}
		weights[k], given[k] = w, true
		sum += w
	}
	if sum == 0 {
		return 0, usage("such as "+weightsExample(st), "all weights are 0")
	}
	return f.Compromise(f.Vectors, weights), nil
}

// weightParts are the parts NAME=W of weights. A part without = is the beginning of the next one: the name has a comma.
func weightParts(text string) (parts []string) {
	for part := range strings.SplitSeq(text, ",") {
		if n := len(parts); n > 0 && !strings.Contains(parts[n-1], "=") {
			parts[n-1] += "," + part
		} else {
			parts = append(parts, part)
		}
	}
	return parts
}
