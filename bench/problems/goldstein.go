package problems

import "math"

// Pelamatti's variants of Goldstein's function: with choices (Pelamatti et al. 2019, "Efficient global optimization of
// constrained mixed variable problems") and with a space of variable size (Pelamatti et al. 2021, "Bayesian
// optimization of variable-size design space problems").

// goldstein is the polynomial both share; z3 and z4 are exponents.
func goldstein(x1, x2, x3, x4, z3, z4 float64) float64 {
	return 53.3108 + 0.184901*x1 - 5.02914e-6*cube(x1) + 7.72522e-8*math.Pow(x1, z3) - 0.0870775*x2 -
		0.106959*x3 + 7.98772e-6*math.Pow(x3, z4) + 0.00242482*x4 + 1.32851e-6*cube(x4) -
		0.00146393*x1*x2 - 0.00301588*x1*x3 - 0.00272291*x1*x4 + 0.0017004*x2*x3 +
		0.0038428*x2*x4 - 0.000198969*x3*x4 + 1.86025e-5*x1*x2*x3 -
		1.88719e-6*x1*x2*x4 + 2.50923e-5*x1*x3*x4 - 5.62199e-5*x2*x3*x4
}

// goldsteinLevels are the values a discrete x3 or x4 takes.
var goldsteinLevels = [3]float64{20, 50, 80}

// level is an active continuous parameter's value, else that of its discrete stand-in.
func level(d Point, continuous, discrete string) float64 {
	if v, ok := d[continuous]; ok {
		return v
	}
	return goldsteinLevels[int(d[discrete])]
}

func init() {
	register(Problem{
		Name: "goldstein_mixed", Budget: 60, Tags: []string{"mixed"},
		Params: []Param{float("x1", 0, 100), float("x2", 0, 100), categorical("z1", digits(3)), categorical("z2", digits(3))},
		Optimum: Optimum{Value: 38.08471267770529, Kind: "verified",
			At: at{"x1": 94.54442393777941, "x2": 100.0, "z1": "2", "z2": "2"}},
		Note: "Pelamatti et al. 2019, exponents 4 and 3",
	}, func(d Point) float64 {
		return goldstein(d["x1"], d["x2"], goldsteinLevels[int(d["z1"])], goldsteinLevels[int(d["z2"])], 4, 3)
	})
	register(Problem{
		Name: "hier_goldstein", Budget: 104, Tags: []string{"conditional"},
		Params: []Param{categorical("meta", digits(4)), categorical("w", digits(2)), float("x1", 0, 100), float("x2", 0, 100),
			float("x3", 0, 100, is("meta", "1", "3")), float("x4", 0, 100, is("meta", "2", "3")),
			float("x5", 0, 100, is("w", "1")),
			integer("z1", 0, 2, is("meta", "0", "2")), integer("z2", 0, 2, is("meta", "0", "1")),
			integer("z3", 0, 2), integer("z4", 0, 2)},
		Optimum: Optimum{Value: 8.941930064972205, Kind: "verified", At: at{"meta": "3", "w": "1",
			"x1": 100.0, "x2": 100.0, "x3": 100.0, "x4": 100.0, "x5": 50.00000033529022, "z3": 0, "z4": 0}},
		Note: "Pelamatti et al. 2021 without its constraint; x5 is active only with w = 1",
	}, func(d Point) float64 {
		h := goldstein(d["x1"], d["x2"], level(d, "x3", "z1"), level(d, "x4", "z2"), d["z3"], d["z4"])
		if d.Has("x5") {
			h += 5*math.Cos(2*math.Pi*d["x5"]/100) - 2
		}
		return h
	})
}
