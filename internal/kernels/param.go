package kernels

import "math/rand/v2"

// A Param declares one hyperparameter; fitting, reports, the journal and YAML
// overrides all work from this declaration.
type Param struct {
	Name    string  // stable path such as "arc.omega[lr]"
	Init    float64 // natural units, like Lo and Hi
	Lo, Hi  float64 // Lo == Hi fixes it
	Scale   Scale   // the coordinate it is optimised in
	Prior   Prior   // nil: flat
	Choices int     // > 0: categorical with values 0…Choices−1, optimised by coordinate ascent
	// Variance marks a component weight in squared objective units; weights
	// replace the model's signal variance.
	Variance bool
	// Degree is that of the kernel as a homogeneous function of all such weights
	// together, 0 meaning 1: their unit is that of the objective to the power
	// 2/Degree.
	Degree int
	// Of is the mean variance of what the hyperparameter, a weight, multiplies; nil: 1. Init,
	// Lo, Hi and Prior belong to the product of the two.
	Of Variance
	// Deviation marks a hyperparameter in units of the objective's differences.
	Deviation bool
}

// Scale names the coordinate in which a hyperparameter is optimised.
type Scale int

// The scales. Log needs Lo > 0; Logit maps (Lo, Hi) to the real line.
const (
	Linear Scale = iota
	Log
	Logit
)

// A Prior is a density over a hyperparameter in natural units.
type Prior interface {
	// LogDensity returns ln p(v) up to a constant and its derivative d/dv.
	LogDensity(v float64) (logp, dlogp float64)
	// Sample draws one value.
	Sample(r *rand.Rand) float64
	// Quantile is the value below which the share p, 0 < p < 1, of it lies.
	Quantile(p float64) float64
}
