package versus

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// lines are five runs of a variant: its best in the first ten evaluations, then that
// after every second one, the last for the rest of twenty.
func lines(problem, variant string, at10 float64, rest ...float64) (out []Run) {
	for range 5 {
		r := Run{Problem: problem, Variant: variant, N: 20, Best: make([]float64, 20)}
		for k := range r.Best {
			r.Best[k] = at10
			if k >= 10 {
				r.Best[k] = rest[min((k-10)/2, len(rest)-1)]
			}
		}
		out = append(out, r)
	}
	return out
}

func TestTable(t *testing.T) {
	runs := append(lines("p", "slow", 1, 0.5, 0.01, 0), lines("p", "quick", 0.1, 0.001)...)
	for k := range runs {
		runs[k].Seed = uint64(k % 5)
	}
	runs[7].Best[19] = 1e-5 // one of quick's
	var b strings.Builder
	if err := Table(&b, append(runs, Run{Problem: "q", Variant: "quick", Best: make([]float64, 20)}), "slow"); err != nil {
		t.Fatal(err)
	}
	const want = "| variant | runs | after 20 | after 30 | after 50 | after 100 |\n|---|---|---|---|---|---|\n" +
		"| slow | 5 | -6.00 | | | |\n| quick | 5 | -3.40 (+2.60 ± 0.40) | | | |\n"
	if b.String() != want {
		t.Errorf("got\n%s, want\n%s", b.String(), want)
	}
	if err := Table(&b, runs, "none"); err == nil {
		t.Error("a table beside a variant without runs")
	}
}

func TestVersus(t *testing.T) {
	quick := func(problem string) []Run {
		return append(lines(problem, "quick", 0.05, 0.0001), lines(problem, "slow", 1, 0.5, 0.05, 0.004)...)
	}
	var runs []Run
	for _, p := range []string{"p", "q", "r", "s", "t", "zaefferer_a", "zaefferer_b"} {
		runs = append(runs, quick(p)...)
	}
	c, err := Compare(runs, "quick", "slow", 2)
	if err != nil {
		t.Fatal(err)
	}
	// f* is 0.0001, the best value seen: regrets after 10 and after 20 evaluations.
	want := math.Log10((0.05 - 0.0001) / 0.9999 / ((0.004 - 0.0001) / 0.9999))
	f := c.families[5]
	if f.name != "zaefferer" || len(f.a) != 10 || len(c.families) != 6 {
		t.Errorf("%d families, the last %s with %d runs", len(c.families), f.name, len(f.a))
	}
	near(t, "half of the evaluations", f.difference, want)
	near(t, "never better", f.better, 0)
	if c.Beats() || c.factor < 12 {
		t.Errorf("beats with %v times the regret", c.factor)
	}
	if c, err = Compare(runs, "quick", "slow", 1); err != nil || !c.Beats() || c.sooner != 18 || c.targets != 18 {
		t.Errorf("with all of them: %+v, %v", c, err)
	}
	near(t, "p of six of one sign", c.p, 2.0/64)
	if c, err = Compare(append(runs, lines("u", "quick", 1, 0.5)...), "quick", "slow", 1); err != nil ||
		len(c.families) != 6 {
		t.Errorf("a problem with runs of one alone counts: %v, %v", c, err)
	}
	var out strings.Builder
	if err := c.Print(&out); err != nil || !strings.Contains(out.String(), "quick beats slow") {
		t.Errorf("%v\n%s", err, out.String())
	}
	// A target after 8 of half the evaluations, against 13 of all of them, is late.
	late := quick("p")
	for k := range late[:5] {
		for n := range late[k].Best[:7] {
			late[k].Best[n] = 1
		}
	}
	if c, err := Compare(late, "quick", "slow", 2); err != nil || c.sooner != 0 || c.targets != 2 {
		t.Errorf("late by half the evaluations: %+v, %v", c, err)
	}
	if c, err := Compare(late, "quick", "slow", 1); err != nil || c.sooner != 3 || c.targets != 3 {
		t.Errorf("not late by all of them: %+v, %v", c, err)
	}
	if _, err := Compare(runs, "quick", "slow", 21); err == nil {
		t.Error("no evaluation is left, and no error")
	}
	for what, bad := range map[string][]Run{
		"no runs of the other":   lines("p", "quick", 1, 0.5),
		"different lengths":      append(quick("p"), Run{Problem: "p", Variant: "slow", N: 30, Best: make([]float64, 30)}),
		"nothing left to gain":   append(lines("p", "quick", 1, 1), lines("p", "slow", 1, 1)...),
		"a line without results": {{Problem: "p", Variant: "quick", N: 20}, {Problem: "p", Variant: "slow", N: 20}},
	} {
		if _, err := Compare(bad, "quick", "slow", 1); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// The cell in which the variant judged is furthest behind comes first, medians count, a regret
// below the least is that, and problems of a family are one kind.
func TestWorst(t *testing.T) {
	var runs []Run
	for seed, y := range []float64{0.1, 0.01, 1} {
		for variant, factor := range map[string]float64{"default": 1, "other": 0.1} {
			name := fmt.Sprintf("bowl6_%d", seed+1) // least 2
			r := Run{Problem: name, Variant: variant, Seed: uint64(seed + 1), N: 20, Best: make([]float64, 20)}
			for k := range r.Best {
				r.Best[k] = 2 + y*factor
				if k >= 10 && variant == "default" {
					r.Best[k] = 2
				}
			}
			runs = append(runs, r)
		}
	}
	runs = append(runs, Run{Problem: "bowl6_4", Variant: "other", Seed: 4, N: 20, Best: make([]float64, 20)}) // not default's
	var b strings.Builder
	if err := Worst(&b, runs, "default"); err != nil {
		t.Fatal(err)
	}
	const want = "| kind | after | seeds | default | other | behind |\n|---|---|---|---|---|---|\n" +
		"| bowl6 | 10 | 3 | -1.00 | **-2.00** | +1.00 |\n| bowl6 | 20 | 3 | -4.00 | **-2.00** | -2.00 |\n\n" +
		"default is more than 0.15 behind the best other variant in 1 of 2 cells, at worst by 1.00.\n"
	if b.String() != want {
		t.Errorf("got\n%s, want\n%s", b.String(), want)
	}
	if err := Worst(&b, runs, "none"); err == nil {
		t.Error("a table of a variant without runs")
	}
}
