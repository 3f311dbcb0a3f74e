package policy_test

import (
	"errors"

	"bohier/internal/policy"
	"bohier/internal/study"
)

// A bench is a study and its trials, as a journal would tell them.
type bench struct {
	st     *study.Study
	trials []study.Trial
	seq    int
}

// newCase is a study that minimises f by asynchronous promotion.
func newCase(levels []float64) *bench {
	return &bench{st: &study.Study{
		Objectives: []study.Objective{{Name: "f"}},
		Fidelity: study.Fidelity{
			Name: "epochs", Levels: levels, Eta: 3, Unit: 1, Kind: study.FidelityCurve, Resume: true,
			Scheduler: study.SchedulerASHA, Start: study.StartAuto,
		},
	}}
}

// wishOf is the wish of a study that may make so many more trials.
func wishOf(left int) policy.Wish {
	if left > 0 {
		return policy.Wish{}
	}
	return policy.Wish{NoNew: errors.New("all trials are made")}
}

// add makes a pending trial.
func (c *bench) add(start, to float64) int {
	c.trials = append(c.trials, study.Trial{
		Number: len(c.trials) + 1, State: study.Pending,
		Course: &study.Course{Start: start, Legs: []study.Leg{{To: to}}},
	})
	return len(c.trials) - 1
}

// give does what was decided.
func (c *bench) give(d study.Task) int {
	if d.Trial == 0 {
		return c.add(d.Start, d.To)
	}
	t := &c.trials[d.Trial-1]
	t.State, t.Course = study.Pending, t.Course.Clone()
	t.Course.Legs = append(t.Course.Legs, study.Leg{From: c.st.Fidelity.Resource(t.Course), To: d.To})
	return d.Trial - 1
}

// report tells a value and does what the verdict says.
func (c *bench) report(i int, r, v float64) study.Verdict {
	t := &c.trials[i]
	f := &c.st.Fidelity
	before := t.Course
	t.Course = t.Course.Clone()
	c.seq++
	grown := r > f.Resource(before)
	t.Course.Put(study.Point{Resource: r, Seq: c.seq, Leg: t.Course.Leg(),
		Observation: study.Observation{Values: study.Values{{Name: "f", Value: v}}}})
	last := t.Course.Last()
	last.Reached = max(last.Reached, r)
	if grown {
		t.Course.Setbacks = 0
	}
	if t.State != study.Pending && t.State != study.Paused {
		return ""
	}
	var seen []int
	for k := range f.Levels {
		_, _, was := f.Entry(before, k)
		if _, _, is := f.Entry(t.Course, k); is && !was {
			seen = append(seen, k)
		}
	}
	verdict, _ := policy.Judge(c.st, c.trials, i, seen)
	switch verdict {
	case study.VerdictDone:
		t.State = study.Complete
	case study.VerdictPause:
		t.State = study.Paused
	case study.VerdictStop:
		t.State = study.Stopped
	}
	last.Ended = verdict != study.VerdictGo
	return verdict
}

// abandon frees a leg.
func (c *bench) abandon(i int) {
	t := &c.trials[i]
	t.Course = t.Course.Clone()
	t.Course.Last().Ended = true
	if t.State = study.Abandoned; t.Course.Leg() > 1 {
		t.State = study.Paused
	}
}

// fail ends a leg by a failure.
func (c *bench) fail(i int, why study.Failure) {
	t := &c.trials[i]
	t.Course = t.Course.Clone()
	t.Course.Last().Ended = true
	if why == study.Transient && t.Course.Leg() > 1 {
		t.State = study.Paused
		t.Course.Setbacks++
		return
	}
	t.State, t.Failure = study.Failed, why
}

func (c *bench) pending() []int {
	var out []int
	for i := range c.trials {
		if c.trials[i].State == study.Pending {
			out = append(out, i)
		}
	}
	return out
}
