package report_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"bohier/internal/report"
	"bohier/internal/space"
	"bohier/internal/study"
)

func TestColumnsAndOrder(t *testing.T) {
	st := columnStudy(t)
	short, long := 9.5, 10.0
	list := []*study.Trial{
		{Number: 1, Tag: "aaaa", State: study.Complete, Config: at(0.5),
			Observation: study.Observation{Values: study.Values{{Name: "loss", Value: 3}}, Duration: &long,
				Metrics: study.NamedOf(map[string]any{"acc": 0.123456789, "host": "b"})}},
		{Number: 2, Tag: "bbbb", State: study.Failed, Config: at(0.25)},
		{Number: 3, Tag: "cccc", State: study.Complete, Config: at(0.75),
			Observation: study.Observation{Values: study.Values{{Name: "loss", Value: 2}}, Duration: &short,
				Metrics: study.NamedOf(map[string]any{"acc": "none", "x": 7.0})}},
	}
	order := func(name string, descending bool) string {
		c, err := report.FindColumn(st, list, name, nil)
		must(t, err)
		sorted := slices.Clone(list)
		report.SortTrials(sorted, c, descending)
		out := ""
		for k := range sorted {
			out += sorted[k].Tag[:1]
		}
		return out
	}
	for _, c := range []struct{ name, up, down string }{
		{"loss", "cab", "acb"}, {"duration", "cab", "acb"}, {"x", "bac", "cab"}, {"metric.x", "cab", "cab"},
		{"acc", "acb", "acb"}, {"host", "abc", "abc"}, {"state", "acb", "bac"}, {"trial", "abc", "cba"},
		{"metric.nowhere", "abc", "abc"},
	} {
		if up, down := order(c.name, false), order(c.name, true); up != c.up || down != c.down {
			t.Errorf("%s: %s and %s, want %s and %s", c.name, up, down, c.up, c.down)
		}
	}
	var columns report.Columns
	for _, name := range []string{"id", "acc", "value.loss", "param.x", "duration"} {
		c, err := report.FindColumn(st, list, name, nil)
		must(t, err)
		columns = append(columns, c)
	}
	want := "id,acc,value.loss,param.x,duration\n1-aaaa,0.123456789,3,0.5,10\n2-bbbb,,,0.25,\n3-cccc,none,2,0.75,9.5\n"
	if got := string(columns.CSV(slices.Values(list), nil)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := string(columns.Table(list).Text(false)); !strings.Contains(got, "1-aaaa  0.123457") {
		t.Error(got)
	}
	var e *study.Error
	if _, err := report.FindColumn(st, list, "nowhere", nil); !errors.As(err, &e) || e.Code != study.Usage ||
		!strings.Contains(e.Hint, "loss, x, cost, duration") {
		t.Error(err, e)
	}
}

func TestMetricsAreSummedUp(t *testing.T) {
	st := columnStudy(t)
	short, long := 9.5, 100.0
	list := []study.Trial{
		{Number: 1, Tag: "aaaa", State: study.Complete, Config: at(0.5),
			Observation: study.Observation{Values: study.Values{{Name: "loss", Value: 3}}, Duration: &long,
				Metrics: study.NamedOf(map[string]any{"acc": 0.5, "host": "b|c"})}},
		{Number: 2, Tag: "bbbb", State: study.Complete, Config: at(0.25),
			Observation: study.Observation{Values: study.Values{{Name: "loss", Value: 4}}, Duration: &short,
				Metrics: study.Metrics{{Name: "acc", Value: 0.25}}}},
	}
	s := report.NewSummary(st, list)
	page := string(s.Page(st, list[:1], nil).Markdown())
	for _, want := range []string{
		"| acc | 2 | 0.25 | 0.5 | 0.5 |", `| host | 1 |  |  | b\|c |`,
		"| time of the trials | 1m50s | in 2 trials, 1m40s at most |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	details := string(report.Details(st, &list[0], report.Listing{}).Text(false))
	for _, want := range []string{"\nduration     1m40s\n", "\nmetric acc   0.5\n", "\nmetric host  b|c\n"} {
		if !strings.Contains(details, want) {
			t.Errorf("no %q in\n%s", want, details)
		}
	}
}

// columnStudy has the one parameter x, which a metric is named after, too.
func columnStudy(t *testing.T) *study.Study {
	t.Helper()
	s, err := space.New([]space.Parameter{{Name: "x", Kind: space.Float, Low: 0, High: 1}}, nil, nil)
	must(t, err)
	return &study.Study{Name: "s", Space: s, Objectives: []study.Objective{{Name: "loss"}}}
}

func at(x float64) space.Configuration {
	return space.Configuration{Value: []float64{x}, Active: []bool{true}}
}
