package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bohier/internal/points"
)

func laplacianOf(m int, g points.Graph) *mat.SymDense {
	l := mat.NewSymDense(m, nil)
	for _, e := range g.Edges {
		l.SetSym(e.From, e.From, l.At(e.From, e.From)+e.Weight)
		l.SetSym(e.To, e.To, l.At(e.To, e.To)+e.Weight)
		l.SetSym(e.From, e.To, l.At(e.From, e.To)-e.Weight)
	}
	return l
}

// A graph extended by ∅ is connected with the stated spectrum: one eigenvalue 0, the others positive, equal to those of
// the Laplacian written out; and its projections add up to the functions of that matrix.
func TestExtendedSpectrum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for _, m := range []int{1, 2, 3, 5, 12} {
		for name, g := range map[string]points.Graph{
			"complete": CompleteGraph(m), "path": PathGraph(m), "cycle": CycleGraph(m), "star": StarGraph(m),
			"groups": GroupGraph(slices.Repeat([]int{0, 1}, m)[:m], 0.25),
		} {
			s := newSpectrum(m, g, false, true)
			if m == 1 && len(g.Edges) == 0 {
				g = points.Graph{}
			}
			w := math.Exp(r.NormFloat64())
			extended := points.Graph{Edges: slices.Clone(g.Edges)}
			for v := range m {
				extended.Edges = append(extended.Edges, points.Edge{From: v, To: m, Weight: w})
			}
			var eig mat.EigenSym
			eig.Factorize(laplacianOf(m+1, extended), true)
			values := eig.Values(nil)
			var u mat.Dense
			eig.VectorsTo(&u)
			for k, l := range s.lambda {
				l += w * s.mult[k]
				if (k == 0) != (l == 0) {
					t.Errorf("%s of %d: eigenvalue %d is %v", name, m, k, l)
				}
				if !slices.ContainsFunc(values, func(v float64) bool { return math.Abs(v-l) < 1e-11*(1+l) }) && m > 1 {
					t.Errorf("%s of %d: no eigenvalue %v in %v", name, m, l, values)
				}
			}
			f := func(l float64) float64 { return 1 / (0.5 + l) }
			bare := *s
			bare.table = nil // the way of graphs too large for a table
			work := make([]float64, len(s.lambda))
			for v := range m + 1 {
				for z := range m + 1 {
					want := 0.0
					for i, l := range values {
						want += u.At(v, i) * u.At(z, i) * f(l)
					}
					for _, sp := range []*spectrum{s, &bare} {
						got := 0.0
						for k, p := range sp.pair(work, v, z) {
							got += p * f(s.lambda[k]+w*s.mult[k])
						}
						if !(math.Abs(got-want) <= 1e-12) {
							t.Errorf("%s of %d: (%d, %d) %v, want %v", name, m, v, z, got, want)
						}
					}
				}
			}
		}
	}
}

// Equal eigenvalues are gathered: a cycle of 2k has k+1 different ones, a star 3.
func TestGrouping(t *testing.T) {
	for _, c := range []struct {
		g       points.Graph
		m, want int
	}{{CycleGraph(8), 8, 5}, {StarGraph(9), 9, 3}, {PathGraph(7), 7, 7}, {CompleteGraph(6), 6, 2}} {
		s := newSpectrum(c.m, c.g, false, false)
		if len(s.lambda) != c.want {
			t.Errorf("%d different eigenvalues, want %d: %v", len(s.lambda), c.want, s.lambda)
		}
	}
}
