package kernels_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"

	"gonum.org/v1/gonum/mat"
)

// randomGraph is a random tree with a few more edges.
func randomGraph(r *rand.Rand, m int) points.Graph {
	g := points.Graph{}
	weight := func() float64 { return math.Exp(r.NormFloat64()) }
	for v := 1; v < m; v++ {
		g.Edges = append(g.Edges, points.Edge{From: r.IntN(v), To: v, Weight: weight()})
	}
	for range r.IntN(m + 1) {
		if a, b := r.IntN(m), r.IntN(m); a != b {
			g.Edges = append(g.Edges, points.Edge{From: a, To: b, Weight: weight()})
		}
	}
	return g
}

// principle counts the pairs of vertices for which the kernel grows or is negative as the continuous parts move apart
// (Oh et al. 2021, Eq. 3), and all pairs. The choice has a random graph and, if conditional, a vertex ∅.
func principle(t *testing.T, s kernels.Spec, seed uint64, conditional bool) (violations, pairs int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 6))
	m := 2 + r.IntN(7)
	coords := []kernels.Coord{
		{Name: "c"}, {Name: "v", Levels: m, Graph: randomGraph(r, m), Conditional: conditional},
		{Name: "d", Conditional: conditional},
	}
	s.ARD = true
	k := mustKernel(t, s, coords)
	theta := Theta(r, k.Params())
	const steps = 25
	x, y := points.New(1, 3), points.New(steps, 3)
	for v := range m + 1 {
		for w := range m + 1 {
			if !conditional && (v == m || w == m) {
				continue
			}
			put := func(p *points.Set, i, vertex int, c, d float64) {
				p.Set(0, i, c, true)
				p.Set(1, i, float64(vertex%m), vertex < m)
				p.Set(2, i, d, vertex < m)
			}
			put(x, 0, v, 0, r.Float64())
			d := r.Float64()
			for i := range steps {
				put(y, i, w, 0.2*float64(i), d)
			}
			row := block(k, theta, x, y)[0]
			pairs++
			bad := row[0] < -1e-13
			for i := 1; i < steps; i++ {
				bad = bad || row[i] < -1e-13 || row[i] > row[i-1]+1e-13
			}
			if bad {
				violations++
			}
		}
	}
	return violations, pairs
}

func TestFrequencyModulationPrinciple(t *testing.T) {
	specs := []kernels.Spec{
		{Name: "modlap"},
		{Name: "modkernel", Base: "se"}, {Name: "modkernel", Base: "matern32"},
		{Name: "hmodlap", Embedding: "arc"},
	}
	for _, e := range kernels.Embeddings() {
		specs = append(specs, kernels.Spec{Name: "hmodlap", Embedding: e, Constant: -1})
	}
	for _, s := range specs {
		total := 0
		for seed := range uint64(15) {
			for _, conditional := range []bool{false, true} {
				bad, pairs := principle(t, s, seed, conditional)
				total += pairs
				if bad > 0 {
					t.Errorf("%s %s, seed %d: %d of %d pairs", s.Name, s.Embedding, seed, bad, pairs)
				}
			}
		}
		if total < 400 {
			t.Errorf("%s: only %d pairs", s.Name, total)
		}
	}
}

// moddif leaves the lowest frequency alone, so two values of a choice become more alike as the rest moves apart.
func TestModdifViolatesThePrinciple(t *testing.T) {
	violations := 0
	for seed := range uint64(40) {
		bad, _ := principle(t, kernels.Spec{Name: "moddif"}, seed, false)
		violations += bad
	}
	if violations == 0 {
		t.Error("no violation found; the test of the others proves nothing")
	}
}

// Eq. 8: modnn does not grow as the neural network kernel falls. Without
// choices modnn is 1/(2 − k_NN), which orders pairs by k_NN.
func TestNeuralPrinciple(t *testing.T) {
	checks := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		m := 2 + r.IntN(6)
		coords := []kernels.Coord{{Name: "a"}, {Name: "b"}, {Name: "v", Levels: m, Graph: randomGraph(r, m)}}
		k := mustKernel(t, kernels.Spec{Name: "modnn", ARD: true}, coords)
		order := mustKernel(t, kernels.Spec{Name: "modnn", ARD: true}, coords[:2])
		theta := Theta(r, k.Params())
		x := points.New(20, 3)
		for i := range 20 {
			x.Set(0, i, r.Float64(), true)
			x.Set(1, i, r.Float64(), true)
		}
		rank := block(order, theta[:len(order.Params())], x, x)
		for v := range m {
			for w := range m {
				y := x.Clone()
				for i := range 20 {
					x.Col(2)[i], y.Col(2)[i] = float64(v), float64(w)
				}
				g := block(k, theta, x, y)
				for range 50 {
					i, j, p, q := r.IntN(20), r.IntN(20), r.IntN(20), r.IntN(20)
					checks++
					if rank[i][j] >= rank[p][q] && g[i][j] < g[p][q]-1e-13 {
						t.Fatalf("k_NN order %v ≥ %v, kernel %v < %v", rank[i][j], rank[p][q], g[i][j], g[p][q])
					}
				}
			}
		}
	}
	if checks < 10000 {
		t.Errorf("only %d checks", checks)
	}
}

// The hypotheses of the two theorems for hmodlap. Theorem 3.1 needs f(λ, s) to be positive definite on the continuous
// part for every λ ≥ 0: here the kernel without choices, whose 1/(1 + s) gives 1/(1 + b + αs) by a change of weights,
// on conditional spaces and for every embedding. Theorem 3.2 needs a connected graph with non-negative weights and a
// positive, decreasing, convex f; the extended graph is TestExtendedSpectrum, f is checked on a grid.
func TestTheoremsOfTheHierarchicalKernel(t *testing.T) {
	for _, e := range kernels.Embeddings() {
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 8))
			s := RandomSpace(r, Kinds{Numeric: true, Conditional: true})
			k := mustKernel(t, kernels.Spec{Name: "hmodlap", Embedding: e, ARD: true, Constant: -1}, s.Coords)
			const n = 30
			var eig mat.EigenSym
			eig.Factorize(mat.NewSymDense(n, Gram(k, Theta(r, k.Params()), s.Points(r, n))), false)
			if v := eig.Values(nil); !(v[0] >= -1e-10*v[n-1]) {
				t.Errorf("%s: smallest eigenvalue %g", e, v[0])
			}
		}
	}
	// h(λ) = f(λ, t₁) − f(λ, t₂), t₁ < t₂: non-negative, decreasing, convex.
	f := func(lambda, s float64) float64 { return 1 / (1 + 0.7*lambda + 1.3*s) }
	for t1 := 0.0; t1 < 3; t1 += 0.3 {
		for t2 := t1 + 0.1; t2 < 4; t2 += 0.3 {
			h := func(l float64) float64 { return f(l, t1) - f(l, t2) }
			for l := 0.1; l < 10; l += 0.1 {
				if !(h(l) >= 0 && h(l) < h(l-0.1) && h(l+0.1)+h(l-0.1) > 2*h(l)) {
					t.Fatalf("h(%g) between %g and %g", l, t1, t2)
				}
			}
		}
	}
}
