package kernels

// Task multiplies a kernel made by New by the regularised Laplacian of the complete graph of
// studies, for points with the index of their study, 0…tasks−1, in coordinate coord. The
// hyperparameter task.beta comes last.
func Task(k Kernel, coord, tasks int) Kernel {
	f, ok := k.(*composed)
	if !ok {
		panic("kernels: Task needs a kernel made by New")
	}
	b := &builder{declared: &declared{append([]Param(nil), f.params...), map[string]int{}}}
	beta := b.positive("task.beta", 1e-6, 1e6, wideUnit)
	ax := axis{c: coord, levels: tasks, warpA: -1, warpB: -1}
	between := &modulated{factors: []factor{{
		axis: &ax, spectrum: completeSpectrum(tasks, 1, false),
		alpha: -1, beta: beta, inactive: -1, f: reciprocal{-1},
	}}}
	for k, q := range b.params {
		if q.Variance { // the task's own variance is theirs to make up
			b.params[k].Of = powers(nil).with(q.Of, 1).with(varianceOf(between), 1/float64(max(q.Degree, 1))).orOne()
		}
	}
	return &composed{params: b.params, root: product{f.root, between}, dim: max(f.dim, coord+1), flip: f.flip}
}
