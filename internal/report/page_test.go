package report_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/report"
	"bohier/internal/study"
)

// TestSummaryPage: what a report says, to the character.
func TestSummaryPage(t *testing.T) {
	st := svm(t)
	st.Name, st.Constraints = "a|b", []study.Constraint{{Name: "size", AtLeast: true, Bound: 2}}
	var trials []study.Trial
	for k, v := range []float64{3, 1, 2} {
		cost := 0.1
		tr := study.Trial{Number: k + 1, State: study.Complete}
		tr.Values, tr.Cost = study.NamedOf(map[string]float64{"loss": v, "size": float64(k)}), &cost
		trials = append(trials, tr)
	}
	trials = append(trials, study.Trial{Number: 4, State: study.Failed, Failure: study.Infeasible})
	s := report.NewSummary(st, trials)
	s.Status.Count(trials)
	s.Status.Shortfall = st.Shortfall(trials)
	s.Unfit = "too few trials"
	p := s.Page(st, nil, nil)
	want := `# a\|b

## Summary

|  |  |  |
| --- | --- | --- |
| loss | – | to minimize |
| trials complete | 3 | 1 failed |
| cost | 0.3 | in 3 trials, unknown in 1 |
| size ≥ 2 | 1 of 3 | satisfy it |
| failures | 1 | 1 infeasible, 0 transient |

## Best trials

Of 3 complete trials none satisfies every constraint yet.

## Progress

The trials that improved on all before them.

Reported without a cost, and counted as free: 1.

| TRIAL | COST SO FAR | loss |
| ---: | ---: | ---: |
| 3 | 0.3 | 2 |

## Surrogate

None: too few trials.
`
	if diff := cmp.Diff(want, string(p.Markdown())); diff != "" {
		t.Error(diff)
	}
}

// TestMarkdownTakesTextLiterally: no name or note becomes markup.
func TestMarkdownTakesTextLiterally(t *testing.T) {
	const evil = "<script>alert(1)</script> & | _x_ `y` [z](q) \\"
	p := report.Page{Title: evil, Sections: []report.Section{{
		Title: evil, Text: []string{evil}, Table: &report.Table{Head: []string{evil}, Rows: [][]string{{evil}}},
	}}}
	share := report.Page{Title: "k < 1 %"}
	if got := string(share.Markdown()); !strings.Contains(got, share.Title) {
		t.Errorf("a share reads %q", got)
	}
	for _, forbidden := range []string{"<script", "| |\n|", "[z]("} {
		if strings.Contains(string(p.Markdown()), forbidden) {
			t.Errorf("Markdown has %q", forbidden)
		}
	}
}
