package zaefferer

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"bohier/bench/orders"
	"bohier/bench/statistics"
)

// The paper's protocol.
const protocol = "direct"

// evidence is the results in the form that the claims ask for.
type evidence struct {
	rmse     map[Model]map[Setting][]float64
	rho      map[Model]map[Setting][]float64
	rejected map[Model]int // fits that met a matrix that was not positive definite
	gaps     map[Setting]map[int]map[string]float64
}

func gather(list []*Result) *evidence {
	e := &evidence{
		rmse: map[Model]map[Setting][]float64{}, rho: map[Model]map[Setting][]float64{},
		rejected: map[Model]int{}, gaps: map[Setting]map[int]map[string]float64{},
	}
	for _, r := range list {
		if r.Study == "search" {
			byRun := e.gaps[r.Setting]
			if byRun == nil {
				byRun = map[int]map[string]float64{}
				e.gaps[r.Setting] = byRun
			}
			if byRun[r.Replication] == nil {
				byRun[r.Replication] = map[string]float64{}
			}
			byRun[r.Replication][r.Model.Kernel] = r.Gap
			continue
		}
		if e.rmse[r.Model] == nil {
			e.rmse[r.Model], e.rho[r.Model] = map[Setting][]float64{}, map[Setting][]float64{}
		}
		e.rmse[r.Model][r.Setting] = append(e.rmse[r.Model][r.Setting], r.RMSE)
		if r.Rejected > 0 {
			e.rejected[r.Model]++
		}
		if r.Model.Kernel == "imp" {
			e.rho[r.Model][r.Setting] = append(e.rho[r.Model][r.Setting], r.Rho)
		}
	}
	return e
}

// median is the median error of a model in a setting, NaN where there is none.
func (e *evidence) median(m Model, s Setting) float64 {
	x := e.rmse[m][s]
	if len(x) == 0 {
		return math.NaN()
	}
	return statistics.Median(x)
}

// error is the mean, over the settings that pass, of the median errors.
func (e *evidence) error(m Model, pass func(Setting) bool) float64 {
	var medians []float64
	for _, s := range settings() {
		if pass(s) {
			medians = append(medians, e.median(m, s))
		}
	}
	return statistics.Mean(medians)
}

// errors are those of kernels under the protocol, and the kernels from best to worst.
func (e *evidence) errors(kernels []string, pass func(Setting) bool) (by map[string]float64, order []string) {
	by = map[string]float64{}
	for _, k := range kernels {
		by[k] = e.error(Model{k, protocol}, pass)
	}
	order = slices.Clone(kernels)
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(by[a], by[b]) })
	return by, order
}

// order compares the searches of kernels in the settings whose situation is among those given, with settings and
// replications as blocks, over the replications that have all kernels.
func (e *evidence) order(kernels []string, situations string) *orders.Order {
	var blocks [][]float64
	for _, s := range settings() {
		if !strings.Contains(situations, s.Situation()) {
			continue
		}
		for r := range len(e.gaps[s]) {
			row := make([]float64, 0, len(kernels))
			for _, k := range kernels {
				if gap, ok := e.gaps[s][r][k]; ok {
					row = append(row, gap)
				}
			}
			if len(row) == len(kernels) {
				blocks = append(blocks, row)
			}
		}
	}
	return orders.New(kernels, blocks)
}
