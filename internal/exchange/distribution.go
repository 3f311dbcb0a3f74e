package exchange

import (
	_ "embed"
	"slices"
	"strings"

	"bohier/internal/lists"
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
		all[words[0]] = distribution{Kind: words[1], Scale: lists.If(has("log"), "log", ""), Step: has("step"),
			Grid: has("grid"), Exponent: has("exponent"), Inverse: has("inverse"),
			Shape: lists.If(has("normal"), "normal", lists.If(has("beta"), "beta", ""))}
	}
	return all
}()

//go:embed distributions.txt
var distributionTable string // a line each: name, kind, and further properties
