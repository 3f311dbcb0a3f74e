// Package kernels holds the covariance functions: distances that know inactive
// parameters, kernels on graphs, and frequency modulation of one by the other.
//
// Start from [New], which makes a [Kernel] from a [Spec] and the coordinates of the encoded points, and from
// [Kernel.Bind], which gives the rows of a Gram matrix and the pullbacks of its gradient. Hyperparameters are data:
// each kernel lists its [Param]s, and fitting, printing and overriding them need nothing else.
//
// # How kernels are put together
//
// A distance is a sum over coordinates of squared distances, each a sum of terms: squares of differences of images (of
// a number or a point on an arc), or a distance of names. A radial kernel is a profile of such a sum; profiles are
// functions of r², so their derivatives are finite at 0. A modulated kernel is a product over choices of Σ_i U_vi U_v′i
// f(λ_i, s), whose s is again a distance. Sums and products of these give the rest. One coordinate that every term
// shares, a boundAxis, holds the values computed once per point: the warped coordinate, the activity, the vertex; terms
// add their own, such as sines and cosines.
//
// # Distances
//
// Squared, along one coordinate; 0 if the parameter is inactive in both points.
//
//	          one active (u or v)      both active
//	arc       ω²                       4ω² sin²(πρ(u − u′)/2)    names: 2ω²·1[v ≠ v′]
//	ico       ρ                        θ(u − u′)²                names: θ·1[v ≠ v′]
//	imp       θ(u − ρ)², θ·1[v ≠ r]    as ico
//	box       imp + h                  as ico
//	imparc    β₁·arc + β₂·imp          β₁·arc + β₂·imp
//	const     θ(u − c)²                as ico; names: a further name
//	flat      const with c = ½         as ico
//	plain     of coordinates never inactive: as ico
//
// All but ico map a parameter into a Euclidean space, so every profile of their sum is positive semi-definite.
//
// # Invariants and units
//
// Numeric coordinates are unit coordinates, choices are value indices. The number in an
// inactive slot never matters. All distances are squared. All kernels but "ico" are positive
// semi-definite for every legal hyperparameter; see [Kernel.NeedsFlip].
//
// # Rows and triangles
//
// Predictions take rows, and their gradients by coordinates. Fits take the lower triangle of the whole Gram matrix and
// its gradient by the hyperparameters: intermediate results for the gradient are kept on a [Tape], and gradients of
// squared distances are sums over all pairs, hence matrix products.
//
// # Concurrency, memory, errors
//
// Kernels are immutable and may be shared. A [Cov] owns scratch memory: one per
// goroutine. Row and Pull allocate nothing, nor do Gram and PullGram on a used
// [Tape]. The reference points must not change while a Cov is bound to them. [New]
// returns errors for settings and spaces that do not fit together; misuse of a
// bound kernel panics.
package kernels
