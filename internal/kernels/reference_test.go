package kernels_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"

	"gonum.org/v1/gonum/mat"
)

// A second implementation, pair by pair from the definitions, of everything the package computes by columns: Zaefferer
// & Horn (2018) for distances, Oh et al. (2021) with an explicitly extended Laplacian for graphs.

type reference struct {
	coords []kernels.Coord
	theta  map[string]float64
	con    float64
}

func newReference(k kernels.Kernel, theta []float64, coords []kernels.Coord) *reference {
	r := &reference{coords: coords, theta: map[string]float64{}}
	for j, p := range k.Params() {
		r.theta[p.Name] = theta[j]
	}
	return r
}

func (r *reference) h(name string, c int) float64 { return r.theta[name+"["+r.coords[c].Name+"]"] }

// distance is d² of the table of distances along coordinate c.
func (r *reference) distance(name string, c int, x *points.Set, i int, y *points.Set, j int) float64 {
	a, b := x.Active(c, i), y.Active(c, j)
	if !a && !b {
		return 0
	}
	co := r.coords[c]
	u, v := x.At(c, i), y.At(c, j)
	if co.Positions != nil {
		u, v = co.Positions[int(u)], co.Positions[int(v)]
	}
	if !a { // by symmetry let x be the active point
		a, b, u, v = b, a, v, u
	}
	both := a && b
	if !co.Numeric() {
		ne := 1.0
		if both && u == v {
			ne = 0
		}
		imputed := func(w, rho string) float64 {
			if !both && u == r.h(rho, c) {
				return 0
			}
			return r.h(w, c) * ne
		}
		arc := func(w float64) float64 {
			if both {
				return 2 * w * ne
			}
			return w
		}
		switch name {
		case "arc":
			return arc(math.Pow(r.h("arc.omega", c), 2))
		case "ico":
			if !both {
				return r.h("ico.rho", c)
			}
			return r.h("ico.theta", c) * ne
		case "imp":
			return imputed("imp.theta", "imp.rho")
		case "box":
			d := imputed("imp.theta", "imp.rho")
			if !both {
				d += r.h("box.h", c)
			}
			return d
		case "imparc":
			return arc(r.h("imparc.arc", c)) + imputed("imparc.imp", "imparc.rho_imp")
		case "const", "flat":
			return r.h("flat.theta", c) * ne
		}
		return r.h("plain.theta", c) * ne
	}
	arc := func(w, rho float64) float64 {
		if !both {
			return w
		}
		return w * (2 - 2*math.Cos(math.Pi*rho*(u-v)))
	}
	line := func(w, rest float64) float64 {
		if !both {
			return w * (u - rest) * (u - rest)
		}
		return w * (u - v) * (u - v)
	}
	switch name {
	case "arc":
		return arc(math.Pow(r.h("arc.omega", c), 2), r.h("arc.rho", c))
	case "ico":
		if !both {
			return r.h("ico.rho", c)
		}
		return line(r.h("ico.theta", c), 0)
	case "imp":
		return line(r.h("imp.theta", c), r.h("imp.rho", c))
	case "box":
		d := line(r.h("imp.theta", c), r.h("imp.rho", c))
		if !both {
			d += r.h("box.h", c)
		}
		return d
	case "imparc":
		return arc(r.h("imparc.arc", c), r.h("imparc.rho_arc", c)) + line(r.h("imparc.imp", c), r.h("imparc.rho_imp", c))
	case "const":
		return line(r.h("flat.theta", c), r.con)
	case "flat":
		return line(r.h("flat.theta", c), 0.5)
	case "lengthscale":
		return line(math.Pow(r.h("fm.lengthscale", c), -2), 0.5)
	}
	return line(r.h("plain.theta", c), 0)
}

// total is Σ_c d_c², with the plain distance on coordinates never inactive.
func (r *reference) total(name string, x *points.Set, i int, y *points.Set, j int) float64 {
	s := 0.0
	for c, co := range r.coords {
		if co.Conditional {
			s += r.distance(name, c, x, i, y, j)
		} else {
			s += r.distance("plain", c, x, i, y, j)
		}
	}
	return s
}

// modulating is s of the frequency modulated kernels.
func (r *reference) modulating(embedding string, x *points.Set, i int, y *points.Set, j int) float64 {
	s := 0.0
	for c, co := range r.coords {
		switch {
		case co.Levels > 0:
		case co.Conditional && embedding != "flat":
			s += r.distance(embedding, c, x, i, y, j)
		default:
			s += r.distance("lengthscale", c, x, i, y, j)
		}
	}
	return s
}

// frequencies is Σ_i U_vi U_v′i f(λ_i) from the eigenvectors of the Laplacian of
// choice c, built edge by edge and extended by ∅ if the choice is conditional.
func (r *reference) frequencies(c int, x *points.Set, i int, y *points.Set, j int,
	f func(lambda float64) float64) float64 {
	co := r.coords[c]
	n := co.Levels
	g := co.Graph
	if len(g.Edges) == 0 {
		g = kernels.CompleteGraph(n)
		if co.Positions != nil {
			g = kernels.PathGraph(n)
		}
	}
	edges := g.Edges
	if co.Conditional {
		for v := range n {
			edges = append(edges[:len(edges):len(edges)], points.Edge{From: v, To: n, Weight: r.h("fm.inactive", c)})
		}
		n++
	}
	l := mat.NewSymDense(n, nil)
	for _, e := range edges {
		l.SetSym(e.From, e.From, l.At(e.From, e.From)+e.Weight)
		l.SetSym(e.To, e.To, l.At(e.To, e.To)+e.Weight)
		l.SetSym(e.From, e.To, l.At(e.From, e.To)-e.Weight)
	}
	var eig mat.EigenSym
	eig.Factorize(l, true)
	var u mat.Dense
	eig.VectorsTo(&u)
	vertex := func(x *points.Set, i int) int {
		if !x.Active(c, i) {
			return co.Levels
		}
		return int(x.At(c, i))
	}
	sum := 0.0
	for k, v := range eig.Values(nil) {
		sum += u.At(vertex(x, i), k) * u.At(vertex(y, j), k) * f(v)
	}
	return sum
}

func (r *reference) product(x *points.Set, i int, y *points.Set, j int, f func(c int, lambda float64) float64) float64 {
	k := 1.0
	for c, co := range r.coords {
		if co.Levels > 0 {
			k *= r.frequencies(c, x, i, y, j, func(l float64) float64 { return f(c, l) })
		}
	}
	return k
}

func (r *reference) neural(x *points.Set, i int, y *points.Set, j int) float64 {
	dot := func(x *points.Set, i int, y *points.Set, j int) float64 {
		s := r.theta["fm.bias"]
		for c, co := range r.coords {
			if co.Levels == 0 && x.Active(c, i) && y.Active(c, j) {
				s += r.h("fm.sigma", c) * (2*x.At(c, i) - 1) * (2*y.At(c, j) - 1)
			}
		}
		return 2 * s
	}
	q := (1 + dot(x, i, x, i)) * (1 + dot(y, j, y, j))
	return 2 / math.Pi * math.Asin(dot(x, i, y, j)/math.Sqrt(q))
}

func TestSecondImplementation(t *testing.T) {
	type form func(r *reference, x *points.Set, i int, y *points.Set, j int) float64
	cases := map[string]struct {
		spec kernels.Spec
		form form
	}{}
	for _, name := range distances() {
		cases[name] = struct {
			spec kernels.Spec
			form form
		}{kernels.Spec{Name: name, Base: "exp", Constant: -1},
			func(r *reference, x *points.Set, i int, y *points.Set, j int) float64 {
				return math.Exp(-r.total(name, x, i, y, j))
			}}
	}
	add := func(s kernels.Spec, f form) {
		cases[s.Name+s.Embedding] = struct {
			spec kernels.Spec
			form form
		}{s, f}
	}
	lap := func(r *reference, x *points.Set, i int, y *points.Set, j int) float64 {
		return r.product(x, i, y, j, func(c int, l float64) float64 { return 1 / (1 + r.h("fm.beta", c)*l) })
	}
	for _, e := range []string{"flat", "arc", "imp", "imparc", "box", "const"} {
		add(kernels.Spec{Name: "hmodlap", Embedding: e, Constant: -1},
			func(r *reference, x *points.Set, i int, y *points.Set, j int) float64 {
				s := r.modulating(e, x, i, y, j)
				return r.product(x, i, y, j, func(c int, l float64) float64 {
					return 1 / (1 + r.h("fm.beta", c)*l + r.h("fm.alpha", c)*s)
				})
			})
	}
	add(kernels.Spec{Name: "moddif", Embedding: "arc"},
		func(r *reference, x *points.Set, i int, y *points.Set, j int) float64 {
			s := r.modulating("arc", x, i, y, j)
			return r.product(x, i, y, j, func(c int, l float64) float64 {
				return math.Exp(-(1 + r.h("fm.alpha", c)*s) * r.h("fm.beta", c) * l)
			})
		})
	add(kernels.Spec{Name: "modnn"}, func(r *reference, x *points.Set, i int, y *points.Set, j int) float64 {
		s := r.neural(x, i, y, j)
		return r.product(x, i, y, j, func(c int, l float64) float64 { return 1 / (2 + r.h("fm.beta", c)*l - s) })
	})
	add(kernels.Spec{Name: "modkernel", Base: "se", Embedding: "imp"},
		func(r *reference, x *points.Set, i int, y *points.Set, j int) float64 {
			s := math.Exp(-r.modulating("imp", x, i, y, j) / 2)
			return r.product(x, i, y, j, func(c int, l float64) float64 {
				return 1 / (r.theta["fm.delta"] + 1 + r.h("fm.beta", c)*l - s)
			})
		})
	add(kernels.Spec{Name: "prodlap", Embedding: "box"},
		func(r *reference, x *points.Set, i int, y *points.Set, j int) float64 {
			return math.Exp(-r.modulating("box", x, i, y, j)) * lap(r, x, i, y, j)
		})
	add(kernels.Spec{Name: "addlap"}, func(r *reference, x *points.Set, i int, y *points.Set, j int) float64 {
		return r.theta["add.continuous"]*math.Exp(-r.modulating("flat", x, i, y, j)) +
			r.theta["add.discrete"]*lap(r, x, i, y, j)
	})
	add(kernels.Spec{Name: "mix", Base: "exp"}, func(r *reference, x *points.Set, i int, y *points.Set, j int) float64 {
		halves := func(prefix string) (continuous, discrete float64) {
			own := &reference{coords: r.coords, theta: map[string]float64{}}
			for name, v := range r.theta {
				if of, ok := strings.CutPrefix(name, prefix); ok {
					own.theta[of] = v
				}
			}
			return math.Exp(-own.modulating("flat", x, i, y, j)), lap(own, x, i, y, j)
		}
		c1, d1 := halves("sum.")
		c2, d2 := halves("product.")
		return r.theta["mix.sum[continuous]"]*c1 + r.theta["mix.sum[discrete]"]*d1 + r.theta["mix.product"]*c2*d2
	})
	add(kernels.Spec{Name: "effects", Base: "exp"},
		func(r *reference, x *points.Set, i int, y *points.Set, j int) float64 {
			own := &reference{coords: r.coords, theta: map[string]float64{}}
			for name, v := range r.theta {
				if of, ok := strings.CutPrefix(name, "own."); ok {
					own.theta[of] = v
				}
			}
			governed := func(g, c int) bool { // g is the last of the choices with the most ancestors that c depends on
				nearest := -1
				for a, co := range r.coords {
					if slices.Contains(r.coords[c].Ancestors, a) && !co.Numeric() &&
						(nearest < 0 || len(co.Ancestors) >= len(r.coords[nearest].Ancestors)) {
						nearest = a
					}
				}
				return nearest == g
			}
			s, labels := 0.0, r.theta["effects.none"]
			for c, co := range r.coords {
				switch a, b := x.Active(c, i), y.Active(c, j); {
				case co.Numeric() && !governed(-1, c):
				case co.Numeric() && co.Conditional:
					s += own.distance("box", c, x, i, y, j)
				case co.Numeric():
					s += own.distance("plain", c, x, i, y, j)
				case a == b && (!a || x.At(c, i) == y.At(c, j)):
					block := 0.0
					for n, number := range r.coords {
						if number.Numeric() && governed(c, n) {
							block += own.distance("flat", n, x, i, y, j)
						}
					}
					labels += r.h("effects.of", c) * math.Exp(-block)
				}
			}
			return r.theta["effects.all"]*math.Exp(-r.total("box", x, i, y, j)) + math.Exp(-s)*labels
		})
	checks := 0
	for name, c := range cases {
		c.spec.ARD = true
		for seed := range uint64(8) {
			r := rand.New(rand.NewPCG(seed, 2))
			s := RandomSpace(r, Kinds{Numeric: true, Discrete: true, Conditional: seed%4 > 0})
			k := mustKernel(t, c.spec, s.Coords)
			theta := Theta(r, k.Params())
			ref := newReference(k, theta, s.Coords)
			ref.con = -1
			x, y := s.Points(r, 8), s.Points(r, 9)
			for i, row := range block(k, theta, x, y) {
				for j, got := range row {
					want := c.form(ref, x, i, y, j)
					checks++
					if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
						t.Fatalf("%s seed %d: k(%d,%d) = %v, definition gives %v", name, seed, i, j, got, want)
					}
				}
			}
		}
	}
	if checks < 5000 {
		t.Errorf("only %d numbers checked", checks)
	}
}
