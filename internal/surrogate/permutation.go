package surrogate

import (
	"math"
	"math/rand/v2"
	"slices"

	"bohier/internal/space"
)

const (
	permutationPoints = 1500 // random configurations; one parameter is shuffled at a time
	permutationWork   = 5e9  // operations that predictions may take together, which makes them fewer
)

// Permutation is the share of the variance of the predicted objective over random
// configurations that is lost with each parameter's value (0…1): its values are shuffled
// among the configurations in which it is active, and half the mean squared change of the
// prediction counts, which is its total index (Jansen 1999): what it does alone and what
// it does together with others. Shares of parameters that interact overlap and add up to
// more than 1. Parameters that a shuffled value activates come along from where the value
// comes from; pairs that constraints do not allow do not count. Constants have no entry.
func (f *Fitted) Permutation(sp *space.Space, seed uint64) map[string]float64 {
	r := rand.New(rand.NewPCG(seed, 0x9e57))
	each := float64(len(sp.Coordinates())) * math.Pow(float64(f.Model.Len()), 2)
	_, confs, mean := f.sampled(sp, r, max(200, int(min(permutationPoints, permutationWork/each))))
	all := squares(mean) / float64(len(mean))
	out := map[string]float64{}
	for _, i := range sp.Coordinates() {
		out[sp.Param(i).Name] = 0
		var active []int
		for k := range confs {
			if confs[k].Active[i] {
				active = append(active, k)
			}
		}
		var from []int
		var shuffled []space.Configuration
		for n, donor := range r.Perm(len(active)) {
			c := shuffledIn(sp, i, confs[active[n]], confs[active[donor]], confs)
			if _, violated := sp.Violated(c); !violated {
				from, shuffled = append(from, active[n]), append(shuffled, c)
			}
		}
		if len(from) == 0 || !(all > 0) {
			continue
		}
		then := f.means(sp, shuffled)
		sum := 0.0
		for n, k := range from {
			sum += (then[n] - mean[k]) * (then[n] - mean[k])
		}
		share := sum / 2 / float64(len(from)) * float64(len(active)) / float64(len(confs)) / all
		out[sp.Param(i).Name] = min(share, 1)
	}
	return out
}

// shuffledIn is c with the donor's value of parameter i. A parameter that becomes active
// has the donor's value, or where the donor has none that of the first of others that has.
func shuffledIn(sp *space.Space, i int, c, donor space.Configuration,
	others []space.Configuration) space.Configuration {
	out := space.Configuration{Value: slices.Clone(c.Value), Active: slices.Clone(c.Active)}
	out.Value[i] = donor.Value[i]
	for range sp.Len() { // each round activates one level further down at least
		sp.Activate(&out)
		again := false
		for j, on := range out.Active {
			if !on || c.Active[j] || out.Value[j] != 0 {
				continue
			}
			at := donor
			if !donor.Active[j] {
				if k := slices.IndexFunc(others, func(o space.Configuration) bool { return o.Active[j] }); k >= 0 {
					at = others[k]
				}
			}
			if out.Value[j] = at.Value[j]; at.Value[j] != 0 {
				again = true
			}
		}
		if !again {
			break
		}
	}
	return out
}
