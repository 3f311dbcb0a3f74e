package problems

import "math"

// The variable-size Rosenbrock function after Pelamatti et al. 2021: two choices decide which of eight numbers form the
// chain and with which coefficients. The constraints enter as exact penalties.

// chains lists the numbers of the parameters in the chain, by w1 and w2.
var chains = [2][2][]int{{{1, 2, 3, 4}, {1, 2, 5, 6}}, {{1, 2, 3, 4, 7, 8}, {1, 2, 5, 6, 7, 8}}}

func hierRosenbrock(d Point) float64 {
	w1, w2 := int(d["w1"]), int(d["w2"])
	a1, a2 := [2]float64{7, 10}[w1], [2]float64{9, 6}[w2]
	sign, scale := 1.0, 1.0
	if d["z2"] != 0 {
		sign, scale = -1, 0.7
	}
	f := 100*d["z1"] - 35*d["z3"]
	var g1, g2 float64
	chain := chains[w1][w2]
	for i := range len(chain) - 1 {
		x, y := d[indexed("x", chain[i])], d[indexed("x", chain[i+1])]
		f += scale*a1*a2*sq(y-x) + (a1+sign*a2)/10*sq(1-x)
		g1 += -cube(x-1) + y - 2.6
		g2 += -x - y + 0.4
	}
	if w1 != 0 {
		g2 = 0
	}
	return f + 500*violation(math.Inf(1), g1, g2)
}

func init() {
	register(Problem{
		Name: "hier_rosenbrock", Budget: 95, Tags: []string{"conditional", "penalty"},
		Params: []Param{categorical("w1", digits(2)), categorical("w2", digits(2)), float("x1", -1, .5), float("x2", 0, 1.5),
			float("x3", -1, .5, is("w2", "0")), float("x4", 0, 1.5, is("w2", "0")),
			float("x5", -1, .5, is("w2", "1")), float("x6", 0, 1.5, is("w2", "1")),
			float("x7", -1, .5, is("w1", "1")), float("x8", 0, 1.5, is("w1", "1")),
			integer("z1", 0, 1), integer("z2", 0, 1), integer("z3", 0, 2, is("w2", "1"))},
		Optimum: Optimum{Value: -69.92504244482173, Kind: "verified", At: at{"w1": "0", "w2": "1", "x1": 0.5,
			"x2": 0.5008489058694678, "x5": 0.5, "x6": 0.49999999536917467, "z1": 0, "z2": 1, "z3": 2}},
		Note: "after Pelamatti et al. 2021; the active parameters are exactly those used; penalty 500 · violation",
	}, hierRosenbrock)
}
