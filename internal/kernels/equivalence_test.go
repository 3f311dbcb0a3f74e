package kernels_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// sameGram compares two kernels at hyperparameters given by name: rename maps a name of b to one of a, or to a number.
func sameGram(t *testing.T, what string, seed uint64, a, b kernels.Spec, kinds Kinds, tol float64,
	edit func(values map[string]float64)) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 3))
	s := RandomSpace(r, kinds)
	a.ARD, b.ARD = true, true
	ka := mustKernel(t, a, s.Coords)
	kb := mustKernel(t, b, s.Coords)
	theta := Theta(r, ka.Params())
	values := map[string]float64{}
	for j, p := range ka.Params() {
		values[p.Name] = theta[j]
	}
	if edit != nil {
		edit(values)
	}
	pick := func(k kernels.Kernel) []float64 {
		var out []float64
		for _, p := range k.Params() {
			v, ok := values[p.Name]
			if !ok {
				t.Fatalf("%s: no value for %s", what, p.Name)
			}
			out = append(out, v)
		}
		return out
	}
	x := s.Points(r, 15)
	ga, gb := Gram(ka, pick(ka), x), Gram(kb, pick(kb), x)
	for i := range ga {
		if !(math.Abs(ga[i]-gb[i]) <= tol) {
			t.Fatalf("%s, seed %d: %v and %v", what, seed, ga[i], gb[i])
		}
	}
}

func TestEquivalences(t *testing.T) {
	all := Kinds{Numeric: true, Discrete: true}
	cond := Kinds{Numeric: true, Discrete: true, Conditional: true}
	for seed := range uint64(20) {
		sameGram(t, "hmodlap without conditions is modlap", seed,
			kernels.Spec{Name: "hmodlap"}, kernels.Spec{Name: "modlap"}, all, 0, nil)
		for _, base := range []string{"se", "exp"} {
			sameGram(t, "joint is product", seed,
				kernels.Spec{Name: "arc", Base: base}, kernels.Spec{Name: "arc", Base: base, Combine: "product"}, cond, 1e-14, nil)
		}
		sameGram(t, "imparc without arc is imp", seed,
			kernels.Spec{Name: "imparc"}, kernels.Spec{Name: "imp"}, cond, 1e-14, func(v map[string]float64) {
				for name, h := range v {
					switch {
					case strings.HasPrefix(name, "imparc.arc"):
						v[name] = 0
					case strings.HasPrefix(name, "imparc.imp"):
						v["imp.theta"+strings.TrimPrefix(name, "imparc.imp")] = h
					case strings.HasPrefix(name, "imparc.rho_imp"):
						v["imp.rho"+strings.TrimPrefix(name, "imparc.rho_imp")] = h
					}
				}
			})
		sameGram(t, "box without an activity offset is imp", seed,
			kernels.Spec{Name: "box"}, kernels.Spec{Name: "imp"}, cond, 0, func(v map[string]float64) {
				for name := range v {
					if strings.HasPrefix(name, "box.h") {
						v[name] = 0
					}
				}
			})
		sameGram(t, "const ½ is flat", seed,
			kernels.Spec{Name: "const", Constant: 0.5}, kernels.Spec{Name: "flat"}, cond, 0, nil)
		sameGram(t, "matern52 is flat", seed,
			kernels.Spec{Name: "matern52"}, kernels.Spec{Name: "flat", Base: "matern52"}, cond, 0, nil)
		sameGram(t, "identity warping", seed,
			kernels.Spec{Name: "imp", Warp: true}, kernels.Spec{Name: "imp"}, cond, 1e-13, func(v map[string]float64) {
				for name := range v {
					if strings.HasPrefix(name, "warp.") {
						v[name] = 1
					}
				}
			})
		sameGram(t, "modlap without numbers is lap", seed,
			kernels.Spec{Name: "modlap"}, kernels.Spec{Name: "lap"}, Kinds{Discrete: true}, 1e-14, nil)
	}
}

// With a graph given edge by edge in place of the closed form.
func TestCompleteGraphIsItsEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, m := range []int{2, 3, 7, 20} {
		for _, conditional := range []bool{false, true} {
			closed := []kernels.Coord{{Name: "c"}, {Name: "v", Levels: m, Conditional: conditional}}
			// One weight a hair apart keeps the eigen-sum from the closed form.
			g := kernels.CompleteGraph(m)
			if m > 2 {
				g.Edges[0].Weight += 1e-15
			}
			edges := []kernels.Coord{closed[0], {Name: "v", Levels: m, Conditional: conditional, Graph: g}}
			x := points.New(25, 2)
			for i := range 25 {
				x.Set(0, i, r.Float64(), true)
				x.Set(1, i, float64(r.IntN(m)), !conditional || r.IntN(3) > 0)
			}
			for _, name := range []string{"modlap", "moddif", "modkernel"} {
				a, _ := kernels.New(kernels.Spec{Name: name}, closed)
				b := mustKernel(t, kernels.Spec{Name: name}, edges)
				theta := Theta(r, a.Params())
				ga, gb := Gram(a, theta, x), Gram(b, theta, x)
				for i := range ga {
					if !(math.Abs(ga[i]-gb[i]) <= 1e-12*max(1, ga[i])) {
						t.Fatalf("%s, %d vertices: %v and %v", name, m, ga[i], gb[i])
					}
				}
			}
		}
	}
}

// On a space without conditions arc depends on differences only.
func TestArcIsStationary(t *testing.T) {
	coords := []kernels.Coord{{Name: "a"}, {Name: "b"}}
	k, theta := mustNew(t, kernels.Spec{Name: "arc", AlwaysActive: "same", ARD: true}, coords, map[string]float64{
		"arc.omega[a]": 1.2, "arc.rho[a]": 0.7, "arc.omega[b]": 0.4, "arc.rho[b]": 0.3,
	})
	r := rand.New(rand.NewPCG(5, 5))
	for range 100 {
		x := points.New(4, 2)
		for c := range 2 {
			u, v, shift := r.Float64(), r.Float64(), r.Float64()
			for i, w := range []float64{u, v, u + shift, v + shift} {
				x.Set(c, i, w, true)
			}
		}
		g := block(k, theta, x, x)
		if !(math.Abs(g[0][1]-g[2][3]) <= 1e-14) {
			t.Fatalf("%v and, shifted, %v", g[0][1], g[2][3])
		}
	}
}
