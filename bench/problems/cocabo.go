package problems

import "math"

// Func2C and Func3C: choices pick the pieces of a sum of two-dimensional test functions (Ru, Alvi, Nguyen, Osborne and
// Roberts 2020, "Bayesian optimisation over multiple continuous and categorical inputs"; in the form with 3, 5 and 4
// choices that Oh, Gavves and Welling 2021 use).

// camelMin is the minimum of the six-hump camel function.
const camelMin = -1.031628453489877

func rosenbrock2(x, y float64) float64 {
	return (100*sq(y-x*x) + sq(x-1)) / 300
}

func camel2(x, y float64) float64 {
	return ((4-2.1*x*x+x*x*x*x/3)*x*x + x*y + (-4+4*y*y)*y*y) / 10
}

func beale2(x, y float64) float64 {
	return (sq(1.5-x+x*y) + sq(2.25-x+x*y*y) + sq(2.625-x+x*y*y*y)) / 50
}

// piece is the function a choice picks; every choice from 2 on picks Beale's.
func piece(h, x, y float64) float64 {
	switch h {
	case 0:
		return rosenbrock2(x, y)
	case 1:
		return camel2(x, y)
	}
	return beale2(x, y)
}

func third(h, x, y float64) float64 {
	switch h {
	case 0:
		return 5 * camel2(x, y)
	case 1:
		return 2 * rosenbrock2(x, y)
	}
	return h * beale2(x, y)
}

func init() {
	register(Problem{
		Name: "func2c", Budget: 200, Tags: []string{"mixed"},
		Params: []Param{categorical("h1", digits(3)), categorical("h2", digits(5)), float("x1", -1, 1), float("x2", -1, 1)},
		Optimum: Optimum{Value: 2 * camelMin / 10,
			At: at{"h1": "1", "h2": "1", "x1": 0.08984201 / 2, "x2": -0.71265640 / 2}},
		Note: "CoCaBO Func2C; choices 2, 3 and 4 of h2 are identical (Beale)",
	}, func(d Point) float64 {
		x, y := 2*d["x1"], 2*d["x2"]
		return piece(d["h1"], x, y) + piece(d["h2"], x, y)
	})
	register(Problem{
		Name: "func3c", Budget: 200, Tags: []string{"mixed"},
		Params: []Param{categorical("h1", digits(3)), categorical("h2", digits(5)), categorical("h3", digits(4)),
			float("x1", -1, 1), float("x2", -1, 1)},
		Optimum: Optimum{Value: 7 * camelMin / 10,
			At: at{"h1": "1", "h2": "1", "h3": "0", "x1": 0.08984201 / 2, "x2": -0.71265640 / 2}},
		Note: "CoCaBO Func3C with 3, 5 and 4 choices",
	}, func(d Point) float64 {
		x, y := 2*d["x1"], 2*d["x2"]
		return piece(d["h1"], x, y) + piece(d["h2"], x, y) + third(d["h3"], x, y)
	})
}

func sq(x float64) float64 { return x * x }

func cube(x float64) float64 { return x * x * x }

func pos(v float64) float64 { return math.Max(0, v) }
