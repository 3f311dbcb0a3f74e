package regression

import (
	"slices"

	"gonum.org/v1/gonum/mathext/prng"
)

// shuffled is 0…n−1 in the order of numpy's RandomState(seed).shuffle of a list: Fisher and Yates from the end, indices
// by masked rejection from the Mersenne Twister. The authors' splits are thereby ours.
func shuffled(seed uint32, n int) []int {
	src := prng.NewMT19937()
	src.Seed(uint64(seed))
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i := n - 1; i > 0; i-- {
		mask := uint32(i)
		for shift := 1; shift < 32; shift *= 2 {
			mask |= mask >> shift
		}
		j := src.Uint32() & mask
		for j > uint32(i) {
			j = src.Uint32() & mask
		}
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// fold splits 0…n−1 into the k-th of `folds` runs of equal length (to one), for testing, and the rest.
func fold(n, k, folds int) (train, test []int) {
	lo, hi := k*n/folds, (k+1)*n/folds
	for i := range n {
		if lo <= i && i < hi {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	return train, test
}

// distinct leaves out of idx the rows that repeat an earlier one, target included.
func (d *Data) distinct(idx []int) []int {
	var out []int
	for _, i := range idx {
		if !slices.ContainsFunc(out, func(j int) bool { return d.Y[i] == d.Y[j] && d.X.Equal(i, d.X, j) }) {
			out = append(out, i)
		}
	}
	return out
}

// pick selects elements of y.
func pick(y []float64, idx []int) []float64 {
	out := make([]float64, len(idx))
	for k, i := range idx {
		out[k] = y[i]
	}
	return out
}
