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
