package main

import (
	"math"
	"slices"
	"strings"

	"bohier/internal/execute"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// frontShown is how many trials of a front `best` lists unless asked otherwise.
const frontShown = 20

// chosenHint says how one trial of a front is chosen.
func chosenHint(st *study.Study) string {
	return "add --pick knee, --pick " + st.Objective().Name + ", or weights: --pick " + weightsExample(st)
}

func weightsExample(st *study.Study) string {
	return st.Objectives[0].Name + "=0.7," + st.Objectives[1].Name + "=0.3"
}

// checkFront says what of the flags of `best` makes no sense with several objectives.
func (o *bestOptions) checkFront(s call, st *study.Study) error {
	switch {
	case o.picks && o.pick == "":
		return usage(chosenHint(st), "--pick is empty")
	case o.pick != "" && o.array:
		return usage("leave -n out", "--pick takes one trial")
	case o.pick == "" && slices.Contains([]string{"env", "args", "args0", "id", "template"}, s.format):
		return usage(chosenHint(st), "a front has no single best trial")
	case o.count < 0:
		return usage("-n 0 lists all", "-n must not be negative, not %d", o.count)
	}
	return nil
}

// frontTrials are what `best` shows of several objectives: the front, or the trial that
// --pick takes of it.
func (o *bestOptions) frontTrials(st *study.Study, front *study.Front) ([]study.Trial, error) {
	if o.pick != "" {
		k, err := picked(st, front, o.pick)
		if err != nil {
			return nil, err
		}
		return front.Trials[k : k+1], nil
	}
	n := len(front.Trials)
	if !o.array {
		n = min(n, frontShown)
	} else if o.count > 0 {
		n = min(n, o.count)
	}
	return front.Trials[:n], nil
}

// picked is the index of the trial of a front that is asked for: the best in one
// objective, the knee, or the best compromise with weights.
func picked(st *study.Study, f *study.Front, text string) (int, error) {
	if k := st.Goal(text); k >= 0 {
		best := 0
		for i, v := range f.Vectors {
			if turned := slices.Concat(v[k:], v[:k]); slices.Compare(turned,
				slices.Concat(f.Vectors[best][k:], f.Vectors[best][:k])) < 0 {
				best = i
			}
		}
		return best, nil
	}
	if text == "knee" {
		return f.Knee(), nil
	}
	weights, given, sum := make([]float64, len(st.Objectives)), make([]bool, len(st.Objectives)), 0.0
	for _, part := range weightParts(text) {
		name, value, ok := strings.Cut(part, "=")
		k := st.Goal(name)
		if !ok || k < 0 {
			return 0, usage("an objective's name, knee, or weights: "+weightsExample(st), "%q picks nothing out of a front",
				text)
		}
		w, number := execute.ParseNumber(value)
		if !number || math.IsNaN(w) || math.IsInf(w, 0) || w < 0 {
			return 0, usage("such as "+weightsExample(st), "the weight of %s must be a number that is not negative, not %q",
				name, value)
		}
		if given[k] {
			return 0, usage("such as "+weightsExample(st), "%s has two weights", name)
		}
		weights[k], given[k] = w, true
		sum += w
	}
	if sum == 0 {
		return 0, usage("such as "+weightsExample(st), "all weights are 0")
	}
	return f.Compromise(f.Vectors, weights), nil
}

// weightParts are the parts NAME=W of weights. A part without = is the beginning of the next
// one: the name has a comma.
func weightParts(text string) (parts []string) {
	for _, part := range strings.Split(text, ",") {
		if n := len(parts); n > 0 && !strings.Contains(parts[n-1], "=") {
			parts[n-1] += "," + part
		} else {
			parts = append(parts, part)
		}
	}
	return parts
}

// goalsOf are the sessions of the objectives that are asked for by --objective: the named one, or all.
func goalsOf(session runner.Session, asked string) ([]runner.Session, error) {
	var out []runner.Session
	for k, ob := range session.Study.Objectives {
		if asked == "" || asked == ob.Name {
			out = append(out, session.For(k))
		}
	}
	if len(out) == 0 {
		return nil, usage("objectives: "+strings.Join(goalNames(session.Study), ", "), "there is no objective %q", asked)
	}
	return out, nil
}

// forEach calls do for the sessions of objectives. One of several that no surrogate can be fitted
// to is left out with a warning; where that is so of all, it is the error.
func forEach(s call, list []runner.Session, do func(runner.Session) error) error {
	var none error
	var left []string
	for _, c := range list {
		err := do(c)
		if err != nil && (len(list) == 1 || !study.HasCode(err, study.NoResult)) {
			return err
		}
		if err != nil {
			none, left = err, append(left, "objective "+c.Study.Objective().Name+" is left out: "+err.Error())
		}
	}
	if len(left) == len(list) {
		return none
	}
	s.Log.warn(left...)
	return nil
}
