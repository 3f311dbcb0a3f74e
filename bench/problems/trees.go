package problems

import "math"

// Small decision trees with a few parameters at each leaf.

// jenatton is the tree of Jenatton et al. 2017, "Bayesian optimization with tree-structured dependencies": two levels
// of choices, one number at each of four leaves and one shared by the two leaves of a side.
var jenatton = []Param{
	categorical("x1", digits(2)),
	categorical("x2", digits(2), is("x1", "0")),
	categorical("x3", digits(2), is("x1", "1")),
	float("x4", 0, 1, is("x2", "0")),
	float("x5", 0, 1, is("x2", "1")),
	float("x6", 0, 1, is("x3", "0")),
	float("x7", 0, 1, is("x3", "1")),
	float("r8", 0, 1, is("x1", "0")),
	float("r9", 0, 1, is("x1", "1")),
}

// leaves of the tree: its number, the place of its minimum, its offset.
type leaf struct {
	name           string
	center, offset float64
}

// atLeaf is the squared distance to the minimum of the one active leaf plus its offset.
func atLeaf(d Point, leaves []leaf) float64 {
	for _, l := range leaves {
		if v, ok := d[l.name]; ok {
			return sq(v-l.center) + l.offset
		}
	}
	return math.NaN()
}

func init() {
	register(Problem{
		Name: "jenatton", Budget: 50, Tags: []string{"conditional"}, Params: jenatton,
		Optimum: Optimum{Value: 0.1, At: at{"x1": "0", "x2": "0", "x4": 0.0, "r8": 0.0}},
		Note:    "Jenatton et al. 2017; leaf offsets .1, .2, .3, .4, corner optimum",
	}, func(d Point) float64 {
		return atLeaf(d, []leaf{{"x4", 0, .1}, {"x5", 0, .2}, {"x6", 0, .3}, {"x7", 0, .4}}) + d["r8"] + d["r9"]
	})
	register(Problem{
		Name: "jenatton_interior", Budget: 50, Tags: []string{"conditional", "own"}, Params: jenatton,
		Optimum: Optimum{Value: 0.1, At: at{"x1": "0", "x2": "0", "x4": 0.7, "r8": 0.35}},
		Note:    "the same tree with interior optima and close leaf offsets .10, .12, .11, .20",
	}, func(d Point) float64 {
		shared := sq(d["r8"] - 0.35)
		if d.Has("r9") {
			shared = sq(d["r9"] - 0.6)
		}
		return shared + atLeaf(d, []leaf{{"x4", .7, .1}, {"x5", .2, .12}, {"x6", .55, .11}, {"x7", .85, .2}})
	})
	yesNo := []string{"T", "F"}
	register(Problem{
		Name: "coupled_tree", Budget: 100, Tags: []string{"conditional"},
		Params: []Param{categorical("x", yesNo), float("y", -1, 1),
			categorical("n", yesNo, is("x", "T")), categorical("m", yesNo, is("x", "F")),
			float("a", -1, 1, is("n", "T")), float("b", -1, 1, is("n", "F")),
			float("c", -1, 1, is("m", "T")), float("d", -1, 1, is("m", "F"))},
		Optimum: Optimum{Value: 0.01, At: at{"x": "F", "y": 0.75, "m": "F", "d": 0.75}},
		Note:    "the benchmark of OptunaHub's hierarchical TPE: the leaf's number is coupled to y, which all leaves share",
	}, func(d Point) float64 {
		leaves := []leaf{{"a", -.75, .025}, {"b", -.25, .05}, {"c", .25, .4}, {"d", .75, .01}}
		for _, l := range leaves {
			if v, ok := d[l.name]; ok {
				return sq(v-d["y"]) + atLeaf(d, leaves)
			}
		}
		return math.NaN()
	})
}
