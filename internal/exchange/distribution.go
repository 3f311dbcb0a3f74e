package exchange

import (
	_ "embed"
	"slices"
	"strings"
)

// A distribution is how a distribution, or another type of parameters, of another tool is written here.
type distribution struct {
	Kind, Scale string // float or int; constant, choice or ordinal
	Step        bool   // the values are multiples of q
	Grid        bool   // a step, if there is one, counts from the lower bound
	Exponent    bool   // the bounds are natural logarithms
	Inverse     bool   // of the reciprocal
	Shape       string // normal: with a mean and a standard deviation, perhaps in place of bounds; beta; else even
}

// distributions are those of Weights & Biases, Optuna, ConfigSpace, NNI, Katib, Ray Tune and Hyperopt, by their
// names there.
var distributions = func() map[string]distribution {
	all := map[string]distribution{}
	for line := range strings.Lines(distributionTable) {
		words := strings.Fields(line)
		has := func(word string) bool { return slices.Contains(words[2:], word) }
		d := distribution{Kind: words[1], Step: has("step"), Grid: has("grid"),
			Exponent: has("exponent"), Inverse: has("inverse")}
		if has("log") {
			d.Scale = "log"
		}
		for _, shape := range []string{"normal", "beta"} {
			if has(shape) {
				d.Shape = shape
			}
		}
		all[words[0]] = d
	}
	return all
}()

//go:embed distributions.txt
var distributionTable string // a line each: name, kind, and further properties
