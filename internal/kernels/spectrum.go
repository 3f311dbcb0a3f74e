package kernels

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"

	"bohier/internal/points"
)

// maxVertices bounds graphs whose spectrum has no closed form (m³ work).
const maxVertices = 1000

// maxTable bounds the table of projections, in numbers.
const maxTable = 1 << 21

// A kernel on the values of a choice is a function f of the frequencies λ of its graph: the smaller f(λ), the smoother
// the objective along edges (Smola & Kondor 2003, doi:10.1007/978-3-540-45167-9_12).
//
// A spectrum is the eigendecomposition of the Laplacian L = D − A of a graph,
// with equal eigenvalues gathered: Σ_i U_vi U_v′i f(λ_i) = Σ_g P_g(v, v′) f(λ_g).
//
// A conditional choice has one more vertex ∅ ("inactive"), joined to each of
// the m values with weight w. Whatever L is, the extended Laplacian
// [[L + wI, −w1], [−w1ᵀ, mw]] has the eigenvalues 0 (constant), λ_i + w with
// (u_i, 0) for the non-constant u_i, and (m+1)w with (1, …, 1, −m): its
// eigenvectors do not depend on w.
type spectrum struct {
	m      int       // values; ∅ is vertex m, where it is one
	lambda []float64 // λ_g at w = 0, ascending but for the last of an extended graph
	mult   []float64 // ∂λ_g/∂w
	share  []float64 // of the eigenvalues of a group among all, ∅ included
	class  [4][]float64
	closed bool      // complete graph: P by class alone
	table  []float64 // P row by row, nil if too large
	u      []float64 // m×m eigenvectors, row by row
	group  []int     // of eigenvector i
	side   int       // vertices with ∅
}

// extended means that ∅ is joined to the values by a weight that is a hyperparameter.
func (s *spectrum) extended() bool { return s.side > s.m }

// The classes of pairs on a complete graph.
const (
	same  = iota // one value
	diff         // two values
	mixed        // a value and ∅
	off          // ∅ twice
)

func newSpectrum(m int, g points.Graph, ordered, conditional bool) *spectrum {
	if len(g.Edges) == 0 {
		if !ordered {
			return completeSpectrum(m, 1, conditional)
		}
		g = PathGraph(m)
	}
	if w, ok := uniform(g, m); ok {
		return completeSpectrum(m, w, conditional)
	}
	return generalSpectrum(m, g, conditional)
}

// completeSpectrum is the closed form for equal weights: eigenvalue m·weight on everything orthogonal to the constant.
func completeSpectrum(m int, weight float64, conditional bool) *spectrum {
	n := float64(m)
	s := &spectrum{m: m, closed: true, side: m, lambda: []float64{0, n * weight}, mult: []float64{0, 0}}
	s.class[same] = []float64{1 / n, 1 - 1/n}
	s.class[diff] = []float64{1 / n, -1 / n}
	s.share = s.class[same]
	if conditional {
		s.side = m + 1
		s.lambda = append(s.lambda, 0)
		s.mult = []float64{0, 1, n + 1}
		s.share = []float64{1 / (n + 1), (n - 1) / (n + 1), 1 / (n + 1)}
		s.class[same] = []float64{1 / (n + 1), 1 - 1/n, 1 / (n * (n + 1))}
		s.class[diff] = []float64{1 / (n + 1), -1 / n, 1 / (n * (n + 1))}
		s.class[mixed] = []float64{1 / (n + 1), 0, -1 / (n + 1)}
		s.class[off] = []float64{1 / (n + 1), 0, n / (n + 1)}
	}
	return s
}

func generalSpectrum(m int, g points.Graph, conditional bool) *spectrum {
	n, u, values, work := float64(m), laplacian(g, m), make([]float64, m), []float64{0}
	var lapacke lapackgonum.Implementation                                 // called directly, as in gp
	lapacke.Dsyev(lapack.EVCompute, blas.Upper, m, u, m, values, work, -1) // asks for the length of work
	work = make([]float64, int(work[0]))
	if !lapacke.Dsyev(lapack.EVCompute, blas.Upper, m, u, m, values, work, len(work)) { // ascending values
		panic("kernels: the eigenvalues of a graph do not converge")
	}
	s := &spectrum{m: m, side: m, u: u, group: make([]int, m)}
	values[0] = 0 // connected: exactly one, and exactly constant
	for r := range m {
		s.u[r*m] = 1 / math.Sqrt(n)
	}
	tol := 1e-10 * values[m-1]
	for i, l := range values { // nearly equal ones are one group, but for the constant's
		if i < 2 || l-s.lambda[len(s.lambda)-1] > tol {
			s.lambda, s.mult, s.share = append(s.lambda, max(l, 0)), append(s.mult, 0), append(s.share, 0)
		}
		s.share[len(s.share)-1] += 1 / n
		s.group[i] = len(s.lambda) - 1
	}
	if conditional {
		for k := range s.share {
			s.mult[k] = min(float64(k), 1)
			s.share[k] *= n / (n + 1)
		}
		s.lambda, s.mult, s.share = append(s.lambda, 0), append(s.mult, n+1), append(s.share, 1/(n+1))
		s.side = m + 1
	}
	s.tabulate()
	return s
}

// tabulate computes all projections where there is room for them.
func (s *spectrum) tabulate() {
	size := s.side * s.side * len(s.lambda)
	if size > maxTable {
		return
	}
	table, p := make([]float64, 0, size), make([]float64, len(s.lambda))
	for v := range s.side {
		for w := range s.side {
			table = append(table, s.pair(p, v, w)...)
		}
	}
	s.table = table
}

// row starts with P_g(v, 0); P_g(v, w) is entry w·(number of groups). It needs the table.
func (s *spectrum) row(v, g int) []float64 {
	return s.table[v*s.side*len(s.lambda)+g : (v+1)*s.side*len(s.lambda)]
}

// pair returns P_g(v, v′) for all g, in work where it has to be computed.
func (s *spectrum) pair(work []float64, v, w int) []float64 {
	switch {
	case s.closed:
		return s.class[s.classOf(v, w)]
	case s.table != nil:
		n := len(s.lambda)
		at := (v*s.side + w) * n
		return s.table[at : at+n]
	}
	clear(work)
	if n := len(s.group); v < n && w < n {
		a, b := s.u[v*n:(v+1)*n], s.u[w*n:(w+1)*n]
		for i, g := range s.group {
			work[g] += a[i] * b[i]
		}
	}
	if s.extended() {
		n := float64(s.m)
		work[0] = 1 / (n + 1)
		last := len(work) - 1
		switch s.classOf(v, w) {
		case off:
			work[last] = n / (n + 1)
		case mixed:
			work[last] = -1 / (n + 1)
		default:
			work[last] = 1 / (n * (n + 1))
		}
	}
	return work
}

// ends are the least and the largest eigenvalue but that of the constant, ∅ joined with weight 1.
func (s *spectrum) ends() (least, most float64) {
	least = math.Inf(1)
	for g, l := range s.lambda[1:] {
		l += s.mult[g+1]
		least, most = min(least, l), max(most, l)
	}
	return least, most
}

func (s *spectrum) classOf(v, w int) int {
	switch {
	case v == w && v < s.m:
		return same
	case v == w:
		return off
	case v == s.m || w == s.m:
		return mixed
	}
	return diff
}

// PathGraph joins neighbours in the order of the vertices.
func PathGraph(m int) (g points.Graph) {
	for i := 1; i < m; i++ {
		g.Edges = append(g.Edges, points.Edge{From: i - 1, To: i, Weight: 1})
	}
	return g
}

// adjacency is the m×m matrix of weights, row by row.
func adjacency(g points.Graph, m int) []float64 {
	a := make([]float64, m*m)
	for _, e := range g.Edges {
		a[e.From*m+e.To] += e.Weight
		a[e.To*m+e.From] += e.Weight
	}
	return a
}

// laplacian is D − A.
func laplacian(g points.Graph, m int) []float64 {
	lap := adjacency(g, m)
	for i := range m {
		row, degree := lap[i*m:(i+1)*m], 0.0
		for j, w := range row {
			degree += w
			row[j] = -w
		}
		row[i] = degree
	}
	return lap
}

// uniform returns the common weight if g joins every two vertices equally.
func uniform(g points.Graph, m int) (float64, bool) {
	if m < 2 {
		return 1, true
	}
	if len(g.Edges) < m*(m-1)/2 {
		return 0, false
	}
	a := adjacency(g, m)
	for i := range m {
		for j := range m {
			if i != j && a[i*m+j] != a[1] {
				return 0, false
			}
		}
	}
	return a[1], true
}
