package kernels

import (
	"fmt"

	"bohier/internal/points"
)

// composed is the Kernel that New makes: a declaration of hyperparameters and a
// tree of parts that index into it.
type composed struct {
	params []Param
	root   part
	dim    int // number of coordinates the kernel was built for
	flip   bool
	trend  Trend // of Fidelity; nil: none
}

var _ Kernel = (*composed)(nil)

// A part is one node of a kernel: any pairwise function of points that depends
// on hyperparameters. Parts hold indices into the whole hyperparameter vector,
// so that two parts may share one and composition needs no bookkeeping.
type part interface {
	bind(theta []float64, y *points.Set) rows
}

// rows is a part bound to hyperparameters and reference points; the methods
// are those of Cov.
type rows interface {
	row(dst []float64, x *points.Set, i, lo int)
	pull(dtheta, dx, w []float64, x *points.Set, i, lo int)
}

func (f *composed) Params() []Param { return f.params }

func (f *composed) Bind(theta []float64, y *points.Set) Cov {
	if len(theta) != len(f.params) {
		panic(fmt.Sprintf("kernels: %d hyperparameters given, %d needed", len(theta), len(f.params)))
	}
	if y.Dim() < f.dim {
		panic(fmt.Sprintf("kernels: points have %d coordinates, %d needed", y.Dim(), f.dim))
	}
	theta = append([]float64(nil), theta...)
	return &bound{f, theta, y, f.root.bind(theta, y)}
}

// NeedsFlip reports whether the kernel asks for the spectrum flip of its training
// matrix ("icocor"): it is indefinite for some hyperparameters, and the model
// should use U|Λ|Uᵀ in place of UΛUᵀ.
func NeedsFlip(k Kernel) bool {
	f, ok := k.(interface{ NeedsFlip() bool })
	return ok && f.NeedsFlip()
}

func (f *composed) NeedsFlip() bool { return f.flip }

type bound struct {
	*composed
	theta []float64
	y     *points.Set
	rows  rows
}

var _ Cov = (*bound)(nil)

func (b *bound) Row(dst []float64, x *points.Set, i, lo int) { b.rows.row(dst, x, i, lo) }

func (b *bound) Pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	b.rows.pull(dtheta, dx, w, x, i, lo)
}

func (b *bound) With(y *points.Set) Cov {
	return &bound{b.composed, b.theta, y, b.root.bind(b.theta, y)}
}
