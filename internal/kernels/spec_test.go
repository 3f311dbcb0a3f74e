package kernels_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

func TestNewRefuses(t *testing.T) {
	mixed := []kernels.Coord{{Name: "x"}, {Name: "v", Levels: 3}}
	huge := []kernels.Coord{{Name: "v", Levels: 5000, Positions: make([]float64, 5000)}}
	for _, c := range []struct {
		spec   kernels.Spec
		coords []kernels.Coord
		want   string
	}{
		{kernels.Spec{Name: "arch"}, mixed, "valid: matern52"},
		{kernels.Spec{Name: "imp", Weights: "ancestors"}, mixed, "weights: ancestors does not apply"},
		{kernels.Spec{Name: "modlap", Base: "se"}, mixed, "base: se does not apply"},
		{kernels.Spec{Name: "matern32", Base: "se"}, mixed, "base: se does not apply"},
		{kernels.Spec{Name: "se", Base: "matern52"}, mixed, "base: matern52 does not apply"},
		{kernels.Spec{Name: "arc", Embedding: "imparc"}, mixed, "embedding: imparc does not apply"},
		{kernels.Spec{Name: "arc", Constant: 0.5}, mixed, "constant does not apply"},
		{kernels.Spec{Name: "modlap", Combine: "sum"}, mixed, "combine: sum does not apply"},
		{kernels.Spec{Name: "modlap", AlwaysActive: "same"}, mixed, "does not apply"},
		{kernels.Spec{Name: "arc", Embedding: "imp"}, mixed, "embedding: imp does not apply"},
		{kernels.Spec{Name: "modnn", Embedding: "imp"}, mixed, "embedding: imp does not apply"},
		{kernels.Spec{Name: "arc", Normalize: true}, mixed, "normalize does not apply"},
		{kernels.Spec{Name: "lap"}, mixed, "prodlap takes both"},
		{kernels.Spec{Name: "linear", Base: "se"}, mixed, "base: se does not apply"},
		{kernels.Spec{Name: "add"}, mixed, "two or more"},
		{kernels.Spec{Name: "arc", Parts: []kernels.Spec{{Name: "arc"}, {Name: "imp"}}}, mixed, "add and multiply have"},
		{kernels.Spec{Name: "add", Over: []string{"x"}, Parts: []kernels.Spec{{Name: "arc"}, {Name: "imp"}}}, mixed,
			"over belongs to its parts"},
		{kernels.Spec{Name: "add", Parts: []kernels.Spec{{Name: "arc", Over: []string{"z"}}, {Name: "imp"}}}, mixed,
			"part 1 of add: option over: no parameter \"z\""},
		{kernels.Spec{Name: "add", Parts: []kernels.Spec{{Name: "arc", Over: []string{"x"}},
			{Name: "se", Over: []string{"x"}}}}, mixed, "no part sees the parameter v"},
		{kernels.Spec{Name: "add", Parts: []kernels.Spec{{Name: "arc"}, {Name: "lap"}}}, mixed,
			"part 2 of add: kernel lap: parameter x is numeric"},
		{kernels.Spec{Name: "modlap"}, huge, "not available yet"},
	} {
		_, err := kernels.New(c.spec, c.coords)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want …%s…", c.spec, err, c.want)
		}
	}
}

// The defaults of the study file may be given to any kernel.
func TestDefaultsApplyEverywhere(t *testing.T) {
	coords := []kernels.Coord{{Name: "v", Levels: 3}, {Name: "w", Levels: 2, Conditional: true}}
	for _, name := range kernels.Names() {
		s := kernels.Spec{
			Name: name, Combine: "joint", AlwaysActive: "plain", Weights: "free",
			ARD: true, Constant: -1,
		}
		switch name {
		case "add", "multiply":
			s.Parts = []kernels.Spec{{Name: "arc"}, {Name: "linear"}}
		}
		k, err := kernels.New(s, coords)
		if err != nil {
			t.Error(err)
			continue
		}
		if k.NeedsFlip() != (name == "icocor") {
			t.Errorf("%s: flip %v", name, k.NeedsFlip())
		}
	}
}

// One θ for all parameters is plain.theta, and flat.theta where any is conditional.
func TestNameOfTheOneWeight(t *testing.T) {
	for want, conditional := range map[string]bool{"plain.theta": false, "flat.theta": true} {
		k := mustKernel(t, kernels.Spec{Name: "matern52"},
			[]kernels.Coord{{Name: "x"}, {Name: "y", Conditional: conditional}})
		if p := k.Params(); len(p) != 1 || p[0].Name != want {
			t.Errorf("%v instead of %s", p, want)
		}
	}
}

// The names of hyperparameters are a contract.
func TestNames(t *testing.T) {
	coords := []kernels.Coord{{Name: "x"}, {Name: "v", Levels: 3}, {Name: "y", Conditional: true},
		{Name: "w", Levels: 2, Conditional: true}}
	for _, c := range []struct {
		spec kernels.Spec
		want string
	}{
		{kernels.Spec{Name: "arc"}, "plain.theta[x] plain.theta[v] arc.omega[y] arc.rho[y] arc.omega[w]"},
		{kernels.Spec{Name: "ico", AlwaysActive: "same"},
			"ico.theta[x] ico.theta[v] ico.theta[y] ico.rho[y] ico.theta[w] ico.rho[w]"},
		{kernels.Spec{Name: "imp"}, "plain.theta[x] plain.theta[v] imp.theta[y] imp.rho[y] imp.theta[w] imp.rho[w]"},
		{kernels.Spec{Name: "box"}, "plain.theta[x] plain.theta[v] imp.theta[y] imp.rho[y] box.h[y] imp.theta[w] " +
			"imp.rho[w] box.h[w]"},
		{kernels.Spec{Name: "imparc", Base: "rq"},
			"plain.theta[x] plain.theta[v] imparc.arc[y] imparc.rho_arc[y] imparc.imp[y] imparc.rho_imp[y] imparc.arc[w] " +
				"imparc.imp[w] imparc.rho_imp[w] rq.alpha"},
		{kernels.Spec{Name: "const"}, "plain.theta[x] plain.theta[v] flat.theta[y] flat.theta[w]"},
		{kernels.Spec{Name: "flat", Combine: "sum"},
			"plain.theta[x] plain.theta[v] flat.theta[y] flat.theta[w] sum.weight[x] sum.weight[v] sum.weight[y] sum.weight[w]"},
		{kernels.Spec{Name: "modlap"}, "fm.lengthscale[x] fm.lengthscale[y] fm.alpha[v] fm.beta[v] fm.alpha[w] fm.beta[w] " +
			"fm.inactive[w]"},
		{kernels.Spec{Name: "modlap", Embedding: "imparc"},
			"fm.lengthscale[x] imparc.arc[y] imparc.rho_arc[y] imparc.imp[y] imparc.rho_imp[y] fm.alpha[v] fm.beta[v] " +
				"fm.alpha[w] fm.beta[w] fm.inactive[w]"},
		{kernels.Spec{Name: "hmodlap", Embedding: "arc"},
			"fm.lengthscale[x] arc.omega[y] arc.rho[y] fm.alpha[v] fm.beta[v] fm.alpha[w] fm.beta[w] fm.inactive[w]"},
		{kernels.Spec{Name: "modnn"}, "fm.sigma[x] fm.sigma[y] fm.bias fm.beta[v] fm.beta[w] fm.inactive[w]"},
		{kernels.Spec{Name: "modkernel"},
			"fm.delta fm.lengthscale[x] fm.lengthscale[y] fm.beta[v] fm.beta[w] fm.inactive[w]"},
		{kernels.Spec{Name: "adddif"}, "fm.lengthscale[x] fm.lengthscale[y] fm.beta[v] fm.beta[w] fm.inactive[w] " +
			"add.continuous add.discrete"},
		{kernels.Spec{Name: "linear"}, "linear.weight[x] linear.weight[v] linear.weight[y] linear.weight[w]"},
		{kernels.Spec{Name: "add", Parts: []kernels.Spec{
			{Name: "rq", ARD: true, Over: []string{"x"}},
			{Name: "multiply", Parts: []kernels.Spec{{Name: "lap", ARD: true, Over: []string{"v"}},
				{Name: "addlap", Over: []string{"y", "w"}}}},
		}}, "1.plain.theta[x] 1.rq.alpha 2.1.fm.beta[v] 2.2.fm.lengthscale 2.2.fm.beta[w] 2.2.fm.inactive[w] " +
			"2.2.add.continuous 2.2.add.discrete sum.weight[1] sum.weight[2]"},
		{kernels.Spec{Name: "imp", Warp: true},
			"warp.a[x] warp.b[x] plain.theta[x] plain.theta[v] warp.a[y] warp.b[y] imp.theta[y] imp.rho[y] imp.theta[w] " +
				"imp.rho[w]"},
		// Both terms warp an axis alike.
		{kernels.Spec{Name: "effects", Warp: true},
			"warp.a[x] warp.b[x] plain.theta[x] plain.theta[v] warp.a[y] warp.b[y] imp.theta[y] imp.rho[y] box.h[y] " +
				"imp.theta[w] imp.rho[w] box.h[w] effects.all effects.none effects.of[v] effects.of[w] own.plain.theta[x] " +
				"own.imp.theta[y] own.imp.rho[y] own.box.h[y]"},
	} {
		c.spec.ARD = true
		k := mustKernel(t, c.spec, coords)
		var names []string
		for _, p := range k.Params() {
			names = append(names, p.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.spec.Name, got, c.want)
		}
	}
}

func TestSharedWeights(t *testing.T) {
	coords := []kernels.Coord{{Name: "x"}, {Name: "y", Conditional: true}}
	for name, want := range map[string]string{"matern52": "flat.theta", "modlap": "fm.lengthscale"} {
		k := mustKernel(t, kernels.Spec{Name: name}, coords)
		if p := k.Params(); len(p) != 1 || p[0].Name != want {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// Every declaration makes sense, and component weights scale the kernel as they
// say: times c, all of them together, is times c.
func TestDeclarations(t *testing.T) {
	seen, scaled := 0, 0
	for _, v := range variants() {
		coords := []kernels.Coord{{Name: "p0", Levels: 3}, {Name: "p1", Levels: 2, Conditional: true}}
		if !slices.Contains([]string{"lap", "dif", "walk", "cosine"}, v.spec.Name) {
			coords = append(coords, kernels.Coord{Name: "p2", Conditional: true}, kernels.Coord{Name: "p3"})
		}
		k := mustKernel(t, v.spec, coords)
		x := points.New(2, len(coords))
		var theta, times []float64
		weighted := false
		names := map[string]bool{}
		for _, p := range k.Params() {
			seen++
			switch {
			case names[p.Name]:
				t.Errorf("%s: %s twice", v, p.Name)
			case !(p.Lo <= p.Init && p.Init <= p.Hi):
				t.Errorf("%s: %s starts at %v outside [%v, %v]", v, p.Name, p.Init, p.Lo, p.Hi)
			case p.Scale == kernels.Log && !(p.Lo > 0):
				t.Errorf("%s: %s has a log scale from %v", v, p.Name, p.Lo)
			case p.Prior != nil:
				if l, _ := p.Prior.LogDensity(p.Init); math.IsInf(l, 0) || math.IsNaN(l) {
					t.Errorf("%s: %s has log density %v where it starts", v, p.Name, l)
				}
			}
			names[p.Name] = true
			theta = append(theta, p.Init)
			times = append(times, p.Init)
			if p.Variance {
				times[len(times)-1] *= 3
				weighted = true
			}
		}
		if !weighted {
			continue
		}
		scaled++
		a, b := block(k, theta, x, x)[0][1], block(k, times, x, x)[0][1]
		if want := 3 * a; !(math.Abs(b-want) <= 1e-13*want) {
			t.Errorf("%s: weights times 3 give %v, want %v", v, b, want)
		}
	}
	if seen < 1000 || scaled < 50 {
		t.Errorf("only %d declarations and %d weighted kernels seen", seen, scaled)
	}
	if !slices.Contains(kernels.Names(), "hmodlap") {
		t.Error("Names is incomplete")
	}
}

// α is held at 1 for the first choice, and for all where there are no numbers.
func TestHeldStrengths(t *testing.T) {
	choices := []kernels.Coord{{Name: "v", Levels: 3}, {Name: "w", Levels: 2}}
	for numbers, want := range []int{2, 1} {
		coords := append([]kernels.Coord{{Name: "x"}}[:numbers:numbers], choices...)
		k := mustKernel(t, kernels.Spec{Name: "modlap", ARD: true}, coords)
		held := 0
		for _, p := range k.Params() {
			if p.Lo == p.Hi {
				held++
				if p.Init != 1 || !strings.HasPrefix(p.Name, "fm.alpha") {
					t.Errorf("%s is held at %v", p.Name, p.Init)
				}
			}
		}
		if held != want {
			t.Errorf("%d numbers: %d held, want %d", numbers, held, want)
		}
	}
}

// The parts of a sum begin with equal weights, which are 1 together.
func TestWeightsBeginEqual(t *testing.T) {
	parts := []kernels.Spec{{Name: "linear"}, {Name: "se"}, {Name: "matern32"}, {Name: "rq"}}
	k := mustKernel(t, kernels.Spec{Name: "add", Parts: parts}, []kernels.Coord{{Name: "x"}})
	n := 0
	for _, p := range k.Params() {
		if p.Variance {
			if n++; p.Init != 0.25 {
				t.Errorf("%s begins with %v", p.Name, p.Init)
			}
		}
	}
	if n != len(parts) {
		t.Errorf("%d weights of %d parts", n, len(parts))
	}
}
