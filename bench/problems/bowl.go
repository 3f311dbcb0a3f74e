package problems

func init() {
	register(Problem{
		Name: "bowl", Budget: 40, Tags: []string{"continuous"},
		Params:  []Param{float("x", 0, 1), float("y", 0, 1)},
		Optimum: Optimum{Value: 0, At: at{"x": 0.3, "y": 0.7}},
		Note:    "(x - 0.3)^2 + (y - 0.7)^2; arena -noise 0.1 hides it",
	}, func(d Point) float64 {
		x, y := d["x"]-0.3, d["y"]-0.7
		return x*x + y*y
	})
}

// finite is a valley in k for each of four choices, 24 configurations in all.
func init() {
	floor, centre := []float64{0.3, 0.1, 0.4, 0.2}, []float64{1, 4, 2, 5}
	register(Problem{
		Name: "finite", Budget: 72, Tags: []string{"mixed"},
		Params:  []Param{categorical("c", digits(4)), integer("k", 0, 5)},
		Optimum: Optimum{Value: 0.1, At: at{"c": "1", "k": 4.0}},
		Note:    "24 configurations, of which the next best is worse by 0.04; arena -noise hides them",
	}, func(d Point) float64 {
		c := int(d["c"])
		return floor[c] + sq(d["k"]-centre[c])/25
	})
}
