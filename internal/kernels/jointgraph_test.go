package kernels

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bohier/internal/points"
)

// states are the values of coords at which the choices range over everything, inactive
// ones included; the last choice counts fastest.
func states(coords []Coord) *points.Set {
	n := 1
	for _, c := range coords {
		n *= c.Levels
		if c.Conditional {
			n = n / c.Levels * (c.Levels + 1)
		}
	}
	x := points.New(n, len(coords))
	for i := range n {
		rest := i
		for c := len(coords) - 1; c >= 0; c-- {
			m := coords[c].Levels
			side := m
			if coords[c].Conditional {
				side++
			}
			v := rest % side
			rest /= side
			x.Set(c, i, float64(v%m), v < m)
		}
	}
	return x
}

// gram is the kernel matrix of the states.
func gram(t *testing.T, s Spec, coords []Coord, set map[string]float64) [][]float64 {
	t.Helper()
	k, err := New(s, coords)
	if err != nil {
		t.Fatal(err)
	}
	var theta []float64
	for _, p := range k.Params() {
		v, ok := set[p.Name]
		if !ok {
			v = p.Init
		}
		theta = append(theta, v)
	}
	x := states(coords)
	cov, out := k.Bind(theta, x), make([][]float64, x.Len())
	for i := range out {
		out[i] = make([]float64, x.Len())
		cov.Row(out[i], x, i, 0)
	}
	return out
}

// function is Σ f(λ) u u' of a symmetric matrix.
func function(l *mat.SymDense, f func(float64) float64) *mat.Dense {
	var e mat.EigenSym
	e.Factorize(l, true)
	var u, scaled, out mat.Dense
	e.VectorsTo(&u)
	values := e.Values(nil)
	scaled.Apply(func(_, j int, v float64) float64 { return v * f(values[j]) }, &u)
	out.Mul(&scaled, u.T())
	return &out
}

func compareGram(t *testing.T, what string, got [][]float64, want *mat.Dense) {
	t.Helper()
	for i, row := range got {
		for j, v := range row {
			if !(math.Abs(v-want.At(i, j)) <= 1e-12) {
				t.Fatalf("%s: k(%d, %d) = %v, want %v", what, i, j, v, want.At(i, j))
			}
		}
	}
}

// The functions of the normalized Laplacian are those of the matrix written out:
// I − D^−½AD^−½, with a vertex for inactive that is joined to every value.
func TestNormalizedLaplacian(t *testing.T) {
	for name, co := range map[string]Coord{
		"star":                  {Name: "p", Levels: 5, Graph: StarGraph(5)},
		"path":                  {Name: "p", Levels: 4, Positions: []float64{0, 0.2, 0.5, 1}},
		"complete, conditional": {Name: "p", Levels: 3, Conditional: true},
		"weighted, conditional": {Name: "p", Levels: 3, Conditional: true, Graph: &Graph{Edges: []Edge{{0, 1, 2}, {1, 2, 4}}}},
	} {
		g, n := vertices(co)
		if co.Conditional && n != co.Levels+1 {
			t.Fatalf("%s: %d vertices", name, n)
		}
		l, degree := laplacian(n, g), make([]float64, n)
		for i := range n {
			degree[i] = l.At(i, i)
		}
		for i := range n {
			for j := i; j < n; j++ {
				l.SetSym(i, j, l.At(i, j)/math.Sqrt(degree[i]*degree[j]))
			}
		}
		beta := map[string]float64{"fm.beta[p]": 0.4}
		for kernel, f := range map[string]func(l float64) float64{
			"walk":   func(l float64) float64 { return (1 - 0.4*l) * (1 - 0.4*l) * (1 - 0.4*l) },
			"cosine": func(l float64) float64 { return math.Cos(l * math.Pi / 4) },
			"lap":    func(l float64) float64 { return 1 / (1 + 0.4*l) },
			"dif":    func(l float64) float64 { return math.Exp(-0.4 * l) },
		} {
			s, set := Spec{Name: kernel, ARD: true}, beta
			switch kernel {
			case "walk":
				s.Steps = 3
			case "cosine":
				set = nil
			default:
				s.Laplacian = "normalized"
			}
			compareGram(t, name+", "+kernel, gram(t, s, []Coord{co}, set), function(l, f))
		}
	}
	// The largest weight of the edges to inactive is the mean of the others.
	if g, _ := vertices(Coord{Levels: 3, Conditional: true, Graph: &Graph{Edges: []Edge{{0, 1, 2}, {1, 2, 4}}}}); g.Edges[4].Weight != 3 {
		t.Errorf("weight %v, want 3", g.Edges[4].Weight)
	}
}

// One graph on joint states is the Cartesian product written out edge by edge, with
// conditional choices, a graph given by its edges, and either Laplacian.
func TestJointGraph(t *testing.T) {
	coords := []Coord{
		{Name: "a", Levels: 3, Graph: StarGraph(3)},
		{Name: "b", Levels: 2, Conditional: true},
		{Name: "c", Levels: 4, Positions: []float64{0, 0.3, 0.6, 1}},
	}
	x := states(coords)
	n := x.Len()
	graphs := make([]*Graph, 3)
	for k, co := range coords {
		graphs[k], _ = vertices(co)
	}
	code := func(c, i int) int {
		if !x.Active(c, i) {
			return coords[c].Levels
		}
		return int(x.At(c, i))
	}
	joint := &Graph{}
	for i := range n {
		for j := i + 1; j < n; j++ {
			differ, at := 0, 0
			for c := range coords {
				if code(c, i) != code(c, j) {
					differ, at = differ+1, c
				}
			}
			if differ != 1 {
				continue
			}
			for _, e := range graphs[at].Edges {
				a, b := code(at, i), code(at, j)
				if e.From == a && e.To == b || e.From == b && e.To == a {
					joint.Edges = append(joint.Edges, Edge{i, j, e.Weight})
				}
			}
		}
	}
	l := laplacian(n, joint)
	set := map[string]float64{"fm.beta[a*b*c]": 0.7}
	s := Spec{Name: "lap", ARD: true, Joint: &Joint{Over: []string{"a", "b", "c"}}}
	compareGram(t, "product", gram(t, s, coords, set), function(l, func(l float64) float64 { return 1 / (1 + 0.7*l) }))
	degree := make([]float64, n)
	for i := range n {
		degree[i] = l.At(i, i)
	}
	normal := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			normal.SetSym(i, j, l.At(i, j)/math.Sqrt(degree[i]*degree[j]))
		}
	}
	s = Spec{Name: "dif", Laplacian: "normalized", ARD: true, Joint: s.Joint}
	compareGram(t, "normalized", gram(t, s, coords, set), function(normal, func(l float64) float64 { return math.Exp(-0.7 * l) }))

	// Two share a graph of given edges, the third has its own.
	coords[1].Conditional = false
	edges := []Edge{{0, 5, 1}, {1, 2, 2}, {2, 5, 1}, {3, 4, 1}, {4, 5, 3}}
	s = Spec{Name: "lap", ARD: true, Joint: &Joint{Over: []string{"a", "b"}, Edges: edges}}
	set = map[string]float64{"fm.beta[a*b]": 0.7, "fm.beta[c]": 1.3}
	pair := function(laplacian(6, &Graph{Edges: edges}), func(l float64) float64 { return 1 / (1 + 0.7*l) })
	own := function(laplacian(4, PathGraph(4)), func(l float64) float64 { return 1 / (1 + 1.3*l) })
	got := gram(t, s, coords, set)
	for i := range got {
		for j := range got {
			want := pair.At(i/4, j/4) * own.At(i%4, j%4)
			if !(math.Abs(got[i][j]-want) <= 1e-12) {
				t.Fatalf("edges: k(%d, %d) = %v, want %v", i, j, got[i][j], want)
			}
		}
	}
}

func TestJointRefusals(t *testing.T) {
	coords := []Coord{{Name: "a", Levels: 3}, {Name: "b", Levels: 400, Conditional: true}, {Name: "x"}}
	for want, s := range map[string]Spec{
		"option graph does not apply":                 {Name: "arc", Joint: &Joint{Over: []string{"a", "b"}}},
		"shared by two choices or more":               {Name: "modlap", Joint: &Joint{Over: []string{"a"}}},
		"a is there twice":                            {Name: "modlap", Joint: &Joint{Over: []string{"a", "a"}}},
		`no parameter "q"`:                            {Name: "modlap", Joint: &Joint{Over: []string{"a", "q"}}},
		"x is numeric":                                {Name: "modlap", Joint: &Joint{Over: []string{"a", "x"}}},
		"more than 1000 states":                       {Name: "modlap", Joint: &Joint{Over: []string{"a", "b"}}},
		"b is conditional":                            {Name: "modlap", Joint: &Joint{Over: []string{"a", "b"}, Edges: []Edge{{0, 1, 1}}}},
		"walk is defined by the normalized one":       {Name: "prodwalk", Laplacian: "combinatorial"},
		"option steps does not apply":                 {Name: "modlap", Steps: 2},
		"option laplacian: normalized does not apply": {Name: "arc", Laplacian: "normalized"},
	} {
		s.ARD = true
		_, err := New(s, coords)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for levels, refused := range map[int]bool{100: false, maxVertices + 1: true} {
		if _, err := New(Spec{Name: "prodwalk", ARD: true}, []Coord{{Name: "a", Levels: levels}}); (err != nil) != refused {
			t.Errorf("%d values: %v", levels, err)
		}
	}
}

// With weights by descendants a difference in a coordinate counts at least as much as
// all its descendants' together, whatever γ is.
func TestDescendantWeights(t *testing.T) {
	coords := []Coord{
		{Name: "root", Levels: 2},
		{Name: "a", Conditional: true, Ancestors: []int{0}},
		{Name: "b", Levels: 3, Conditional: true, Ancestors: []int{0}},
		{Name: "c", Conditional: true, Ancestors: []int{2, 0}},
		{Name: "d", Conditional: true, Ancestors: []int{2, 0}},
	}
	b := &builder{spec: Spec{Name: "arc", Weights: "descendants", ARD: true}, coords: coords, declared: &declared{index: map[string]int{}}}
	radii := make([]monomial, len(coords))
	for c := range coords {
		radii[c] = b.radius(c)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		theta := make([]float64, len(b.params))
		for j, p := range b.params {
			theta[j] = p.Lo + r.Float64()*(p.Hi-p.Lo)
			if r.IntN(2) == 0 {
				theta[j] = p.Hi
			}
		}
		for c := range coords {
			sum := 0.0
			for d, co := range coords {
				for _, a := range co.Ancestors {
					if a == c {
						sum += math.Sqrt(radii[d].value(theta))
					}
				}
			}
			if own := math.Sqrt(radii[c].value(theta)); sum > own*(1+1e-12) {
				t.Fatalf("%s weighs %v, its descendants %v", coords[c].Name, own, sum)
			}
		}
	}
}
