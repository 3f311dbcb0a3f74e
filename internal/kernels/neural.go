package kernels

import (
	"math"

	"bohier/internal/points"
)

// neural is the neural network kernel (Williams 1998; Rasmussen & Williams 2006,
// Eq. 4.29) k = (2/π) arcsin(2c̃ᵀΣc̃′/√((1 + 2c̃ᵀΣc̃)(1 + 2c̃′ᵀΣc̃′))) with
// c̃ = (1, c), c = 2u − 1, Σ diagonal. An inactive parameter has c = 0.
type neural struct {
	axes  []axis
	sigma []hyper // diagonal of Σ, one per axis
	bias  hyper   // its first entry
}

type boundNeural struct {
	*neural
	y     *points.Set
	theta []float64
	cols  []*boundAxis
	c     [][]float64 // centred coordinates of the reference points
	xc    []float64
	b     []float64 // 1 + 2c̃ᵀΣc̃
	r, g  []float64
}

func (k *neural) bind(theta []float64, y *reference) rows {
	n := y.Len()
	b := &boundNeural{
		neural: k, y: y.Set, theta: theta, xc: make([]float64, len(k.axes)),
		b: make([]float64, n), r: make([]float64, n), g: make([]float64, n),
	}
	fill(b.b, 1+2*theta[k.bias])
	for d := range k.axes {
		col := k.axes[d].bind(theta, y)
		c := make([]float64, n)
		for t, u := range col.u {
			if col.on == nil || col.on[t] == 1 {
				c[t] = 2*u - 1
			}
			b.b[t] += 2 * theta[k.sigma[d]] * c[t] * c[t]
		}
		b.cols, b.c = append(b.cols, col), append(b.c, c)
	}
	return b
}

// cosines sets r to the argument of the arcsine and returns 1 + 2c̃ᵀΣc̃ of x.
func (b *boundNeural) cosines(r []float64, x *points.Set, i, lo int) float64 {
	bias := 2 * b.theta[b.bias]
	fill(r, bias)
	bx := 1 + bias
	for d, col := range b.cols {
		col.load(x, i)
		b.xc[d] = (2*col.x - 1) * col.xOn
		s := 2 * b.theta[b.sigma[d]] * b.xc[d]
		bx += s * b.xc[d]
		c := b.c[d][lo : lo+len(r)]
		for t := range r {
			r[t] += s * c[t]
		}
	}
	for t := range r {
		r[t] = min(max(r[t]/math.Sqrt(bx*b.b[lo+t]), -1), 1) // rounding may lead beyond
	}
	return bx
}

func (b *boundNeural) row(dst []float64, x *points.Set, i, lo int) {
	b.cosines(dst, x, i, lo)
	for t, r := range dst {
		dst[t] = 2 / math.Pi * math.Asin(r)
	}
}

func (b *boundNeural) pull(dx, w []float64, x *points.Set, i, lo int) {
	b.gradient(nil, dx, w, x, i, lo)
}

func (b *boundNeural) gram(dst lower, _ *Tape) { rowByRow(b, dst, b.y) }

func (b *boundNeural) pullGram(dtheta []float64, w lower, _ *Tape) {
	for i := range w.n {
		b.gradient(dtheta, nil, w.row(i)[:i+1], b.y, i, 0)
	}
}

// gradient adds that by the hyperparameters to dtheta, for reference point i, and that by the coordinates to dx. One of
// the two is nil.
func (b *boundNeural) gradient(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	r, g := b.r[:len(w)], b.g[:len(w)]
	bx := b.cosines(r, x, i, lo)
	by := b.b[lo : lo+len(w)]
	// ∂r = ∂A/√(BB′) − ½ r (∂B/B + ∂B′/B′), A = 2c̃ᵀΣc̃′.
	sum := 0.0
	for t, v := range r {
		g[t] = w[t] * 2 / math.Pi / math.Sqrt(1-v*v)
		sum += g[t] * (2/math.Sqrt(bx*by[t]) - v*(1/bx+1/by[t]))
	}
	if dtheta != nil {
		dtheta[b.bias] += sum
	}
	for d, col := range b.cols {
		s, xc, c := b.theta[b.sigma[d]], b.xc[d], b.c[d][lo:lo+len(w)]
		var dsigma, move, da, db float64
		for t, v := range r {
			root := 2 / math.Sqrt(bx*by[t])
			dsigma += g[t] * (root*xc*c[t] - v*(xc*xc/bx+c[t]*c[t]/by[t]))
			move += g[t] * s * (root*c[t] - 2*v*xc/bx)
			if col.ua != nil {
				back := g[t] * s * (root*xc - 2*v*c[t]/by[t])
				da += back * col.ua[lo+t]
				db += back * col.ub[lo+t]
			}
		}
		if dx != nil {
			dx[col.axis.c] += 2 * move * col.xOn * col.du()
		}
		if dtheta != nil {
			dtheta[b.sigma[d]] += dsigma
			if col.ua != nil {
				dtheta[col.axis.warpA] += 2 * (da + move*col.ua[i])
				dtheta[col.axis.warpB] += 2 * (db + move*col.ub[i])
			}
		}
	}
}
