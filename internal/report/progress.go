package report

import (
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/study"
)

// A Step is an improvement of the best value.
type Step struct {
	Trial int     `json:"trial"`
	ID    string  `json:"id"`
	Value float64 `json:"value"`
	// Cost is the cost of all trials up to this one, by trial number; null where no cost is known.
	Cost *float64 `json:"cost"`
	// Posterior is that of a leader now; nil: the value counts.
	Posterior *study.Estimate `json:"posterior,omitempty"`
}

// Spending is the cost of a study's trials in any state.
type Spending struct {
	Total   float64 `json:"total"`
	Trials  int     `json:"trials"`  // with a known cost
	Unknown int     `json:"unknown"` // told without one; they count as free
}

// Progress lists the trials that improved on all before them, in order of trial number, by the present objective.
func Progress(in *study.Standing, trials []study.Trial) []Step {
	steps, objective, spent := []Step{}, in.Study.Objective(), Spent(trials)
	total, best := 0.0, 0.0
	for i := range trials {
		t := &trials[i]
		if t.Cost != nil {
			total += *t.Cost
		}
		e, ok := in.Of(t)
		if !ok || len(steps) > 0 && !(objective.Direction.Sign()*e.Mean < objective.Direction.Sign()*best) {
			continue
		}
		s := Step{Trial: t.Number, ID: t.ID(), Value: t.Values.Of(objective.Name)}
		if in.Believed() {
			s.Posterior = &e
		}
		if best = e.Mean; spent != nil {
			s.Cost = new(total)
		}
		steps = append(steps, s)
	}
	return steps
}

// Spent is the cost of trials; nil where no cost is known.
func Spent(trials []study.Trial) *Spending {
	var s Spending
	for i := range trials {
		switch t := &trials[i]; {
		case t.Cost != nil:
			s.Total += *t.Cost
			s.Trials++
		case t.State == study.Complete || t.State == study.Failed:
			s.Unknown++
		}
	}
	if s.Trials == 0 || math.IsInf(s.Total, 0) {
		return nil
	}
	return &s
}

// ProgressTable shows improvements, with the cost up to each where it is known.
func ProgressTable(st *study.Study, steps []Step) Table {
	t := TableOf(">TRIAL", ">COST SO FAR", ">"+st.Objective().Name)
	for _, s := range steps {
		if s.Posterior != nil {
			t.Row(s.Trial, s.Cost, Believed(*s.Posterior))
		} else {
			t.Row(s.Trial, s.Cost, s.Value)
		}
	}
	if len(steps) == 0 || steps[0].Cost == nil {
		t.Drop(1)
	}
	return t
}

type (
	// Metric summarises one metric: how many trials have it and, of those in which it is a number, the
	// least and the greatest.
	Metric struct {
		Name     string   `json:"name"`
		Trials   int      `json:"trials"`
		Least    *float64 `json:"least"`
		Greatest *float64 `json:"greatest"`
	}

	// Time is the duration of trials, in seconds, where that is known.
	Time struct {
		Trials  int     `json:"trials"`
		Total   float64 `json:"total"`
		Longest float64 `json:"longest"`
	}
)

// Metrics summarises the metrics of trials, by name.
func Metrics(trials []study.Trial) []Metric {
	var list []Metric
	all := study.Pointers(trials)
	for _, name := range metricNames(all) {
		values := lists.Some(all, func(t *study.Trial) (any, bool) { return t.Metrics.Get(name) })
		numbers := lists.Some(values, func(v any) (float64, bool) { x, is := v.(float64); return x, is })
		m := Metric{Name: name, Trials: len(values)}
		if len(numbers) > 0 {
			m.Least, m.Greatest = new(slices.Min(numbers)), new(slices.Max(numbers))
		}
		list = append(list, m)
	}
	return list
}

// durations summarises the durations of trials; nil where nothing is known.
func durations(trials []study.Trial) *Time {
	var t Time
	for k := range trials {
		if d := trials[k].Duration; d != nil {
			t.Trials++
			t.Total += *d
			t.Longest = max(t.Longest, *d)
		}
	}
	if t.Trials == 0 {
		return nil
	}
	return &t
}

// metricTable lists metrics with their ranges and, where there is a best trial, its values.
func metricTable(list []Metric, best []study.Trial) *Table {
	t := TableOf("metric", ">trials", ">least", ">greatest", ">in the best trial")
	for _, m := range list {
		var of any
		if len(best) > 0 {
			of = best[0].Metrics.Of(m.Name)
		}
		t.Row(m.Name, m.Trials, m.Least, m.Greatest, of)
	}
	return &t
}
