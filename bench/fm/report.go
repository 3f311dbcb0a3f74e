package fm

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"bohier/bench/claims"
	"bohier/bench/runs"
	"bohier/bench/statistics"
)

// evidence is runs by problem and method.
type evidence map[string]map[string][]*runs.Run

func gather(list []*runs.Run) evidence {
	e := evidence{}
	for _, r := range list {
		if e[r.Problem] == nil {
			e[r.Problem] = map[string][]*runs.Run{}
		}
		e[r.Problem][r.Variant] = append(e[r.Problem][r.Variant], r)
	}
	return e
}

// at are the best values of a method's runs after n evaluations.
func (e evidence) at(problem, method string, n int) (out []float64) {
	for _, r := range e[problem][method] {
		if n <= len(r.Best) {
			out = append(out, r.Best[n-1])
		}
	}
	return out
}

// mean is that of the best values after n evaluations; NaN without runs.
func (e evidence) mean(problem, method string, n int) float64 {
	x := e.at(problem, method, n)
	if len(x) == 0 {
		return math.NaN()
	}
	return statistics.Mean(x)
}

// length is the number of evaluations that ModLap's runs on a problem have.
func (e evidence) length(problem string) int {
	n := 0
	for _, r := range e[problem]["modlap"] {
		n = max(n, len(r.Best))
	}
	return n
}

// area is that above the mean curve, below the mean of the initial points' best, divided
// by what a run that has the best known value at once would have: 0 … 1.
func (e evidence) area(problem, method string) float64 {
	n := e.length(problem)
	best, start := math.Inf(1), e.mean(problem, method, 10)
	for m := range e[problem] {
		for _, y := range e.at(problem, m, n) {
			best = math.Min(best, y)
		}
	}
	sum := 0.0
	for k := 11; k <= n; k++ {
		sum += (start - e.mean(problem, method, k)) / (start - best) / float64(n-10)
	}
	return sum
}

// all are the problems of the study, in order.
func all() []string { return slices.Concat(Synthetic, Learned) }

// Report writes the tables and the claims as Markdown.
func Report(w io.Writer, list []*runs.Run) error {
	e := gather(list)
	var b strings.Builder
	for _, p := range all() {
		e.table(&b, p)
	}
	if err := claims.Table(&b, "Oh, Gavves & Welling", "F", judged, e, len(e.present()) > 2); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (e evidence) table(b *strings.Builder, problem string) {
	n := e.length(problem)
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "### Searches on %s\n\n| method | runs | after %d | after %d | published | area above the mean curve "+
		"| seconds a run |\n|---|---|---|---|---|---|---|\n", problem, n/2, n)
	cell := func(x []float64) string {
		if len(x) == 0 {
			return ""
		}
		if len(x) == 1 {
			return fmt.Sprintf("%.5g", x[0])
		}
		return fmt.Sprintf("%.5g ± %.2g", statistics.Mean(x), statistics.StandardError(x))
	}
	for _, m := range slices.Concat(Kernels, Others, reported) {
		there := ""
		if p, ok := published[problem][m]; ok {
			there = fmt.Sprintf("%.5g ± %.2g", p[0], p[1])
		}
		list := e[problem][m]
		if len(list) == 0 && there == "" {
			continue
		}
		area, seconds := "", ""
		if len(list) > 0 {
			area = fmt.Sprintf("%.3f", e.area(problem, m))
			sum := 0.0
			for _, r := range list {
				sum += r.Seconds / float64(len(list))
			}
			seconds = fmt.Sprintf("%.1f", sum)
		}
		fmt.Fprintf(b, "| %s | %d | %s | %s | %s | %s | %s |\n", m, len(list), cell(e.at(problem, m, n/2)),
			cell(e.at(problem, m, n)), there, area, seconds)
	}
	b.WriteString("\n")
}
