package gp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
)

// droppedEigenvalue is the magnitude below which a spectrum flip drops an
// eigenvalue of the matrix (Zaefferer & Bartz-Beielstein 2016, doi:10.1007/978-3-319-45823-6_7, keep
// them all; an eigenvalue of that size carries only rounding).
const droppedEigenvalue = 1e-8

// A spectrumFlip repairs an indefinite kernel matrix K = UΛU' by spectrum flip: U|Λ|U' = T·K with T = U·sign(Λ)·U'.
type spectrumFlip struct {
	n      int
	u      blas64.General // eigenvectors in columns
	lambda []float64
	a, b   blas64.General
	work   []float64
}

func newSpectrumFlip(n int) *spectrumFlip {
	square := func() blas64.General { return byRows(n, make([]float64, n*n)) }
	f := &spectrumFlip{n: n, u: square(), a: square(), b: square(), lambda: make([]float64, n)}
	size := []float64{0}
	lapacke.Dsyev(lapack.EVCompute, blas.Lower, n, f.u.Data, max(n, 1), f.lambda, size, -1)
	f.work = make([]float64, int(size[0]))
	return f
}

// decompose finds U and Λ of the lower triangle of k.
func (f *spectrumFlip) decompose(k []float64) bool {
	copy(f.u.Data, k)
	return lapacke.Dsyev(lapack.EVCompute, blas.Lower, f.n, f.u.Data, max(f.n, 1), f.lambda, f.work, len(f.work))
}

// apply replaces the lower triangle of k by that of U|Λ|U'.
func (f *spectrumFlip) apply(k []float64) {
	n := f.n
	if !f.decompose(k) {
		return // the factorisation rejects the matrix
	}
	f.compose(f.a, f.magnitude)
	for i := range n {
		copy(k[i*n:i*n+i+1], f.a.Data[i*n:i*n+i+1])
	}
}

func (f *spectrumFlip) magnitude(l float64) float64 {
	if math.Abs(l) < droppedEigenvalue {
		return 0
	}
	return math.Abs(l)
}

// transform is T, which maps cross-covariances to those of the flipped matrix. It keeps the sign of every eigenvalue.
func (f *spectrumFlip) transform() blas64.General {
	dst := byRows(f.n, make([]float64, f.n*f.n))
	f.compose(dst, func(l float64) float64 { return math.Copysign(1, l) })
	return dst
}

// compose sets dst = U·diag(g(Λ))·U'.
func (f *spectrumFlip) compose(dst blas64.General, g func(float64) float64) {
	n := f.n
	for i := range n {
		for j := range n {
			f.b.Data[i*n+j] = f.u.Data[i*n+j] * g(f.lambda[j])
		}
	}
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, f.b, f.u, 0, dst)
}

// root replaces z, standard normal, by a draw of covariance U·max(Λ, 0)·U'.
func (f *spectrumFlip) root(z []float64) {
	for i, l := range f.lambda {
		z[i] *= math.Sqrt(max(l, 0))
	}
	v := slices.Clone(z)
	blas64.Gemv(blas.NoTrans, 1, f.u, vector(v), 0, vector(z))
}

// pull turns weights on the flipped matrix into weights on the original one: by Daleckii & Krein, d(U|Λ|U') = U(F ∘
// U'dKU)U' with F the divided differences of the magnitude. Both are lower triangles with doubled off-diagonal entries.
func (f *spectrumFlip) pull(w []float64) {
	n := f.n
	for i := range n {
		for j := range i {
			f.a.Data[i*n+j] = w[i*n+j] / 2
			f.a.Data[j*n+i] = w[i*n+j] / 2
		}
		f.a.Data[i*n+i] = w[i*n+i]
	}
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, f.u, f.a, 0, f.b)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, f.b, f.u, 0, f.a)
	for i := range n {
		for j := range n {
			li, lj := f.lambda[i], f.lambda[j]
			var d float64
			if i == j || li == lj {
				d = math.Copysign(1, li)
				if math.Abs(li) < droppedEigenvalue {
					d = 0
				}
			} else {
				d = (f.magnitude(li) - f.magnitude(lj)) / (li - lj)
			}
			f.a.Data[i*n+j] *= d
		}
	}
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, f.u, f.a, 0, f.b)
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, f.b, f.u, 0, f.a)
	for i := range n {
		for j := range i {
			w[i*n+j] = f.a.Data[i*n+j] + f.a.Data[j*n+i]
		}
		w[i*n+i] = f.a.Data[i*n+i]
	}
}

// flipAnew sets the factors and the transformation of a model by spectrum flip
// whose last points have no noise yet, with as much jitter as it takes.
func (m *Model) flipAnew(noise float64) bool {
	n := m.x.Len()
	flip, k, diag := newSpectrumFlip(n), newMatrix(n), make([]float64, n)
	fillTriangle(k, m.bind(m.x), m.x, diag)
	scale := 0.0
	for i := range n {
		scale += k.row(i)[i] / float64(n)
	}
	flip.apply(k.data)
	m.flip = &flipped{flip.transform(), slices.Clone(m.flip.noise)}
	for len(m.flip.noise) < n {
		m.flip.noise = append(m.flip.noise, noise)
	}
	factor := func(a float64, noise func(i int) float64) (matrix, bool) {
		for _, jitter := range jitterLadder {
			f := newMatrix(n)
			for i := range n {
				row := f.row(i)[:i+1]
				for j, v := range k.row(i)[:i+1] {
					row[j] = a * v
				}
				row[i] += noise(i) + jitter*a*scale
			}
			if f.factor() {
				return f, true
			}
		}
		return matrix{}, false
	}
	var ok bool
	m.l, ok = factor(m.a, func(i int) float64 { return m.flip.noise[i] })
	if m.f = m.l; ok && m.reinterp {
		m.f, ok = factor(1, func(int) float64 { return 0x1p-52 * scale })
	}
	return ok
}
