package polytope

import (
	"math"
	"slices"

	"bohier/internal/boxopt"
)

// slack is how far a constraint with a normal of length 1 may be missed.
const slack = 1e-10

// quadratic minimises slope·x + ½x'Bx over the set, where root is any matrix, by rows,
// with root·root' = B⁻¹; it overwrites root. ok is false where the set is empty.
func (s *Set) quadratic(root, slope []float64) (x []float64, ok bool) {
	n := len(slope)
	q := &dual{set: s, n: n, root: root, x: make([]float64, n), d: make([]float64, n), step: make([]float64, n),
		held: make([]bool, s.count())}
	for j := range n { // x = −root·root'·slope
		for i := range n {
			q.d[j] -= root[i*n+j] * slope[i]
		}
	}
	for i := range n {
		q.x[i] = boxopt.Dot(root[i*n:(i+1)*n], q.d)
	}
	for range 10 * (s.count() + 1) { // more means that rounding goes round in a circle
		k, sign := q.worst()
		if k < 0 {
			return q.x, true
		}
		if !q.satisfy(k, sign) {
			return nil, false
		}
	}
	return nil, false
}

// A dual is the state of one quadratic program: the minimum x on the constraints that are active. With N, whose columns
// are their normals, root'·N is an upper triangle over zeros.
type dual struct {
	set      *Set
	n        int
	root     []float64
	x        []float64
	active   []int
	held     []bool // by constraint: is active
	factor   [][]float64
	price    []float64 // the multipliers of the active constraints
	d, step  []float64
	relative []float64
}

// worst is the constraint missed by most in relation to the length of its normal, −1
// for none, and the side it is missed on.
func (q *dual) worst() (k int, sign float64) {
	k, most := -1, slack
	for c := range q.held {
		if q.held[c] {
			continue
		}
		e, side := q.set.excess(c, q.x), 1.0
		if q.set.equal(c) && e < 0 {
			e, side = -e, -1
		}
		if l := q.set.length(c); l > 0 {
			e /= l
		} else if e > slack { // 0 ≤ −e
			e = math.Inf(1)
		}
		if e > most {
			k, sign, most = c, side, e
		}
	}
	return k, sign
}

// satisfy makes constraint k active, dropping others that hold the point back. It is
// false where no point satisfies it together with the active ones.
func (q *dual) satisfy(k int, sign float64) bool {
	price := 0.0
	for {
		m := len(q.active)
		q.set.toward(q.d, k, sign, q.root)
		clear(q.step)
		curvature := 0.0
		for j := m; j < q.n; j++ {
			curvature += q.d[j] * q.d[j]
		}
		q.relative = append(q.relative[:0], q.d[:m]...)
		for i := m - 1; i >= 0; i-- {
			for j := i + 1; j < m; j++ {
				q.relative[i] -= q.factor[j][i] * q.relative[j]
			}
			q.relative[i] /= q.factor[i][i]
		}
		t, drop := math.Inf(1), -1
		for i, r := range q.relative {
			if r > 1e-14 && !q.set.equal(q.active[i]) && q.price[i]/r < t {
				t, drop = q.price[i]/r, i
			}
		}
		full := math.Inf(1)
		if curvature > 1e-14*boxopt.Dot(q.d, q.d) && curvature > 0 {
			full = sign * q.set.excess(k, q.x) / curvature
		}
		if math.IsInf(min(t, full), 1) {
			return false
		}
		t = max(min(t, full), 0)
		for i, r := range q.relative {
			q.price[i] -= t * r
		}
		price += t
		if !math.IsInf(full, 1) {
			for i := range q.n {
				q.x[i] -= t * boxopt.Dot(q.root[i*q.n+m:(i+1)*q.n], q.d[m:])
			}
		}
		if t == full {
			q.push(k, price)
			return true
		}
		q.drop(drop)
	}
}

// push appends constraint k, for which d is up to date.
func (q *dual) push(k int, price float64) {
	m := len(q.active)
	for j := q.n - 1; j > m; j-- {
		q.rotate(j-1, j, q.d[j-1], q.d[j])
		q.d[j-1], q.d[j] = math.Hypot(q.d[j-1], q.d[j]), 0
	}
	q.active, q.price = append(q.active, k), append(q.price, price)
	q.factor = append(q.factor, slices.Clone(q.d[:m+1]))
	q.held[k] = true
}

// drop removes the active constraint at place i.
func (q *dual) drop(i int) {
	q.held[q.active[i]] = false
	q.active, q.price = slices.Delete(q.active, i, i+1), slices.Delete(q.price, i, i+1)
	q.factor = slices.Delete(q.factor, i, i+1)
	for j := i; j < len(q.factor); j++ { // column j has one entry below its diagonal
		a, b := q.factor[j][j], q.factor[j][j+1]
		c, s := q.rotate(j, j+1, a, b)
		for k := j; k < len(q.factor); k++ {
			u, v := q.factor[k][j], q.factor[k][j+1]
			q.factor[k][j], q.factor[k][j+1] = c*u+s*v, c*v-s*u
		}
		q.factor[j] = q.factor[j][:j+1]
	}
}

// rotate turns columns i and j of root so that (a, b) becomes (√(a²+b²), 0), and returns the cosine and the sine.
func (q *dual) rotate(i, j int, a, b float64) (c, s float64) {
	r := math.Hypot(a, b)
	if r == 0 {
		return 1, 0
	}
	c, s = a/r, b/r
	for k := 0; k < len(q.root); k += q.n {
		u, v := q.root[k+i], q.root[k+j]
		q.root[k+i], q.root[k+j] = c*u+s*v, c*v-s*u
	}
	return c, s
}
