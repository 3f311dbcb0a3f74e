package problems

import "math"

// Functions of a few continuous parameters and a choice or two.

// braninScaled is Branin's function on the unit square, standardized.
func braninScaled(x1, x2 float64) float64 {
	t := 15*x1 - 5
	return (sq(15*x2-5/(4*math.Pi*math.Pi)*t*t+5/math.Pi*t-6) +
		10*(1-1/(8*math.Pi))*math.Cos(t) + 10 - 54.8104) / 51.9496
}

// toy is the function of Munoz Zuniga and Sinoquet 2020, "Global optimization for mixed categorical-continuous
// variables based on Gaussian process models": ten curves, one for each choice.
func toy(k int, x float64) float64 {
	c := math.Cos
	const pi = math.Pi
	switch k {
	case 0:
		return c(3.6*pi*(x-2)) + x - 1
	case 1:
		return 2*c(1.1*pi*math.Exp(x)) - x/2 + 2
	case 2:
		return c(2*pi*x) + x/2
	case 3:
		return x * (c(3.4*pi*(x-1)) - (x-1)/2)
	case 4:
		return -x * x / 2
	case 5:
		return 2*sq(c(0.25*pi*math.Exp(-x*x*x*x))) - x/2 + 1
	case 6:
		return x*c(3.4*pi*x) - x/2 + 1
	case 7:
		return x*(-c(3.5*pi*x)-x/2) + 2
	case 8:
		return -math.Pow(x, 5)/2 + 1
	}
	return -sq(c(2.5*pi*x))*math.Sqrt(x) - 0.5*math.Log(x+0.5) - 1.3
}

// halstrup maps the three choices to the slope and offset of test problem 4 of
// Halstrup 2016, "Black-box optimization of mixed discrete-continuous problems".
var halstrup = map[[3]int][2]float64{
	{0, 0, 0}: {1, 0}, {0, 0, 1}: {1, .2}, {0, 1, 0}: {.9, 0}, {0, 1, 1}: {1, .25},
	{1, 0, 0}: {1, .5}, {1, 0, 1}: {.8, 0}, {1, 1, 0}: {.5, 0}, {1, 1, 1}: {1, .8},
	{2, 0, 0}: {1, .9}, {2, 0, 1}: {.5, 0}, {2, 1, 0}: {1, 1}, {2, 1, 1}: {1, 1.25},
}

func init() {
	register(Problem{
		Name: "branin_mixed", Budget: 50, Tags: []string{"mixed"},
		Params:  []Param{float("x1", 0, 1), float("x2", 0, 1), categorical("z1", digits(2)), categorical("z2", digits(2))},
		Optimum: Optimum{Value: -0.5*braninScaled(0, 0) - 2.1, At: at{"x1": 0.0, "x2": 0.0, "z1": "1", "z2": "1"}},
		Note:    "Pelamatti et al. 2019; the optimum is in a corner",
	}, func(d Point) float64 {
		h := braninScaled(d["x1"], d["x2"])
		switch [2]float64{d["z1"], d["z2"]} {
		case [2]float64{0, 0}:
			return h
		case [2]float64{0, 1}:
			return 0.4*h + 1.1
		case [2]float64{1, 0}:
			return -0.75*h + 5.2
		}
		return -0.5*h - 2.1
	})
	register(Problem{
		Name: "toy_munoz", Budget: 40, Tags: []string{"mixed"},
		Params:  []Param{float("x", 0, 1), categorical("z", digits(10))},
		Optimum: Optimum{Value: -2.3296056848889592, Kind: "verified", At: at{"x": 0.8084606714993037, "z": "9"}},
		Note:    "Munoz Zuniga and Sinoquet 2020",
	}, func(d Point) float64 { return toy(int(d["z"]), d["x"]) })

	powers := 0.0
	params := []Param{}
	corner := at{"z1": "1", "z2": "1", "z3": "0"}
	for i := range 5 {
		powers += math.Exp2(float64(i) / 7)
		params = append(params, float(indexed("x", i+1), 0, 1))
		corner[indexed("x", i+1)] = 0.0
	}
	register(Problem{
		Name: "halstrup04", Budget: 60, Tags: []string{"mixed"},
		Params:  append(params, categorical("z1", digits(3)), categorical("z2", digits(2)), categorical("z3", digits(2))),
		Optimum: Optimum{Value: 0.5 * (powers - 2.75), At: corner},
		Note:    "Halstrup 2016, test problem 4; two equal minima, (1, 1, 0) and (2, 0, 1), in corners",
	}, func(d Point) float64 {
		a := -2.75
		for i := range 5 {
			a += sq(1+4*d[indexed("x", i+1)]) * math.Exp2(float64(i)/7)
		}
		ms := halstrup[[3]int{int(d["z1"]), int(d["z2"]), int(d["z3"])}]
		return ms[0]*a + ms[1]
	})

	params = nil
	ones := at{}
	for k := range 3 {
		params = append(params, integer(indexed("i", k), -2, 2))
		ones[indexed("i", k)] = 1
	}
	for k := range 7 {
		params = append(params, float(indexed("x", k), -2, 2))
		ones[indexed("x", k)] = 1.0
	}
	all := params
	register(Problem{
		Name: "rosenbrock10_mixed", Budget: 100, Tags: []string{"mixed"}, Params: all,
		Optimum: Optimum{Value: 0, At: ones},
		Note:    "Bliek et al. 2021 (MVRSM): 3 integers and 7 floats, divided by 300",
	}, func(d Point) float64 {
		s := 0.0
		for k := range len(all) - 1 {
			a, b := d[all[k].Name], d[all[k+1].Name]
			s += 100*sq(b-a*a) + sq(1-a)
		}
		return s / 300
	})
}
