package kernels

import (
	"fmt"
	"slices"

	"bohier/internal/points"
)

// composed is the Kernel that New makes: a declaration of hyperparameters and a tree of parts that index into it.
type composed struct {
	params []Param
	root   part
	dim    int // number of coordinates the kernel was built for
	flip   bool
	mean   Variance // its own, nil: 1
	trend  *Trend   // of Fidelity; nil: none
	again  remake
}

// A remake adds the hyperparameters of a root, whose names begin with a prefix, to all, and returns the root.
type remake func(prefix string, all *declared) part

// compose is the kernel with a root of so many coordinates.
func compose(dim int, flip bool, again remake) *composed {
	all := &declared{index: map[string]hyper{}}
	root := again("", all)
	return &composed{params: all.params, root: root, dim: dim, flip: flip, mean: varianceOf(root), again: again}
}

// A part is one node of a kernel: any pairwise function of points that depends on hyperparameters. Parts hold indices
// into the whole hyperparameter vector, so that two parts may share one and composition needs no bookkeeping.
type part interface {
	bind(theta []float64, y *reference) rows
}

// A reference is the reference points and the distances to them, in the order in which they are
// bound: parts that do not depend on hyperparameters stay when they are bound again.
type reference struct {
	*points.Set
	distances []*boundDistance
	columns   []*boundAxis // of the distances, which share them
	next      int          // the distance that is bound next
}

// column is an axis of the points.
func (y *reference) column(a *axis) *boundAxis {
	for _, col := range y.columns {
		if col.axis.same(a) {
			return col
		}
	}
	y.columns = append(y.columns, a.over(y.Set))
	return y.columns[len(y.columns)-1]
}

// rows is a part bound to hyperparameters and reference points; the methods
// are those of Cov. A weight of pullGram right of the diagonal is 0.
type rows interface {
	row(dst []float64, x *points.Set, i, lo int)
	pull(dx, w []float64, x *points.Set, i, lo int)
	gram(dst lower, tape *Tape)
	pullGram(dtheta []float64, w lower, tape *Tape)
}

func (f *composed) Params() []Param { return f.params }

func (f *composed) Bind(theta []float64, y *points.Set) Cov {
	if len(theta) != len(f.params) {
		panic(fmt.Sprintf("kernels: %d hyperparameters given, %d needed", len(theta), len(f.params)))
	}
	if y.Dim() < f.dim {
		panic(fmt.Sprintf("kernels: points have %d coordinates, %d needed", y.Dim(), f.dim))
	}
	at, over := slices.Clone(theta), &reference{Set: y}
	return &bound{composed: f, theta: at, y: over, rows: f.root.bind(at, over)}
}

func (b *bound) Rebind(theta []float64) {
	copy(b.theta, theta)
	b.y.next = 0
	b.rows = b.root.bind(b.theta, b.y)
}

func (f *composed) NeedsFlip() bool { return f.flip }

func (f *composed) MeanVariance() Variance { return f.mean }

func (f *composed) UniformVariance() bool { return uniformVariance(f.root) }

func (f *composed) Trend() *Trend { return f.trend }

type bound struct {
	*composed
	theta []float64
	y     *reference
	rows  rows
}

func (b *bound) Row(dst []float64, x *points.Set, i, lo int) { b.rows.row(dst, x, i, lo) }

func (b *bound) Pull(dx, w []float64, x *points.Set, i, lo int) { b.rows.pull(dx, w, x, i, lo) }

func (b *bound) With(y *points.Set) Cov { return b.Bind(b.theta, y) }

// Task multiplies a kernel made by New by the regularised Laplacian of the complete graph of studies, for points with
// the index of their study, 0…tasks−1, in coordinate coord. The hyperparameter task.beta comes last.
func Task(k Kernel, coord, tasks int) Kernel {
	f := k.(*composed)
	ax := axis{c: coord, levels: tasks, warpA: -1, warpB: -1}
	return compose(max(f.dim, coord+1), f.flip, func(prefix string, all *declared) part {
		from := len(all.params)
		root := f.again(prefix, all)
		b := &builder{prefix: prefix, declared: all}
		between := &modulated{factors: []factor{{
			axis: &ax, spectrum: completeSpectrum(tasks, 1, false),
			delta: -1, alpha: -1, beta: b.positive("task.beta", 1e-6, 1e6, wideUnit), inactive: -1, f: reciprocal{},
		}}}
		for k, q := range all.params[from:] {
			if q.Variance { // the task's own variance is theirs to make up
				all.params[from+k].Of = q.Of.times(varianceOf(between), 1)
			}
		}
		return product{root, between}
	})
}
