package kernels

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// maxVertices bounds graphs whose spectrum has no closed form (m³ work).
const maxVertices = 1000

// maxTable bounds the table of projections, in numbers.
const maxTable = 1 << 21

// A spectrum is the eigendecomposition of the Laplacian L = D − A of a graph,
// with equal eigenvalues gathered: Σ_i U_vi U_v′i f(λ_i) = Σ_g P_g(v, v′) f(λ_g).
//
// A conditional choice has one more vertex ∅ ("inactive"), joined to each of
// the m values with weight w. Whatever L is, the extended Laplacian
// [[L + wI, −w1], [−w1ᵀ, mw]] has the eigenvalues 0 (constant), λ_i + w with
// (u_i, 0) for the non-constant u_i, and (m+1)w with (1, …, 1, −m): its
// eigenvectors do not depend on w.
type spectrum struct {
	m      int       // values; ∅ is vertex m
	lambda []float64 // λ_g at w = 0, ascending but for the last of an extended graph
	mult   []float64 // ∂λ_g/∂w
	class  [4][]float64
	closed bool      // complete graph: P by class alone
	table  []float64 // P row by row, nil if too large
	u      []float64 // m×m eigenvectors, row by row
	group  []int     // of eigenvector i
	side   int       // vertices with ∅
}

// The classes of pairs on a complete graph.
const (
	same  = iota // one value
	diff         // two values
	mixed        // a value and ∅
	off          // ∅ twice
)

func newSpectrum(m int, g *Graph, ordered, conditional bool) (*spectrum, error) {
	if g == nil || len(g.Edges) == 0 {
		if !ordered {
			return completeSpectrum(m, 1, conditional), nil
		}
		g = PathGraph(m)
	}
	if err := g.Validate(m); err != nil {
		return nil, err
	}
	if w, ok := g.uniform(m); ok {
		return completeSpectrum(m, w, conditional), nil
	}
	if m > maxVertices {
		return nil, fmt.Errorf("graphs of more than %d values other than the complete graph are not available yet", maxVertices)
	}
	return generalSpectrum(m, g, conditional)
}

// completeSpectrum is the closed form for equal weights: eigenvalue m·weight
// on everything orthogonal to the constant.
func completeSpectrum(m int, weight float64, conditional bool) *spectrum {
	n := float64(m)
	s := &spectrum{m: m, closed: true, side: m, lambda: []float64{0, n * weight}, mult: []float64{0, 0}}
	s.class[same] = []float64{1 / n, 1 - 1/n}
	s.class[diff] = []float64{1 / n, -1 / n}
	if conditional {
		s.side++
		s.lambda = append(s.lambda, 0)
		s.mult = []float64{0, 1, n + 1}
		s.class[same] = []float64{1 / (n + 1), 1 - 1/n, 1 / (n * (n + 1))}
		s.class[diff] = []float64{1 / (n + 1), -1 / n, 1 / (n * (n + 1))}
		s.class[mixed] = []float64{1 / (n + 1), 0, -1 / (n + 1)}
		s.class[off] = []float64{1 / (n + 1), 0, n / (n + 1)}
	}
	return s
}

func generalSpectrum(m int, g *Graph, conditional bool) (*spectrum, error) {
	a := g.adjacency(m)
	lap := mat.NewSymDense(m, nil)
	for i := range m {
		degree := 0.0
		for j := range m {
			degree += a[i*m+j]
			if j > i {
				lap.SetSym(i, j, -a[i*m+j])
			}
		}
		lap.SetSym(i, i, degree)
	}
	var eig mat.EigenSym
	if !eig.Factorize(lap, true) {
		return nil, fmt.Errorf("the eigenvalues of the graph could not be computed")
	}
	values := eig.Values(nil)
	var vectors mat.Dense
	eig.VectorsTo(&vectors)
	s := &spectrum{m: m, side: m, u: make([]float64, m*m), group: make([]int, m)}
	tol := 1e-10 * values[m-1]
	for i, v := range values {
		if i == 0 { // connected: exactly one, and exactly constant
			s.lambda, s.mult = []float64{0}, []float64{0}
		} else {
			if i == 1 || v-s.lambda[len(s.lambda)-1] > tol {
				s.lambda, s.mult = append(s.lambda, v), append(s.mult, 0)
			}
			s.group[i] = len(s.lambda) - 1
		}
		for r := range m {
			s.u[r*m+i] = vectors.At(r, i)
			if i == 0 {
				s.u[r*m] = 1 / math.Sqrt(float64(m))
			}
		}
	}
	if conditional {
		for k := 1; k < len(s.mult); k++ {
			s.mult[k] = 1
		}
		s.lambda, s.mult = append(s.lambda, 0), append(s.mult, float64(m+1))
		s.side++
	}
	if size := s.side * s.side * len(s.lambda); size <= maxTable {
		table := make([]float64, 0, size)
		p := make([]float64, len(s.lambda))
		for v := range s.side {
			for w := range s.side {
				table = append(table, s.pair(p, v, w)...)
			}
		}
		s.table = table
	}
	return s, nil
}

// row starts with P_g(v, 0); P_g(v, w) is entry w·(number of groups). It needs the
// table.
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
	if v < s.m && w < s.m {
		a, b := s.u[v*s.m:(v+1)*s.m], s.u[w*s.m:(w+1)*s.m]
		for i, g := range s.group {
			work[g] += a[i] * b[i]
		}
	}
	if s.side > s.m {
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
