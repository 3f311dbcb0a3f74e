package report

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"iter"
	"maps"
	"slices"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/text"
)

// A Column is one fact about trials, under the name by which it was asked for: a number, a text, or
// nil or "" for nothing.
type Column struct {
	Name    string
	right   bool // of numbers
	value   func(t *study.Trial) any
	outcome string // whose values they are; empty: no outcome's

	Maximised bool // it is an objective, and more of it is better
}

// Columns are the columns of a table of trials.
type Columns []Column

func (c *Columns) add(name string, right bool, value func(*study.Trial) any) {
	*c = append(*c, Column{Name: name, right: right, value: value})
}

// some adds a column if at least one of the trials has a value.
func (c *Columns) some(trials []*study.Trial, name string, right bool, value func(*study.Trial) any) {
	if slices.ContainsFunc(trials, func(t *study.Trial) bool { return written(value(t), Rounded) != "" }) {
		c.add(name, right, value)
	}
}

// Table lists the columns of trials for people.
func (c Columns) Table(trials []*study.Trial) (t Table) {
	for range trials {
		t.Rows = append(t.Rows, make([]string, 0, len(c)))
	}
	for _, column := range c {
		t.Column(column.Name, column.right, func(k int) any { return column.value(trials[k]) })
	}
	return t
}

// CSV lists the columns of trials for spreadsheets, each cell as safe makes it; nil: exactly.
func (c Columns) CSV(trials iter.Seq[*study.Trial], safe func(cell string) string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	line := make([]string, len(c))
	write := func(cell func(Column) string) {
		for k, column := range c {
			if line[k] = cell(column); safe != nil {
				line[k] = safe(line[k])
			}
		}
		_ = w.Write(line) // no error of a Buffer
	}
	write(func(column Column) string { return column.Name })
	for t := range trials {
		write(func(column Column) string { return written(column.value(t), nil) })
	}
	w.Flush()
	return b.Bytes()
}

// OfMeans is the column as TrialTable has it: of an outcome, the mean of the measurements of a trial's configuration.
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

// facts are the columns of every study, by name.
var facts = map[string]Column{
	"trial":        {right: true, value: func(t *study.Trial) any { return float64(t.Number) }},
	"id":           {value: func(t *study.Trial) any { return t.ID() }},
	"state":        {value: func(t *study.Trial) any { return string(t.State) }},
	"failure":      {value: func(t *study.Trial) any { return string(t.Failure) }},
	"note":         {value: func(t *study.Trial) any { return text.Visible(t.Said()) }},
	"source":       {value: func(t *study.Trial) any { return t.Source }},
	"key":          {value: func(t *study.Trial) any { return t.Key }},
	"worker":       {value: func(t *study.Trial) any { return t.Worker }},
	"suggested_at": {value: func(t *study.Trial) any { return t.Suggested }},
	"observed_at":  {value: func(t *study.Trial) any { return t.ObservedAt }},
	"cost":         {right: true, value: func(t *study.Trial) any { return t.Cost }},
	"stderr":       {right: true, value: func(t *study.Trial) any { return t.Stderr }},
	"duration":     {right: true, value: func(t *study.Trial) any { return t.Duration }},
}

func rankOf(ranks map[int]int, t *study.Trial) any {
	if r, ok := ranks[t.Number]; ok {
		return float64(r)
	}
	return nil
}

// FindColumn is the column of a name: an outcome, a parameter, a fact such as duration, or a metric
// of one of the trials, in that order. value.NAME, param.NAME and metric.NAME, as in CSV, make the
// name clear. With ranks, by trial number, rank is a fact.
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
	names = append(names, lists.Of(courseFacts(st), func(fact Column) string { return fact.Name })...)
	names = append(names, metricNames(trials)...)
	return Column{}, study.Errorf(study.Usage, space.Offered(name, "columns", names), "there is no column %q", name)
}

func columnOf(st *study.Study, trials []*study.Trial, kind, name string) (Column, bool) {
	c := Column{Name: name}
	switch kind {
	case "value":
		k := st.Goal(name)
		c.right, c.outcome, c.Maximised = true, name, k >= 0 && st.Objectives[k].Direction.Sign() < 0
		c.value = func(t *study.Trial) any { return valueOf(t.Values, name) }
		return c, slices.Contains(st.Outcomes(), name)
	case "param":
		i, ok := st.Space.Index(name)
		if !ok {
			c.value = func(t *study.Trial) any { return ownText(t, name) }
			return c, slices.Contains(others(st.Space, trials), name)
		}
		c.right = st.Space.Param(i).IsNumber()
		c.value = func(t *study.Trial) any { return paramOf(st.Space, t, i) }
		return c, true
	case "fact":
		for _, fact := range courseFacts(st) {
			if fact.Name == name {
				return fact, true
			}
		}
		fact, ok := facts[name]
		fact.Name = name
		return fact, ok
	case "stderr":
		c.right = true
		c.value = func(t *study.Trial) any { return t.ErrorOf(name) }
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

// metricNames are the names of the metrics of some of the trials, sorted.
func metricNames(trials []*study.Trial) []string {
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
		r := ranked{kind: 2, Trial: t}
		switch v := c.value(t).(type) {
		case float64:
			r.kind, r.number = 0, v
		case spelled:
			r.kind, r.number = 0, v.float64
		case *float64:
			if v != nil {
				r.kind, r.number = 0, *v
			}
		case string:
			if v != "" {
				r.kind, r.words = 1, v
			}
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
