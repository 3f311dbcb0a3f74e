package peers

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bohier/bench/orders"
	"bohier/bench/statistics"
	"bohier/bench/versus"
)

// The normalised regret (best − f*) / (E10 − f*) below which values count as alike.
const floor = 1e-6

// Own is the peer that the others are compared with.
const own = "bohier"

// marks are the evaluations reported.
var marks = []int{20, 30, 50, 100}

// Report writes the tables as Markdown, what is worst for this program first, and the
// pictures into a directory where it is named.
func Report(w io.Writer, list []*Run, references []Reference, pictures string) error {
	e := gather(list, references)
	var b strings.Builder
	if n := len(e.problems) - len(e.set); n > 0 {
		fmt.Fprintf(&b, "%d problems are not known here (-spec names the file that has them): they are in the set all "+
			"alone, with the least value of any run for optimum.\n\n", n)
	}
	e.behind(&b)
	sets := []string{"all", "mixed", "conditional"}
	for _, set := range sets {
		e.summary(&b, set)
	}
	e.verdicts(&b, sets)
	e.perProblem(&b)
	e.failures(&b)
	if _, err := io.WriteString(w, b.String()); err != nil || pictures == "" {
		return err
	}
	if err := os.MkdirAll(pictures, 0o777); err != nil {
		return err
	}
	var titles []string
	var list2 []*orders.Order
	for _, set := range sets {
		for _, n := range e.ends() {
			if o := e.order(n, e.in(set)); o.Blocks > 1 {
				titles, list2 = append(titles, fmt.Sprintf("%s problems, after %d evaluations, %d blocks", set, n, o.Blocks)),
					append(list2, o)
			}
		}
	}
	return os.WriteFile(filepath.Join(pictures, "compare-ranks.svg"), orders.SVG(titles, list2), 0o666)
}

// ends are the last two of the marks that a run has come to, or one.
func (e *evidence) ends() []int {
	longest := 0
	for _, r := range e.runs {
		longest = max(longest, len(r.Best))
	}
	k := len(marks)
	for k > 1 && marks[k-1] > longest {
		k--
	}
	return marks[max(0, k-2):k]
}

// in reports whether a problem is of a set.
func (e *evidence) in(set string) func(string) bool {
	return func(p string) bool { return set == "all" || e.set[p] == set }
}

// behind lists the problems and peers with a mean that is better than this program's at one
// of the marks, the largest difference first.
func (e *evidence) behind(b *strings.Builder) {
	b.WriteString("### Where a peer is ahead\n\n")
	type row struct {
		text  string
		worst float64
	}
	var rows []row
	for _, problem := range e.problems {
		one := func(p string) bool { return p == problem }
		for _, peer := range e.peers[1:] {
			r, most := row{text: fmt.Sprintf("| %s | %s |", problem, peer)}, 0
			for _, n := range marks {
				ours, theirs := e.regrets(own, n, one), e.regrets(peer, n, one)
				runs := min(len(ours), len(theirs))
				if runs == 0 {
					r.text += " |"
					continue
				}
				d := statistics.Mean(theirs) - statistics.Mean(ours)
				r.text += fmt.Sprintf(" %+.2f", d)
				if runs > 2 { // of fewer p says nothing
					_, p := statistics.MannWhitney(theirs, ours)
					r.text += fmt.Sprintf(" (%.2g)", p)
				}
				r.text += " |"
				r.worst, most = min(r.worst, d), max(most, runs)
			}
			if r.worst < 0 {
				r.text += fmt.Sprintf(" %d |\n", most)
				rows = append(rows, r)
			}
		}
	}
	if len(rows) == 0 {
		b.WriteString("Nowhere, by the mean.\n\n")
		return
	}
	b.WriteString("Difference of log10 regret, peer − bohier; in brackets p (Mann–Whitney) of three runs and more.\n\n| " +
		"problem | peer |")
	for _, n := range marks {
		fmt.Fprintf(b, " %d |", n)
	}
	b.WriteString(" runs of each |\n|---|---|" + strings.Repeat("---|", len(marks)+1) + "\n")
	slices.SortStableFunc(rows, func(a, c row) int { return cmp.Compare(a.worst, c.worst) })
	for _, r := range rows {
		b.WriteString(r.text)
	}
	b.WriteString("\n")
}

// summary is the mean log10 regret of every peer over the problems of a set that it has
// runs on, with an interval over these problems, the mean rank and the cost.
func (e *evidence) summary(b *strings.Builder, set string) {
	pass := e.in(set)
	count := 0
	for _, p := range e.problems {
		if pass(p) {
			count++
		}
	}
	if count == 0 {
		return
	}
	fmt.Fprintf(b, "### %s: mean log10 normalised regret over problems [95 %%] (problems), of %d\n\n| peer | space | "+
		"runs | failed |", strings.ToUpper(set[:1])+set[1:], count)
	for _, n := range marks {
		fmt.Fprintf(b, " %d |", n)
	}
	ranked := e.ends()[0] // where more peers have come to
	fmt.Fprintf(b, " mean rank after %d | CPU s a suggestion | MB |\n|---|---|---|---|%s---|---|---|\n", ranked,
		strings.Repeat("---|", len(marks)))
	ranks := e.order(ranked, pass)
	g := rand.New(rand.NewPCG(1, 1))
	for _, peer := range e.peers {
		var spaces []string
		count, failed, cpu, asked, memory := 0, 0, 0.0, 0, int64(0)
		for _, r := range e.runs {
			if r.Variant != peer || !pass(r.Problem) {
				continue
			}
			count++
			if r.Failed != "" {
				failed++
			}
			if r.Space != "" && !slices.Contains(spaces, r.Space) {
				spaces = append(spaces, r.Space)
			}
			cpu, asked, memory = cpu+r.CPU, asked+len(r.Best), max(memory, r.Memory)
		}
		if count == 0 {
			continue
		}
		slices.Sort(spaces)
		fmt.Fprintf(b, "| %s | %s | %d | %d |", peer, strings.Join(spaces, ", "), count, failed)
		for _, n := range marks {
			x := e.means(peer, n, pass)
			if len(x) < 2 {
				b.WriteString(" |")
				continue
			}
			low, high := statistics.Bootstrap(g, x, []float64{0})
			fmt.Fprintf(b, " %.2f [%.2f, %.2f] (%d) |", statistics.Mean(x), low, high, len(x))
		}
		if k := ranks.Place(peer); k > 0 {
			fmt.Fprintf(b, " %.2f", ranks.Ranks[k-1])
		}
		fmt.Fprintf(b, " | %.3f | %d |\n", cpu/math.Max(1, float64(asked)), memory/1024)
	}
	if ranks.Blocks > 1 {
		fmt.Fprintf(b, "\nMean ranks over %d blocks (problem × seed), Friedman's p %.2g; `<` is a significant difference "+
			"of neighbours: %v\n", ranks.Blocks, ranks.P, ranks)
	}
	b.WriteString("\n")
}

// verdicts are those of package versus, against every peer on the problems that both have:
// on all, and on a set of which both have enough problems for signed ranks to be significant.
func (e *evidence) verdicts(b *strings.Builder, sets []string) {
	b.WriteString("### This program minus each peer, on the problems that both have\n\n" +
		"| peer | set | after | problems | log10 regret [95 %] | p (signed ranks) | worst regret above 1e-3 | targets " +
		"reached no later | beaten |\n" +
		"|---|---|---|---|---|---|---|---|---|\n")
	const enough = 6
	for _, peer := range e.peers {
		for _, set := range sets {
			for _, n := range marks {
				var list []versus.Run
				for _, r := range e.runs {
					if len(r.Best) >= n && e.in(set)(r.Problem) {
						list = append(list, versus.Run{Problem: r.Problem, Variant: r.Variant, N: n, Best: r.Best[:n]})
					}
				}
				c, err := versus.Compare(list, own, peer, 1)
				switch {
				case peer == own, errors.Is(err, versus.ErrNothingShared):
				case err != nil && set == "all":
					fmt.Fprintf(b, "| %s | %s | %d | | no verdict: %v | | | | |\n", peer, set, n, err)
				case err == nil && (set == "all" || c.Families() >= enough):
					fmt.Fprintf(b, "| %s | %s | %d | %s |\n", peer, set, n, c.Row())
				}
			}
		}
	}
	b.WriteString("\n")
}

// perProblem is the mean regret of every peer on every problem in the end.
func (e *evidence) perProblem(b *strings.Builder) {
	var after []string
	for _, n := range e.ends() {
		after = append(after, fmt.Sprint(n))
	}
	fmt.Fprintf(b, "### Every problem: mean log10 normalised regret after %s\n\n| problem |", strings.Join(after, " and "))
	for _, p := range e.peers {
		fmt.Fprintf(b, " %s |", p)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(e.peers)) + "\n")
	for _, problem := range e.problems {
		fmt.Fprintf(b, "| %s |", problem)
		for _, peer := range e.peers {
			var cells []string
			for _, n := range e.ends() {
				cell := "–"
				if x := e.regrets(peer, n, func(p string) bool { return p == problem }); len(x) > 0 {
					cell = fmt.Sprintf("%.2f", statistics.Mean(x))
				}
				cells = append(cells, cell)
			}
			fmt.Fprintf(b, " %s |", strings.Join(cells, ", "))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// failures lists why runs failed, each reason once.
func (e *evidence) failures(b *strings.Builder) {
	seen := map[string]int{}
	for _, r := range e.runs {
		if r.Failed != "" {
			seen[r.Variant+": "+r.Failed]++
		}
	}
	if len(seen) == 0 {
		return
	}
	b.WriteString("### Failures\n\n")
	for _, why := range slices.Sorted(maps.Keys(seen)) {
		fmt.Fprintf(b, "- %s (%d runs)\n", why, seen[why])
	}
	b.WriteString("\nNone of these runs is repeated before its line is deleted from the file of runs: sed -i " +
		"'/\"failed\":/d' FILE\n")
}
