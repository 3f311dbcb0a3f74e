package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/text"
)

// A Column is one fact about trials, under the name by which it was asked for.
type Column = column[*study.Trial]

// OfMeans is the column as TrialTable has it: of an outcome, the mean of what was measured
// of a trial's configuration.
func OfMeans(c Column, st *study.Study, by Repeated) Column {
	if own := c.value; c.outcome != "" {
		c.value = func(t *study.Trial) any {
			if m := by.Of(st, t); m != nil {
				if mean, ok := m.Mean.Get(c.outcome); ok {
					return mean
				}
			}
			return own(t)
		}
	}
	return c
}

// Maximised reports whether the column is an objective that is maximised.
func Maximised(c Column, st *study.Study) bool {
	k := st.Goal(c.outcome)
	return c.outcome != "" && k >= 0 && st.Objectives[k].Direction.Sign() < 0
}

// facts are the columns of every study.
var facts = map[string]func(*study.Trial) any{
	"trial":        func(t *study.Trial) any { return float64(t.Number) },
	"id":           func(t *study.Trial) any { return t.ID() },
	"state":        func(t *study.Trial) any { return string(t.State) },
	"failure":      func(t *study.Trial) any { return nonEmpty(string(t.Failure)) },
	"note":         func(t *study.Trial) any { return nonEmpty(text.Visible(t.Said())) },
	"source":       func(t *study.Trial) any { return nonEmpty(t.Source) },
	"key":          func(t *study.Trial) any { return nonEmpty(t.Key) },
	"worker":       func(t *study.Trial) any { return nonEmpty(t.Worker) },
	"suggested_at": func(t *study.Trial) any { return nonEmpty(t.Suggested) },
	"observed_at":  func(t *study.Trial) any { return nonEmpty(t.ObservedAt) },
	"cost":         func(t *study.Trial) any { return known(t.Cost) },
	"stderr":       func(t *study.Trial) any { return known(t.Stderr) },
	"duration":     func(t *study.Trial) any { return known(t.Duration) },
}

func rankOf(ranks map[int]int, t *study.Trial) any {
	if r, ok := ranks[t.Number]; ok {
		return float64(r)
	}
	return nil
}

func nonEmpty(words string) any {
	if words == "" {
		return nil
	}
	return words
}

func known(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

// FindColumn is the column of a name: an outcome, a parameter, a fact such as
// duration, or a metric of one of the trials, in that order. value.NAME,
// param.NAME and metric.NAME, as in CSV, say which is meant. With ranks, by trial
// number, rank is a fact.
func FindColumn(st *study.Study, trials []*study.Trial, name string, ranks map[int]int) (Column, error) {
	name = space.Name(name)
	if name == "rank" && ranks != nil {
		if _, other := columnOf(st, trials, "value", name); !other {
			return Column{Name: name, right: true, value: func(t *study.Trial) any { return rankOf(ranks, t) }}, nil
		}
	}
	kind, rest, dotted := strings.Cut(name, ".")
	if dotted {
		if c, ok := columnOf(st, trials, kind, rest); ok || kind == "metric" && rest != "" {
			c.Name = name
			return c, nil
		}
	}
	for _, kind := range []string{"value", "param", "fact", "metric"} {
		if c, ok := columnOf(st, trials, kind, name); ok {
			return c, nil
		}
	}
	names := append(st.Outcomes(), st.Space.Names()...)
	names = append(names, slices.Sorted(maps.Keys(facts))...)
	if ranks != nil {
		names = append(names, "rank")
	}
	for _, fact := range courseFacts(st) {
		names = append(names, fact.Name)
	}
	names = append(names, MetricNames(trials)...)
	return Column{}, study.Errorf(study.Usage, "columns: "+strings.Join(names, ", "), "there is no column %q", name)
}

func columnOf(st *study.Study, trials []*study.Trial, kind, name string) (Column, bool) {
	c := Column{Name: name}
	switch kind {
	case "value":
		c.right, c.outcome = true, name
		c.value = func(t *study.Trial) any { return valueOf(t, name) }
		return c, slices.Contains(st.Outcomes(), name)
	case "param":
		i, ok := st.Space.Index(name)
		if !ok {
			c.value = func(t *study.Trial) any { return nonEmpty(ownText(t, name)) }
			return c, slices.Contains(others(st.Space, trials), name)
		}
		c.right = numeric(st.Space, i)
		c.value = func(t *study.Trial) any { return paramOf(st.Space, t, i) }
		return c, true
	case "fact":
		for _, fact := range courseFacts(st) {
			if fact.Name == name {
				return fact, true
			}
		}
		c.value = facts[name]
		c.right = slices.Contains([]string{"trial", "cost", "stderr", "duration"}, name)
		return c, c.value != nil
	case "stderr":
		c.right = true
		c.value = func(t *study.Trial) any { return known(t.ErrorOf(name)) }
		return c, st.Goal(name) >= 0
	case "metric":
		c.value = func(t *study.Trial) any { return t.Metrics.Of(name) }
		c.right = true
		found := false
		for _, t := range trials {
			v, ok := t.Metrics.Get(name)
			_, isText := v.(string)
			found, c.right = found || ok, c.right && !isText
		}
		return c, found
	}
	return c, false
}

// MetricNames are the names of the metrics of some of the trials, sorted.
func MetricNames(trials []*study.Trial) []string {
	all := map[string]bool{}
	for _, t := range trials {
		for name := range t.Metrics.All() {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// SortTrials puts trials in the order of a column: numbers, then texts, then
// trials without a value, whichever way; equal ones stay as they are.
func SortTrials(trials []*study.Trial, c Column, descending bool) {
	type ranked struct {
		kind   int
		number float64
		words  string
		*study.Trial
	}
	order := make([]ranked, len(trials))
	for k, t := range trials {
		r := ranked{Trial: t}
		switch v := c.value(t).(type) {
		case float64:
			r.number = v
		case spelled:
			r.number = v.float64
		case string:
			r.kind, r.words = 1, v
		default:
			r.kind = 2
		}
		order[k] = r
	}
	slices.SortStableFunc(order, func(a, b ranked) int {
		way := cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.words, b.words))
		if descending {
			way = -way
		}
		return cmp.Or(cmp.Compare(a.kind, b.kind), way)
	})
	for k := range order {
		trials[k] = order[k].Trial
	}
}

// ColumnTable lists the columns of trials for people.
func ColumnTable(list []Column, trials []*study.Trial) Table {
	return columns[*study.Trial](list).table(trials)
}

// ColumnCSV lists the columns of trials for spreadsheets, exactly.
func ColumnCSV(list []Column, trials []*study.Trial) []byte {
	return columns[*study.Trial](list).csv(slices.Values(trials))
}
