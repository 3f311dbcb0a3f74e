package runner

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"strings"

	"bohier/internal/journal"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Tell is what a user reports about a trial.
type Tell struct {
	study.Observation
	Failure   study.Failure    // not empty: the trial failed
	Note      string           // why
	Actual    space.Assignment // values really run, where they differ
	Replace   bool             // overwrite an earlier observation
	Replicate bool             // a further measurement
	Partial   bool             // values that are missing are reported later
	Key       string           // idempotency key of a further measurement or an addition; empty: none

	// In a study with a fidelity:
	At     float64       // the resource of the value; 0: that of the leg, and of an addition the full one
	Points []study.Point // values at other resources, ascending; more than one report
	Ask    bool          // the reporter goes on where the verdict says so
	Final  bool          // the value counts at full resource: the command ended by itself
	First  bool          // of the points, those recorded with other values are left out, with a warning
}

// Added is a configuration that was measured elsewhere.
type Added struct {
	Config space.Configuration
	Tell
	ID string // what the trial was called in another table; empty: unknown

	Replicates []study.Observation // further measurements of the configuration
}

// Each yields the additions of a list.
func Each(list []Added) iter.Seq2[Added, error] {
	return func(yield func(Added, error) bool) {
		for _, a := range list {
			if !yield(a, nil) {
				return
			}
		}
	}
}

// checkPartial says what of a report makes no sense together with Partial.
func (c Session) checkPartial(t Tell) error {
	switch {
	case !t.Partial:
		return nil
	case !c.Study.Several():
		return study.Errorf(study.Usage, "report all values at once",
			"the study has one objective: there is nothing to report later")
	case t.Replace || t.Replicate || t.Failure != "" || t.Actual != nil:
		return study.Errorf(study.Usage, "say so with the report that completes the trial",
			"values of some objectives are no correction, no further measurement, no failure and no change of the configuration")
	}
	return nil
}

// outcome checks a report against the study. known are values that were reported for the trial
// before; they are not missing.
func (c Session) outcome(t Tell, known study.Values) (journal.Outcome, error) {
	partial, err := c.checkMeasured(t, known, c.needed(0))
	if err != nil {
		return journal.Outcome{}, err
	}
	out := c.told(t)
	out.Partial = partial
	return out, nil
}

// checkMeasured is the error where a report lacks one of the outcomes in names; partial
// reports whether it lacks one that may come later.
func (c Session) checkMeasured(t Tell, known study.Values, names []string) (partial bool, err error) {
	o, several := t.Observation, c.Study.Several()
	all := strings.Join(names, "=… ") + "=…" // the hint: everything there is to give
	if len(names) == 1 {
		all = "a bare number, or " + all
	}
	for k, name := range names {
		_, told := known.Get(name)
		if _, ok := o.Values.Get(name); ok || told || t.Failure != "" {
			continue
		}
		if t.Partial {
			partial = true
			continue
		}
		if several && c.Study.Goal(name) >= 0 {
			return false, study.Errorf(study.Usage, "report it with the others, or add --partial and report it later: "+all,
				"%s is missing", name)
		}
		what := "the constraint on"
		if k == 0 {
			what = "the objective"
		}
		hint := "give " + all + ", or --fail infeasible|transient"
		if several {
			hint += "; or add --partial and report it later"
		}
		return false, study.Errorf(study.Usage, hint,
			"the observation has no value for %s %q", what, name)
	}
	return partial, nil
}

// told is what a report says.
func (c Session) told(t Tell) journal.Outcome {
	o := t.Observation
	if cost := c.Study.Cost; cost != nil && o.Cost == nil {
		if v, ok := o.Values.Get(cost.Name); ok {
			o.Cost = &v
		} else if cost.Name == "duration" {
			o.Cost = o.Duration
		}
	}
	return journal.Outcome{Observation: o, Failure: t.Failure, Note: t.Note, Key: t.Key}
}

// actual is the configuration that was run, the proposed one with some values changed; nil
// where nothing is said of it. A warning tells of a constraint that it violates.
func (c Session) actual(t *study.Trial, changed space.Assignment, warnings *[]string) (json.RawMessage, error) {
	if changed == nil {
		return nil, nil
	}
	sp := c.Study.Space
	a := t.Config.Assignment()
	maps.Copy(a, changed)
	conf, err := sp.Assemble(a)
	if err != nil {
		return nil, study.Errorf(study.Usage, "give every parameter the change activates, too",
			"the configuration really run does not fit the space: %v", err)
	}
	for i := range changed {
		if !conf.Active[i] {
			return nil, study.Errorf(study.Usage, "", "parameter %q is inactive in the configuration really run",
				sp.Param(i).Name)
		}
	}
	if err := sp.Validate(conf); err != nil {
		*warnings = append(*warnings, fmt.Sprintf("trial %s is kept as data: %v", t.ID(), err))
	}
	return sp.AppendJSON(nil, conf), nil
}
