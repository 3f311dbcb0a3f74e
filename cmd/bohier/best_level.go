package main

import (
	"fmt"
	"slices"

	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// checkAt is the error of --at without a level of that resource.
func (o *bestOptions) checkAt(st *study.Study) error {
	switch f := &st.Fidelity; {
	case o.at == 0:
		return nil
	case !f.Early():
		return usage("leave it out, or add: fidelity: {name: epochs, low: 1, high: 27}", "there is no fidelity with levels to compare trials at")
	case !slices.Contains(f.Levels, o.at):
		return usage("levels: "+report.Numbers(f.Levels), "%v is not a level", o.at)
	case o.at < f.High() && o.by == "posterior":
		return usage("leave one of the two out", "posterior means are those of the full resource, %v", f.High())
	}
	return nil
}

// level is that which belowFull has the best trials at; 0: the full resource.
func (o *bestOptions) level(st *study.Study, trials []study.Trial) float64 {
	if !st.Fidelity.Early() || o.by == "posterior" {
		return 0
	}
	_, level := runner.BestBelow(st, trials, o.at, 0)
	return level
}

// belowFull are the best trials at the level that --at asks for or, where no trial has the
// full resource, at the highest that has one; below is false where those of the full resource count.
func (o *bestOptions) belowFull(s call, st *study.Study, trials []study.Trial) (best []study.Trial, below bool, err error) {
	f := &st.Fidelity
	level := o.level(st, trials)
	if level == 0 {
		return nil, false, nil
	}
	switch best, _ = runner.BestBelow(st, trials, o.at, o.count); {
	case best == nil:
		return nil, true, study.Errorf(study.NoResult, "`bohier status` shows how many trials have one at each level",
			"no trial has a value at %s %v that keeps the constraints", f.Name, level)
	case o.at == 0:
		s.Log.warn(fmt.Sprintf("no trial has all %v %s yet: the best at %v", f.High(), f.Name, level))
	}
	return best, true, nil
}
