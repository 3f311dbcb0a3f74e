package kernels

import "bohier/internal/tile"

// pairSums are sums Σ_{j<i} g_ij (a_i − a_j)(b_i − b_j) over all pairs of points, for
// vectors a and b of features: Σ_i (r_i a_i b_i − a_i (Gb)_i − b_i (Ga)_i), with one
// matrix product Ga for each feature.
type pairSums struct {
	n, stride int // points; rounded up to a multiple of four
	count     int // features
	g         packed
	f         []float64 // one feature per row
	gf        []float64 // Σ_{j<i} g_ij f_j in the place of f_i
	r         []float64 // Σ_{j<i} g_ij + Σ_{j>i} g_ji
}

// A crossed term has its gradient over all pairs from crosses, or from their g.
type pairSummed interface {
	// features adds the vectors it needs.
	features(x *pairSums)
	// pullPairSums adds the gradient of Σ_{j<i} g_ij·d²_ij by the term's own
	// hyperparameters.
	pullPairSums(dtheta []float64, x *pairSums)
}

// start begins with weights g, which are 0 on the diagonal and right of it. The
// memory stays.
func (x *pairSums) start(g packed) {
	x.g, x.n, x.stride, x.count = g, g.n, (g.n+3)&^3, 0
}

// next is a new feature to be filled, and its number.
func (x *pairSums) next() (f []float64, k int) {
	k = x.count
	x.count++
	x.f = longer(x.f, x.count*x.stride)
	return x.f[k*x.stride:][:x.n], k
}

func (x *pairSums) add(f []float64) (k int) {
	dst, k := x.next()
	copy(dst, f)
	return k
}

// activity adds the activity along an axis, once, if it varies.
func (x *pairSums) activity(col *boundAxis) {
	if col.on != nil && col.onAt < 0 {
		col.onAt = x.add(col.on)
	}
}

// multiply prepares cross. Features lose their means, which changes no cross and
// saves digits.
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
		sum := addSum(x.r[:x.g.width(i)], x.g.row(i))
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

// pullPairSums is pull for all points at once: by crosses where terms have them. It
// declines, changing nothing, where a warped coordinate has other terms than linear ones.
func (b *boundDistance) pullPairSums(dtheta []float64, g packed, x *pairSums) bool {
	x.start(g)
	for k, col := range b.cols {
		col.onAt = -1
		for _, t := range b.terms[k] {
			switch t.(type) {
			case *boundLinear, *boundActivityOffset:
			default:
				if col.ua != nil {
					return false
				}
			}
			if c, ok := t.(pairSummed); ok && !col.alike {
				c.features(x)
			}
		}
	}
	if x.count > 0 {
		x.multiply()
	}
	for k, col := range b.cols {
		if col.alike {
			continue // all distances along it are 0
		}
		for _, t := range b.terms[k] {
			if c, ok := t.(pairSummed); ok {
				c.pullPairSums(dtheta, x)
				continue
			}
			for i := range g.n {
				col.load(b.y, i)
				t.load(i)
				t.pull(dtheta, g.row(i), 0)
			}
		}
	}
	return true
}
