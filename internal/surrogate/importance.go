package surrogate

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"bohier/internal/points"
	"bohier/internal/space"
)

const (
	importancePoints = 3000 // random configurations
	importanceBins   = 12   // quantiles of a number
)

// Importance is the share of the variance of the predicted objective over random
// configurations that each parameter explains by itself (0…1): its first-order index
// (Sobol' 1993) among the configurations in which it is active, less what chance
// explains (Kelley 1935), times their share in the variance. Effects of parameters
// that are drawn independently are orthogonal, whatever activates them, so that the
// shares add up to at most 1; what is missing are interactions. Constraints between
// parameters tie them together: then shares can overlap. Numbers are cut at quantiles.
// Constants have no entry.
func (f *Fitted) Importance(sp *space.Space, seed uint64) map[string]float64 {
	r := rand.New(rand.NewPCG(seed, 0x1a9e))
	sample, confs, mean := f.sampled(sp, r, importancePoints)
	all := squares(mean)
	out, sum := map[string]float64{}, 0.0
	for c, i := range sp.Coordinates() {
		p := sp.Param(i)
		var active []int
		for k := range confs {
			if sample.Active(c, k) {
				active = append(active, k)
			}
		}
		slices.SortStableFunc(active, func(x, y int) int { return cmp.Compare(sample.At(c, x), sample.At(c, y)) })
		y, group := make([]float64, len(active)), make([]int, len(active))
		for rank, k := range active {
			y[rank], group[rank] = mean[k], rank*importanceBins/len(active)
			if p.Levels() > 0 {
				group[rank] = int(sample.At(c, k))
			}
		}
		out[p.Name] = 0
		if share := explained(y, group) * squares(y) / all; share > 0 { // all may be 0
			out[p.Name] = share
		}
		sum += out[p.Name]
	}
	if sum > 1 && len(sp.Forbidden())+len(sp.Require()) == 0 { // by chance
		for name := range out {
			out[name] /= sum
		}
	}
	return out
}

// sampled are n random configurations with their points and predicted means.
func (f *Fitted) sampled(sp *space.Space, r *rand.Rand, n int) (*points.Set, []space.Configuration, []float64) {
	sample := space.NewDomain(sp, nil).Sample(r, n)
	confs := make([]space.Configuration, sample.Len())
	for i := range confs {
		confs[i] = sp.Decode(sample, i)
	}
	return sample, confs, f.means(sp, confs)
}

// squares is the sum of squared deviations from the mean.
func squares(y []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		sum += (v - mean) * (v - mean)
	}
	return sum
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
