package kernels_test

import (
	"math"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// hierarchy is a number x, a choice v, and y and w, active under two conditions.
func hierarchy() ([]kernels.Coord, *points.Set) {
	coords := []kernels.Coord{{Name: "x"}, {Name: "v", Levels: 3}, {Name: "y", Conditional: true},
		{Name: "w", Conditional: true}}
	x := points.New(4, 4)
	for i, row := range [][4]float64{{0.2, 0, 0.1, -1}, {0.7, 0, 0.4, -1}, {0.3, 1, -1, 0.9}, {0.5, 2, -1, -1}} {
		for c, u := range row {
			x.Set(c, i, max(u, 0), u >= 0)
		}
	}
	return coords, x
}

// covariances evaluates a kernel at hyperparameters by name; those without are 1.
func covariances(t *testing.T, s kernels.Spec, theta map[string]float64) [][]float64 {
	t.Helper()
	coords, x := hierarchy()
	k := mustKernel(t, s, coords)
	var at []float64
	used := 0
	for _, p := range k.Params() {
		v, ok := theta[p.Name]
		if !ok {
			v = 1
		} else {
			used++
		}
		at = append(at, v)
	}
	if used != len(theta) {
		t.Fatalf("%v: only %d of %v are its hyperparameters", s, used, theta)
	}
	return block(k, at, x, x)
}

func expect(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-14*(1+math.Abs(want))) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Sums in products and products in sums are what their formulas say, each part with its
// own base function, coordinates and hyperparameters.
func TestExpression(t *testing.T) {
	s := kernels.Spec{Name: "add", Parts: []kernels.Spec{
		{Name: "se", Over: []string{"x"}, ARD: true},
		{Name: "multiply", Parts: []kernels.Spec{
			{Name: "exp", Over: []string{"v"}, ARD: true},
			{Name: "add", Parts: []kernels.Spec{{Name: "matern32", Over: []string{"y", "w"}, ARD: true},
				{Name: "exp", Over: []string{"x"}, ARD: true}}},
		}},
	}}
	k := covariances(t, s, map[string]float64{
		"sum.weight[1]": 2, "sum.weight[2]": 3, "2.2.sum.weight[2]": 0.25, "2.2.sum.weight[1]": 0.5,
		"1.plain.theta[x]": 4, "2.1.plain.theta[v]": 0.7, "2.2.2.plain.theta[x]": 9, "2.2.1.flat.theta[y]": 5,
		"2.2.1.flat.theta[w]": 6,
	})
	// Between points 0 and 2: y and w stand at ½ where they are inactive.
	r := math.Sqrt(3 * (5*0.4*0.4 + 6*0.4*0.4))
	want := 2*math.Exp(-4*0.01/2) + 3*math.Exp(-0.7)*(0.5*(1+r)*math.Exp(-r)+0.25*math.Exp(-9*0.01))
	expect(t, "k(0, 2)", k[0][2], want)
	expect(t, "k(1, 1)", k[1][1], 2+3*0.75)
	if got := s.String(); got != "se(x) + exp(v)·(matern32(y, w) + exp(x))" {
		t.Error(got)
	}
	// One part for each parameter is what combine says.
	var parts []kernels.Spec
	for _, p := range []string{"x", "v", "y", "w"} {
		parts = append(parts, kernels.Spec{Name: "matern52", ARD: true, Over: []string{p}})
	}
	for name, combine := range map[string]string{"multiply": "product", "add": "sum"} {
		a := covariances(t, kernels.Spec{Name: name, Parts: parts}, nil)
		b := covariances(t, kernels.Spec{Name: "matern52", Combine: combine, ARD: true}, nil)
		for i := range a {
			for j := range a {
				expect(t, name, a[i][j], b[i][j])
			}
		}
	}
}

// The linear kernel is that of a regression on numbers and on the values of choices.
func TestLinear(t *testing.T) {
	k := covariances(t, kernels.Spec{Name: "linear", Constant: -1, ARD: true}, map[string]float64{
		"linear.weight[x]": 2, "linear.weight[v]": 3, "linear.weight[y]": 5, "linear.weight[w]": 7,
	})
	expect(t, "one value", k[0][1], 2*-0.3*0.2+3+5*-0.4*-0.1+7*1.5*1.5)
	expect(t, "two values", k[0][2], 2*-0.3*-0.2+5*-0.4*-1.5+7*-1.5*0.4)
}
