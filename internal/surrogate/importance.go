package surrogate

import (
	"math/rand/v2"
	"sort"

	"bohier/internal/space"
)

const (
	importancePoints = 3000 // random configurations
	importanceBins   = 12   // quantiles of a number
)

// Importance is the share of the variance of the predicted objective over random
// configurations that each parameter explains by itself (0…1): the correlation
// ratio of its values, being inactive one of them, which is the first-order index
// of Sobol' (1993), less what chance explains (Kelley 1935). Numbers are cut at
// quantiles. Constants have no entry. The order is that of the space.
func (f *Fitted) Importance(sp *space.Space, seed uint64) map[string]float64 {
	r := rand.New(rand.NewPCG(seed, 0x1a9e))
	sample := space.NewDomain(sp, nil).Sample(r, importancePoints)
	confs := make([]space.Configuration, sample.Len())
	for i := range confs {
		confs[i] = sp.Decode(sample, i)
	}
	mean, _, _ := f.Predict(sp, confs)
	out := map[string]float64{}
	for c, i := range sp.Coordinates() {
		p := sp.Param(i)
		var order []int
		group := make([]int, len(confs))
		for k := range confs {
			switch {
			case !sample.Active(c, k):
				group[k] = -1
			case p.Levels() > 0:
				group[k] = int(sample.At(c, k))
			default:
				order = append(order, k)
			}
		}
		sort.SliceStable(order, func(x, y int) bool { return sample.At(c, order[x]) < sample.At(c, order[y]) })
		for rank, k := range order {
			group[k] = rank * importanceBins / len(order)
		}
		out[p.Name] = explained(mean, group)
	}
	return out
}

// explained is the share of the variance of y between groups.
func explained(y []float64, group []int) float64 {
	sums, counts := map[int]float64{}, map[int]float64{}
	n, total := float64(len(y)), 0.0
	for k, v := range y {
		sums[group[k]] += v
		counts[group[k]]++
		total += v
	}
	mean, within, all := total/n, 0.0, 0.0
	for k, v := range y {
		d := v - sums[group[k]]/counts[group[k]]
		within += d * d
		all += (v - mean) * (v - mean)
	}
	groups := float64(len(counts))
	if !(all > 0) || n <= groups {
		return 0
	}
	if share := 1 - within/(n-groups)*(n-1)/all; share > 0 {
		return share
	}
	return 0 // chance, or values beyond what a square holds
}
