package problems

import "math"

// Ackley's function with discrete coordinates (the 5 × 17 form of Ru et al. 2020; 50 binary and 3 continuous of Wan et
// al. 2021, "Think global and act local"). ackley53_flip moves the optimum off the all-zero pattern, which flatters
// some methods: the landscape is the same.

func ackley(z []float64) float64 {
	var squares, cosines float64
	for _, v := range z {
		squares += v * v
		cosines += math.Cos(2 * math.Pi * v)
	}
	n := float64(len(z))
	return -20*math.Exp(-0.2*math.Sqrt(squares/n)) - math.Exp(cosines/n) + 20 + math.E
}

const flipPattern = "11100101100000001110111010101100010111011001001111"

var flipShift = [3]float64{0.31, -0.47, 0.12}

func init() {
	five := []Param{}
	middle := at{"x": 0.0}
	for i := 1; i <= 5; i++ {
		five = append(five, categorical(indexed("h", i), digits(17)))
		middle[indexed("h", i)] = "8"
	}
	register(Problem{
		Name: "ackley5c", Budget: 200, Tags: []string{"mixed"},
		Params:  append(five, float("x", -1, 1)),
		Optimum: Optimum{Value: 0, At: middle},
		Note:    "five nominal parameters of 17 choices hide an ordered grid −1, −0.875, … 1; the optimum is the middle",
	}, func(d Point) float64 {
		z := []float64{d["x"]}
		for i := 1; i <= 5; i++ {
			z = append(z, 0.125*d[indexed("h", i)]-1)
		}
		return ackley(z)
	})

	var params []Param
	zero, flipped := at{}, at{}
	for i := range 50 {
		name := indexed("b", i)
		params = append(params, integer(name, 0, 1))
		zero[name], flipped[name] = 0, int(flipPattern[i]-'0')
	}
	for i := range 3 {
		name := indexed("x", i)
		params = append(params, float(name, -1, 1))
		zero[name], flipped[name] = 0.0, flipShift[i]
	}
	register(Problem{
		Name: "ackley53", Budget: 200, Tags: []string{"mixed", "high-dim"}, Params: params,
		Optimum: Optimum{Value: 0, At: zero},
		Note:    "50 binary and 3 continuous parameters; the optimum is all zero",
	}, func(d Point) float64 {
		var z []float64
		for _, q := range params {
			z = append(z, d[q.Name])
		}
		return ackley(z)
	})
	register(Problem{
		Name: "ackley53_flip", Budget: 200, Tags: []string{"mixed", "high-dim"}, Params: params,
		Optimum: Optimum{Value: 0, At: flipped},
		Note:    "ackley53 with the optimum moved to a patternless place",
	}, func(d Point) float64 {
		var z []float64
		for i := range 50 {
			z = append(z, math.Abs(d[indexed("b", i)]-float64(flipPattern[i]-'0')))
		}
		for i, s := range flipShift {
			z = append(z, 0.625*(d[indexed("x", i)]-s))
		}
		return ackley(z)
	})
}
