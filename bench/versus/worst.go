package versus

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"bohier/bench/problems"
	"bohier/bench/statistics"
)

// Stages are the numbers of evaluations that Worst compares at.
var Stages = []int{10, 20, 40, 80}

// A cell is what the runs of all variants on a kind of problem have come to at a stage.
type cell struct {
	kind    string
	n, runs int
	medians map[string]float64 // log10 regret by variant
	best    string             // the best of the variants beside the one judged
	behind  float64            // by how much that one is behind it
}

// Worst writes the median log10 regret of every variant on every kind of problem after each of Stages, the cells in
// which base is furthest behind the best other one first, and how many of them are more than 0.15 behind. A regret
// below least counts as none. Kinds are families of problems; a problem that belongs to none is one of its own.
func Worst(w io.Writer, runs []Run, base string) error {
	variants, cells := columns(runs, base), stages(runs, base)
	if len(cells) == 0 {
		return fmt.Errorf("%w of %s and of another variant", ErrNothingShared, base)
	}
	fmt.Fprintf(w, "| kind | after | seeds | %s | behind |\n|---|---|---|%s---|\n", strings.Join(variants, " | "),
		strings.Repeat("---|", len(variants)))
	late := 0
	for _, c := range cells {
		if c.behind > Tolerated {
			late++
		}
		fmt.Fprintf(w, "| %s | %d | %d |", c.kind, c.n, c.runs)
		for _, v := range variants {
			m, known := c.medians[v]
			switch {
			case !known:
				fmt.Fprint(w, " |")
			case v == c.best:
				fmt.Fprintf(w, " **%.2f** |", m)
			default:
				fmt.Fprintf(w, " %.2f |", m)
			}
		}
		fmt.Fprintf(w, " %+.2f |\n", c.behind)
	}
	_, err := fmt.Fprintf(w, "\n%s is more than %.2f behind the best other variant in %d of %d cells, at worst by %.2f.\n",
		base, Tolerated, late, len(cells), cells[0].behind)
	return err
}

// least is the regret that counts as none.
const least = 1e-4

// Tolerated is how far behind in log10 regret a cell may be.
const Tolerated = 0.15

// columns are the variants, base first.
func columns(runs []Run, base string) []string {
	names := []string{base}
	for _, r := range runs {
		if !slices.Contains(names, r.Variant) {
			names = append(names, r.Variant)
		}
	}
	return names
}

// stages are the cells in which base has another variant beside it, the worst first.
func stages(runs []Run, base string) []*cell {
	type at struct {
		kind string
		n    int
	}
	regrets, optimum := map[at]map[string][]float64{}, map[string]float64{}
	shared := map[[2]any]bool{} // problems and seeds of base
	for _, r := range runs {
		if r.Variant == base {
			shared[[2]any{r.Problem, r.Seed}] = true
		}
	}
	for _, r := range runs {
		if !shared[[2]any{r.Problem, r.Seed}] {
			continue
		}
		if _, known := optimum[r.Problem]; !known {
			optimum[r.Problem] = problems.Least(r.Problem)
		}
		kind := familyOf(r.Problem)
		if f, _, ok := problems.FamilyOf(r.Problem); ok {
			if kind = f.Name; f.Held {
				kind += "*"
			}
		}
		for _, n := range Stages {
			if n > len(r.Best) {
				continue
			}
			if regrets[at{kind, n}] == nil {
				regrets[at{kind, n}] = map[string][]float64{}
			}
			y := math.Log10(max(r.Best[n-1]-optimum[r.Problem], least))
			regrets[at{kind, n}][r.Variant] = append(regrets[at{kind, n}][r.Variant], y)
		}
	}
	var cells []*cell
	for key, by := range regrets {
		if by[base] == nil || len(by) < 2 {
			continue
		}
		c := &cell{kind: key.kind, n: key.n, runs: len(by[base]), medians: map[string]float64{}}
		for _, v := range slices.Sorted(maps.Keys(by)) {
			c.medians[v] = statistics.Median(by[v])
			if v != base && (c.best == "" || c.medians[v] < c.medians[c.best]) {
				c.best = v
			}
		}
		c.behind = c.medians[base] - c.medians[c.best]
		cells = append(cells, c)
	}
	slices.SortFunc(cells, func(a, b *cell) int {
		return cmp.Or(cmp.Compare(b.behind, a.behind), cmp.Compare(a.kind, b.kind), a.n-b.n)
	})
	return cells
}
