// Package versus compares two optimizers over problems, by the protocol of the project's experiments.
package versus

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"

	"bohier/bench/problems"
	"bohier/bench/runs"
	"bohier/bench/statistics"
)

// What the protocol fixes.
const (
	reference = 10   // evaluations of b that regret 1 stands for
	floor     = 1e-6 // least regret told apart
	small     = 1e-3 // least regret in which a factor counts
	tolerated = 2    // such a factor
	level     = 0.05
	share     = 2.0 / 3 // of the targets
)

var targets = []float64{0.1, 0.01, 0.001}

// A Run is a line of arena's and compare's files.
type Run = runs.Run

// A family is a problem, or several that ask the same.
type family struct {
	name       string
	a, b       []float64   // log10 normalised regret in the end, per run
	pathsA     [][]float64 // normalised regret after every evaluation, per run
	pathsB     [][]float64
	difference float64 // of the means of a and b
	low, high  float64 // its 95 % bootstrap interval
	better     float64 // probability that a run of a beats one of b
	p          float64 // that both are alike (Mann & Whitney, adjusted by Holm)
}

// A Comparison is what Compare found.
type Comparison struct {
	a, b            string
	families        []*family
	p               float64 // of Wilcoxon's signed ranks over the families
	overall         float64 // mean difference
	low, high       float64 // its 95 % bootstrap interval over the families
	worst           string
	factor          float64
	sooner, targets int
}

// Beats reports whether a beats b.
func (c *Comparison) Beats() bool {
	return c.overall < 0 && c.p < level && c.factor <= tolerated && float64(c.sooner) >= share*float64(c.targets)
}

// Families is the number of families of problems that both have.
func (c *Comparison) Families() int { return len(c.families) }

// familyOf puts the settings of a function together.
func familyOf(problem string) string {
	for _, prefix := range []string{"zaefferer", "ackley53"} {
		if strings.HasPrefix(problem, prefix) {
			return prefix
		}
	}
	return problem
}

// Compare compares variant a, with a share 1/ahead of the evaluations, to b.
func Compare(list []Run, a, b string, ahead int) (*Comparison, error) {
	if ahead < 1 {
		return nil, fmt.Errorf("-ahead %d: want 1 or more", ahead)
	}
	byProblem := map[string]map[string][]Run{}
	for _, r := range list {
		if byProblem[r.Problem] == nil {
			byProblem[r.Problem] = map[string][]Run{}
		}
		byProblem[r.Problem][r.Variant] = append(byProblem[r.Problem][r.Variant], r)
	}
	c := &Comparison{a: a, b: b}
	for _, name := range slices.Sorted(maps.Keys(byProblem)) { // in order, for the bootstrap
		vs := byProblem[name]
		if len(vs[a]) == 0 || len(vs[b]) == 0 {
			continue
		}
		k := slices.IndexFunc(c.families, func(f *family) bool { return f.name == familyOf(name) })
		if k < 0 {
			k = len(c.families)
			c.families = append(c.families, &family{name: familyOf(name)})
		}
		if err := c.families[k].add(name, vs[a], vs[b], ahead); err != nil {
			return nil, err
		}
	}
	if len(c.families) == 0 {
		return nil, fmt.Errorf("%w of both %s and %s", ErrNothingShared, a, b)
	}
	slices.SortFunc(c.families, func(f, g *family) int { return cmp.Compare(f.name, g.name) })
	c.judge(ahead)
	return c, nil
}

// ErrNothingShared is in the chain of Compare's error where two variants have no problem in common.
var ErrNothingShared = errors.New("no problem has runs")

// add adds the runs of a problem: those of a as far as a share of b's evaluations goes.
func (f *family) add(name string, a, b []Run, ahead int) error {
	optimum := problems.Least(name)
	n, ten := b[0].N, 0.0
	for _, r := range slices.Concat(a, b) {
		if r.N != n || len(r.Best) < max(n, reference) {
			return fmt.Errorf("%s: runs of %d and of %d evaluations", name, n, r.N)
		}
		optimum = min(optimum, r.Best[n-1])
	}
	if n < ahead {
		return fmt.Errorf("%s: %d evaluations cannot be divided by -ahead %d", name, n, ahead)
	}
	for _, r := range b {
		ten += r.Best[reference-1] / float64(len(b))
	}
	if !(ten > optimum) {
		return fmt.Errorf("%s: ten evaluations of %s always find the optimum", name, b[0].Variant)
	}
	path := func(best []float64) []float64 {
		out := make([]float64, len(best))
		for k, y := range best {
			out[k] = max((y-optimum)/(ten-optimum), floor)
		}
		return out
	}
	for _, r := range a {
		f.pathsA = append(f.pathsA, path(r.Best[:n/ahead]))
	}
	for _, r := range b {
		f.pathsB = append(f.pathsB, path(r.Best))
	}
	return nil
}

func (c *Comparison) judge(ahead int) {
	g := rand.New(rand.NewPCG(1, 1))
	var differences, ps []float64
	for _, f := range c.families {
		f.a, f.b = ends(f.pathsA), ends(f.pathsB)
		f.difference = statistics.Mean(f.a) - statistics.Mean(f.b)
		f.low, f.high = statistics.Bootstrap(g, f.a, f.b)
		f.better, f.p = statistics.MannWhitney(f.a, f.b)
		differences, ps = append(differences, f.difference), append(ps, f.p)
		if factor := math.Pow(10, f.difference); statistics.Mean(f.a) > math.Log10(small) && factor > c.factor {
			c.worst, c.factor = f.name, factor
		}
		for _, target := range targets {
			at, other := reached(f.pathsA, target)*float64(ahead), reached(f.pathsB, target)
			if math.IsInf(at, 1) && math.IsInf(other, 1) {
				continue
			}
			c.targets++
			if at <= other {
				c.sooner++
			}
		}
	}
	for k, p := range statistics.Holm(ps) {
		c.families[k].p = p
	}
	c.overall, c.p = statistics.Mean(differences), statistics.SignedRanks(differences)
	c.low, c.high = statistics.Bootstrap(g, differences, []float64{0})
}

// ends are the logarithms of the last regrets.
func ends(paths [][]float64) []float64 {
	out := make([]float64, len(paths))
	for k, path := range paths {
		out[k] = math.Log10(path[len(path)-1])
	}
	return out
}

// reached is after how many evaluations the median run has come to a target; infinite where it does not.
func reached(paths [][]float64, target float64) float64 {
	var at []float64
	for _, path := range paths {
		n := math.Inf(1)
		if k := slices.IndexFunc(path, func(r float64) bool { return r <= target }); k >= 0 {
			n = float64(k + 1)
		}
		at = append(at, n)
	}
	slices.Sort(at)
	return at[len(at)/2]
}

// Print writes the families and the verdict.
func (c *Comparison) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "family\t%s runs\t%s runs\tlog10 regret\t%s's\tdifference\t95 %%\ta run is better\tp (Holm)\t\n", c.a,
		c.b, c.b)
	for _, f := range c.families {
		fmt.Fprintf(t, "%s\t%d\t%d\t%.3f\t%.3f\t%+.3f\t[%+.3f, %+.3f]\t%.2f\t%.2g\t\n",
			f.name, len(f.a), len(f.b), statistics.Mean(f.a), statistics.Mean(f.b), f.difference, f.low, f.high, f.better, f.p)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", c.Verdict())
	return err
}

// Row is the verdict as the cells of a table: families, mean difference with its interval
// over the families, p, the worst family, targets reached no later, and whether a beats b.
func (c *Comparison) Row() string {
	worst, verdict := "", "no"
	if c.worst != "" {
		worst = fmt.Sprintf("%s × %.2f", c.worst, c.factor)
	}
	if c.Beats() {
		verdict = "**yes**"
	}
	interval := ""
	if len(c.families) > 1 {
		interval = fmt.Sprintf(" [%+.2f, %+.2f]", c.low, c.high)
	}
	return fmt.Sprintf("%d | %+.2f%s | %.2g | %s | %d of %d | %s", len(c.families), c.overall, interval, c.p, worst,
		c.sooner, c.targets, verdict)
}

// Verdict is one line: whether a beats b, and by what.
func (c *Comparison) Verdict() string {
	verdict := "does not beat"
	if c.Beats() {
		verdict = "beats"
	}
	worst := "no regret above 1e-3"
	if c.worst != "" {
		worst = fmt.Sprintf("worst above 1e-3 %s, %.2f times the regret", c.worst, c.factor)
	}
	return fmt.Sprintf("%s %s %s: signed ranks over %d families p = %.2g, mean difference %+.3f; %s; targets reached no "+
		"later: %d of %d",
		c.a, verdict, c.b, len(c.families), c.p, c.overall, worst, c.sooner, c.targets)
}
