package kernels

import (
	"math/rand/v2"

	"bohier/internal/points"
)

// A Kernel is an immutable family of covariance functions over encoded points.
type Kernel interface {
	// Params lists the hyperparameters in the order Bind expects them. The slice must not be changed.
	Params() []Param
	// Bind fixes the hyperparameters (natural units, one per Param) and the reference points.
	// It computes everything that depends on theta alone.
	Bind(theta []float64, y *points.Set) Cov
	// NeedsFlip reports whether it asks for the spectrum flip of its training matrix ("icocor"): it is indefinite for some
	// hyperparameters, and the model should use U|Λ|Uᵀ in place of UΛUᵀ.
	NeedsFlip() bool
	// MeanVariance is that at one resource; nil: 1.
	MeanVariance() Variance
	// UniformVariance reports whether k(x, x) is known to be the same at all points.
	UniformVariance() bool
	// Trend is the mean that goes with it; nil: none does.
	Trend() *Trend
}

// A Cov is a covariance function bound to hyperparameters and reference points
// y. It owns scratch memory: one per goroutine.
type Cov interface {
	// Row sets dst[t] = k(x_i, y_{lo+t}) for t < len(dst).
	Row(dst []float64, x *points.Set, i, lo int)
	// Pull adds the gradient of Σ_t w[t]·k(x_i, y_{lo+t}) with respect to the
	// coordinates of x_i to dx. The coordinates of choices
	// and of inactive parameters get nothing.
	Pull(dx, w []float64, x *points.Set, i, lo int)
	// Gram sets dst[i·stride+j] = k(y_i, y_j) for j ≤ i; the other entries are
	// left alone. The tape keeps the intermediate results for PullGram. Values are those of Row to the bit.
	Gram(dst []float64, stride int, tape *Tape)
	// PullGram adds the gradient of Σ_{j≤i} w[i·stride+j]·k(y_i, y_j) with respect to the hyperparameters (natural units)
	// to dtheta. The tape is that of the Gram before and is used up.
	//
	// Sums over pairs of squared differences are made of inner products here, Σ w(f_i − f_j)² = Σ r_i f_i² − 2Σ w f_i f_j
	// with r_i the weights of point i. For points that nearly coincide that keeps only an absolute accuracy, of the
	// rounding of one weight: in a likelihood's gradient less than the rounding of the inverse matrix, the source of such
	// weights.
	PullGram(dtheta, w []float64, stride int, tape *Tape)
	// Rebind changes the hyperparameters, in less time than Bind.
	Rebind(theta []float64)
	// With is the same covariance function on other reference points.
	With(y *points.Set) Cov
}

// A Coord describes one coordinate of the encoded points.
type Coord struct {
	Name string
	// Levels is 0 for a numeric coordinate, which holds a unit coordinate in
	// [0, 1]; m > 0 for a choice, which holds the index 0…m−1 of a value.
	Levels  int
	Decades float64 // that a number declared linear spans, if they are many; else 0
	// Positions places ordered levels in [0, 1], one each, ascending; nil for
	// a nominal choice. Distance kernels treat ordered levels as numbers.
	Positions []float64
	// Graph joins the levels for kernels on graphs: it is connected, and its weights are positive. A graph
	// without edges is the complete one (nominal) or the path (ordered).
	Graph points.Graph
	// Conditional reports whether the coordinate is ever inactive.
	Conditional bool
	// Ancestors are the coordinates its condition depends on, directly or not.
	Ancestors []int
}

// Numeric reports whether distance kernels see a number: a unit coordinate or an ordered level.
func (c Coord) Numeric() bool { return c.Levels == 0 || c.Positions != nil }

// A Param declares one hyperparameter; fitting, reports, the journal and YAML overrides all work from this declaration.
type Param struct {
	Name    string  // stable path such as "arc.omega[lr]"
	Init    float64 // natural units, like Lo and Hi
	Lo, Hi  float64 // Lo == Hi fixes it
	Scale   Scale   // the coordinate it is optimised in
	Prior   Prior   // nil: flat
	Choices int     // > 0: categorical with values 0…Choices−1, optimised by coordinate ascent
	// Variance marks a component weight in squared objective units; weights replace the model's signal variance.
	Variance bool
	// Of is the mean variance of the kernel that the hyperparameter, a weight, multiplies; nil: 1. Init, Lo, Hi and
	// Prior belong to the product of the two.
	Of Variance
	// Weight marks the factor of a squared distance along one coordinate, which does not matter where the factor is Lo.
	Weight  bool
	Divides bool // undefined at 0
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
