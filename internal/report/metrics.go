package report

import (
	"strconv"

	"bohier/internal/study"
)

type (
	// Metric sums up one metric: how many trials have it and, of those in which it
	// is a number, the least and the greatest.
	Metric struct {
		Name     string   `json:"name"`
		Trials   int      `json:"trials"`
		Least    *float64 `json:"least"`
		Greatest *float64 `json:"greatest"`
	}

	// Time is what trials took, in seconds, where that is known.
	Time struct {
		Trials  int     `json:"trials"`
		Total   float64 `json:"total"`
		Longest float64 `json:"longest"`
	}
)

// Metrics sums up the metrics of trials, by name.
func Metrics(trials []study.Trial) []Metric {
	var list []Metric
	for _, name := range MetricNames(trials) {
		m := Metric{Name: name}
		for k := range trials {
			raw, ok := trials[k].Metrics[name]
			if !ok {
				continue
			}
			m.Trials++
			if v, ok := raw.(float64); ok {
				if m.Least == nil || v < *m.Least {
					m.Least = &v
				}
				if m.Greatest == nil || v > *m.Greatest {
					m.Greatest = &v
				}
			}
		}
		list = append(list, m)
	}
	return list
}

// Durations sums up what trials took; nil where nothing is known.
func Durations(trials []study.Trial) *Time {
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

// metricTable lists metrics with their ranges and, where there is a best trial,
// its values.
func metricTable(list []Metric, best []study.Trial) *Table {
	t := &Table{Head: []string{"metric", "trials", "least", "greatest", "in the best trial"}, Right: []bool{false, true, true, true, true}}
	for _, m := range list {
		row := []string{m.Name, strconv.Itoa(m.Trials), "", "", ""}
		if m.Least != nil {
			row[2], row[3] = Rounded(*m.Least), Rounded(*m.Greatest)
		}
		if len(best) > 0 {
			row[4] = written(best[0].Metrics[m.Name], Rounded)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
