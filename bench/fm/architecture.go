package fm

import (
	"fmt"
	"math"

	"bohier/bench/problems"
)

// Cells of the paper's architecture search have four states. Each adds up the results of
// two operations on two of the states before it, −1 and 0 being the inputs of the cell;
// the output is state 4 and one other. A network is three cells.

// operation is a choice of the paper with a cost per activation, relative to a 1×1
// convolution, and, in our stand-in, what it adds to the features and to their context.
type operation struct {
	name                    string
	cost, features, context float64
}

var operations = []operation{
	{"id", 0, 0, 0},
	{"conv1x1", 1, 0.5, 0.1},
	{"conv3x3", 9, 1, 0.6},
	{"conv5x5", 25, 1.1, 0.9},
	{"sep3x3", 1.6, 0.8, 0.55},
	{"sep5x5", 2.6, 0.85, 0.8},
	{"max3x3", 0.1, 0.15, 0.5},
	{"max5x5", 0.1, 0.1, 0.6},
}

// pairs are the inputs that a state may have: all pairs of states before it; state 4 may
// not have both inputs of the cell, which would make it one with state 1.
func pairs(state int) (out [][2]int) {
	for a := -1; a < state; a++ {
		for b := a + 1; b < state; b++ {
			if state == 4 && a == -1 && b == 0 {
				continue
			}
			out = append(out, [2]int{a, b})
		}
	}
	return out
}

// neighbours joins pairs that share one input while the others differ by one.
func neighbours(list [][2]int) (edges [][2]int) {
	for i, p := range list {
		for j := i + 1; j < len(list); j++ {
			q := list[j]
			for x := range 2 {
				for y := range 2 {
					if p[x] == q[y] && math.Abs(float64(p[1-x]-q[1-y])) == 1 {
						edges = append(edges, [2]int{i, j})
					}
				}
			}
		}
	}
	return edges
}

// architecture is the paper's space of 8,153,726,976 cells and six settings of the
// training. Its function is a stand-in, since the paper's (networks trained on
// Fashion-MNIST for hours) cannot be had: an error that falls with the features and the
// context along the cell's paths and rises with poor settings of the training, which
// depend on the depth, plus the paper's 0.02 FLOP / max FLOP.
func architecture() *problems.Problem {
	p := &problems.Problem{
		Name: "architecture", Budget: 200, Tags: []string{"mixed"},
		Note:    "space of Oh, Gavves and Welling 2021, section 5.3, with a stated stand-in for the trained network",
		Optimum: problems.Optimum{Kind: "unknown"},
	}
	var names []string
	for _, o := range operations {
		names = append(names, o.name)
	}
	for s := 1; s <= 4; s++ {
		for k := 1; k <= 2; k++ {
			p.Params = append(p.Params, problems.Param{Name: fmt.Sprintf("op%d_%d", s, k), Kind: problems.Categorical, Choices: names})
		}
		if s == 1 {
			continue // both inputs of the cell
		}
		in := problems.Param{Name: fmt.Sprintf("in%d", s), Kind: problems.Categorical}
		for _, q := range pairs(s) {
			in.Choices = append(in.Choices, fmt.Sprintf("%d,%d", q[0], q[1]))
		}
		in.Edges = neighbours(pairs(s))
		p.Params = append(p.Params, in)
	}
	p.Params = append(p.Params,
		problems.Param{Name: "out", Kind: problems.Categorical, Choices: []string{"1", "2", "3"}, Edges: [][2]int{{0, 1}, {1, 2}}},
		problems.Param{Name: "lr", Kind: problems.Float, Low: 0.001, High: 0.1, Log: true},
		problems.Param{Name: "momentum", Kind: problems.Float, Low: 0.8, High: 1},
		problems.Param{Name: "decay", Kind: problems.Float, Low: 1e-6, High: 1e-2, Log: true},
		problems.Param{Name: "factor", Kind: problems.Float, Low: 0.1, High: 0.9},
		problems.Param{Name: "first", Kind: problems.Float, Low: 0, High: 1},
		problems.Param{Name: "second", Kind: problems.Float, Low: 0, High: 1},
	)
	return p.With(train)
}

// maxCost is that of eight 5×5 convolutions, the most that a cell can have.
const maxCost = 8 * 25

// train is the objective of a cell and settings.
func train(x problems.Point) (float64, error) {
	type state struct{ features, context, depth float64 }
	states := map[int]state{-1: {}, 0: {}}
	cost := 0.0
	for s := 1; s <= 4; s++ {
		in := [2]int{-1, 0}
		if s > 1 {
			in = pairs(s)[int(x[fmt.Sprintf("in%d", s)])]
		}
		var sum state
		for k, from := range in {
			op := operations[int(x[fmt.Sprintf("op%d_%d", s, k+1)])]
			at := states[from]
			cost += op.cost
			// Features beyond what came in saturate; two branches add up.
			sum.features += 0.6 * (at.features + op.features*math.Exp(-at.features/3))
			sum.context += 0.6 * (at.context + op.context)
			if op.features > 0.2 {
				at.depth++
			}
			sum.depth = max(sum.depth, at.depth)
		}
		states[s] = sum
	}
	a, b := states[int(x["out"])+1], states[4]
	features, context, depth := a.features+b.features, a.context+b.context, max(a.depth, b.depth)
	err := 0.055 + 0.25*math.Exp(-features/1.2) + 0.02*sq(math.Min(context, 3.2)-2.4)

	// The rate that momentum leaves has an optimum that falls with the depth; what is
	// too large diverges.
	rate := math.Log10(x["lr"] / (1.01 - x["momentum"]))
	best := -0.7 - 0.08*depth
	err += 0.012 * sq(rate-best)
	if rate > best+0.5 {
		err += 0.06 * sq(rate-best-0.5)
	}
	err += 0.002 * sq(math.Log10(x["decay"])+3.7+0.1*depth)
	drops := x["first"] + (1-x["first"])*x["second"]
	err += 0.01*(sq(x["first"]-0.5)+sq(drops-0.8)) + 0.008*sq(x["factor"]-0.25)
	return math.Min(err, 0.9) + 0.02*cost/maxCost, nil
}

func sq(x float64) float64 { return x * x }

// inputs reads a pair as the choices of the parameters in2 to in4 write it.
func inputs(s string) (pair [2]int, ok bool) {
	n, err := fmt.Sscanf(s, "%d,%d", &pair[0], &pair[1])
	return pair, n == 2 && err == nil
}
