package kernels

import "bohier/internal/points"

// radial is κ(√D²).
type radial struct {
	base  string
	alpha int // hyperparameter of rq, −1 for the others
	part  part
}

type boundRadial struct {
	*radial
	kappa profile
	inner rows
	y     *points.Set
	work  []float64
}

func (r *radial) bind(theta []float64, y *points.Set) rows {
	alpha := 0.0
	if r.alpha >= 0 {
		alpha = theta[r.alpha]
	}
	return &boundRadial{r, newProfile(r.base, alpha), r.part.bind(theta, y), y, make([]float64, y.Len())}
}

func (b *boundRadial) row(dst []float64, x *points.Set, i, lo int) {
	b.inner.row(dst, x, i, lo)
	b.kappa.apply(dst)
}

func (b *boundRadial) pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	q := b.work[:len(w)]
	b.inner.row(q, x, i, lo)
	dalpha := b.kappa.slope(q, w)
	if dtheta != nil && b.alpha >= 0 {
		dtheta[b.alpha] += dalpha
	}
	b.inner.pull(dtheta, dx, q, x, i, lo)
}
