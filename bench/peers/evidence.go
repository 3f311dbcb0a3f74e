package peers

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"bohier/bench/orders"
	"bohier/bench/problems"
	"bohier/bench/statistics"
)

// A Reference is what the best of ten random points is expected to be on a problem.
type Reference struct {
	Problem string  `json:"problem"`
	E10     float64 `json:"e10"`
}

// evidence is the runs with what they are judged by.
type evidence struct {
	runs     []*Run
	e10      map[string]float64
	optimum  map[string]float64 // or the best value of any run, where that is lower
	problems []string           // in order
	peers    []string           // in order, own first
	set      map[string]string  // problem → mixed or conditional; without one it is not known
}

func gather(list []*Run, references []Reference) *evidence {
	e := &evidence{runs: list, e10: map[string]float64{}, optimum: map[string]float64{}, set: map[string]string{}}
	for _, r := range references {
		e.e10[r.Problem] = r.E10
	}
	names := map[string]bool{}
	for _, r := range list {
		names[r.Variant] = true
		if _, ok := e.optimum[r.Problem]; !ok {
			e.optimum[r.Problem] = problems.Least(r.Problem)
			if p, err := problems.Get(r.Problem); err == nil {
				e.set[r.Problem] = map[bool]string{false: "mixed", true: "conditional"}[p.Conditional()]
			}
		}
		if len(r.Best) > 0 {
			e.optimum[r.Problem] = min(e.optimum[r.Problem], r.Best[len(r.Best)-1])
		}
	}
	e.problems = slices.Sorted(maps.Keys(e.optimum))
	e.peers = slices.Sorted(maps.Keys(names))
	slices.SortStableFunc(e.peers, func(a, b string) int {
		return cmp.Compare(map[bool]int{true: 0, false: 1}[a == own], map[bool]int{true: 0, false: 1}[b == own])
	})
	return e
}

// regret is the log10 normalised regret of a run after n evaluations; false where the run is shorter.
func (e *evidence) regret(r *Run, n int) (float64, bool) {
	if n > len(r.Best) {
		return 0, false
	}
	low := e.optimum[r.Problem]
	return math.Log10(max((r.Best[n-1]-low)/(e.e10[r.Problem]-low), floor)), true
}

// regrets are those of a peer's runs on the problems that pass.
func (e *evidence) regrets(peer string, n int, pass func(problem string) bool) (out []float64) {
	for _, r := range e.runs {
		if r.Variant == peer && pass(r.Problem) {
			if v, ok := e.regret(r, n); ok {
				out = append(out, v)
			}
		}
	}
	return out
}

// means are the mean regrets of a peer's runs on each problem that passes.
func (e *evidence) means(peer string, n int, pass func(problem string) bool) (out []float64) {
	for _, problem := range e.problems {
		if x := e.regrets(peer, n, func(p string) bool { return p == problem && pass(p) }); len(x) > 0 {
			out = append(out, statistics.Mean(x))
		}
	}
	return out
}

// order compares the peers after n evaluations with problems and seeds as blocks, those that all of the peers have; a
// peer with at most half of this program's problems would leave too few and is left out.
func (e *evidence) order(n int, pass func(string) bool) *orders.Order {
	type block struct {
		problem string
		seed    uint64
	}
	rows := map[block]map[string]float64{}
	var names []string
	for _, p := range e.peers {
		if 2*len(e.means(p, n, pass)) > len(e.means(own, n, pass)) {
			names = append(names, p)
		}
	}
	for _, r := range e.runs {
		if v, ok := e.regret(r, n); ok && pass(r.Problem) {
			b := block{r.Problem, r.Seed}
			if rows[b] == nil {
				rows[b] = map[string]float64{}
			}
			rows[b][r.Variant] = v
		}
	}
	var blocks [][]float64
	for _, row := range rows {
		values := make([]float64, 0, len(names))
		for _, p := range names {
			if v, ok := row[p]; ok {
				values = append(values, v)
			}
		}
		if len(values) == len(names) {
			blocks = append(blocks, values)
		}
	}
	return orders.New(names, blocks)
}
