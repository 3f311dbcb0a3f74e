package kernels

import "bohier/internal/tile"

// pairSums are sums Σ_{j<i} g_ij (a_i − a_j)(b_i − b_j) over all pairs of points, for vectors a and b of features: Σ_i
// (r_i a_i b_i − a_i (Gb)_i − b_i (Ga)_i), with one matrix product Ga for each feature.
type pairSums struct {
	n, stride int      // points; rounded up to a multiple of four
	count     int      // features
	last      *float64 // the first number that the last of them was made of; nil: of a product
	g         lower
	f         []float64 // one feature per row
	gf        []float64 // Σ_{j<i} g_ij f_j in the place of f_i
	r         []float64 // Σ_{j<i} g_ij + Σ_{j>i} g_ji
}

// start begins with weights g, which are 0 on the diagonal and right of it. The memory stays.
func (x *pairSums) start(g lower) {
	x.g, x.n, x.stride, x.count, x.last = g, g.n, (g.n+3)&^3, 0, nil
}

// add adds a feature, times factors unless those are nil, and returns its place: that of the last one if they are
// equal.
func (x *pairSums) add(f, factors []float64) int {
	if x.last == &f[0] && factors == nil {
		return x.count - 1
	}
	x.f = longer(x.f, (x.count+1)*x.stride)
	dst := x.f[x.count*x.stride:][:x.n]
	x.last = &f[0]
	if copy(dst, f); factors != nil {
		times(dst, factors)
		x.last = nil
	}
	x.count++
	return x.count - 1
}

// multiply prepares sums. Features lose their means, which changes no sum and saves digits.
func (x *pairSums) multiply() {
	for k := range x.count {
		f := x.f[k*x.stride:][:x.n]
		sum := 0.0
		for _, v := range f {
			sum += v
		}
		for t := range f {
			f[t] -= sum / float64(x.n)
		}
	}
	whole := (x.count + tile.Cols - 1) / tile.Cols * tile.Cols
	x.f = longer(x.f, whole*x.stride)
	x.gf = longer(x.gf, whole*x.stride)
	x.symmetric(x.n)
	for i := range x.n {
		row := x.g.row(i)
		sum := addSum(x.r[:len(row)], row)
		x.r[i] += sum
	}
	var c [tile.Rows * tile.Cols]float64
	for b := range x.stride / tile.Rows {
		rows, length := x.g.block(b), tile.Rows*(b+1)
		for k := 0; k < x.count; k += tile.Cols {
			tile.Dots(tile.Rows, length, rows, length, x.f[k*x.stride:], x.stride, &c)
			for s := range tile.Cols {
				gf := x.gf[(k+s)*x.stride+tile.Rows*b:]
				for r := range tile.Rows {
					gf[r] = c[tile.Cols*r+s]
				}
			}
		}
	}
}

// symmetric is memory for a sum per point, 0.
func (x *pairSums) symmetric(n int) []float64 {
	x.r = longer(x.r, n)
	clear(x.r)
	return x.r[:n]
}

// longer is v with at least n numbers.
func longer(v []float64, n int) []float64 {
	if len(v) < n {
		v = append(v, make([]float64, n-len(v))...)
	}
	return v
}

// sum is the sum for features a and b.
func (x *pairSums) sum(a, b int) float64 {
	fa, fb := x.f[a*x.stride:][:x.n], x.f[b*x.stride:][:x.n]
	ga, gb := x.gf[a*x.stride:][:x.n], x.gf[b*x.stride:][:x.n]
	sum := 0.0
	for i, r := range x.r[:x.n] {
		sum += r*fa[i]*fb[i] - fa[i]*gb[i] - fb[i]*ga[i]
	}
	return sum
}

// pullGram adds the gradient of Σ_{j<i} g_ij·d²_ij: whatever the hyperparameters, d²_ii is 0.
func (b *boundDistance) pullGram(dtheta []float64, g lower, tape *Tape) {
	for i := range g.n {
		g.row(i)[i] = 0
	}
	x := &tape.pairs
	x.start(g)
	for _, along := range b.terms {
		for _, t := range along {
			t.features(x)
		}
	}
	if x.count > 0 {
		x.multiply()
	}
	for _, along := range b.terms {
		for _, t := range along {
			t.pull(dtheta, x)
		}
	}
}
