package zaefferer

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"bohier/internal/gp"
	"bohier/internal/kernels"
	"bohier/internal/points"
)

// batch is the number of test points that are repaired with the training points at
// once. The repair, and so the prediction, depends on it.
const batch = 100

// augment predicts like the authors' library (CEGO 2.4, with repair): the correlation
// matrix of training and test points together is flipped and scaled to a unit diagonal,
// and the correlations between both are taken from it. Hyperparameters are those of our
// fit.
func (m Model) augment(rep *gp.Report, x *points.Set, y []float64, q *points.Set, mean []float64) error {
	k, err := kernels.New(m.spec(), coords(true))
	if err != nil {
		return err
	}
	var theta []float64
	for _, p := range k.Params() {
		theta = append(theta, rep.Hyper[p.Name])
	}
	n := x.Len()
	train, err := repaired(k, theta, x)
	if err != nil {
		return err
	}
	for i := range n {
		train.SetSym(i, i, train.At(i, i)+rep.Hyper["nugget"])
	}
	var chol mat.Cholesky
	if !chol.Factorize(train) {
		return errors.New("the repaired matrix is not positive definite")
	}
	one, alpha, gone := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		one.SetVec(i, 1)
	}
	targets := mat.NewVecDense(n, append([]float64(nil), y...))
	if err := errors.Join(chol.SolveVecTo(gone, one), chol.SolveVecTo(alpha, targets)); err != nil {
		return err
	}
	mu := mat.Dot(one, alpha) / mat.Dot(one, gone)
	alpha.AddScaledVec(alpha, -mu, gone)
	for lo := 0; lo < q.Len(); lo += batch {
		hi := min(lo+batch, q.Len())
		all, err := repaired(k, theta, points.Concat(x, q.Slice(lo, hi)))
		if err != nil {
			return err
		}
		for i := lo; i < hi; i++ {
			mean[i] = mu
			for j := range n {
				mean[i] += all.At(n+i-lo, j) * alpha.AtVec(j)
			}
		}
	}
	return nil
}

// repaired is the correlation matrix of x, flipped and scaled to a unit diagonal where
// it has a negative eigenvalue.
func repaired(k kernels.Kernel, theta []float64, x *points.Set) (*mat.SymDense, error) {
	n := x.Len()
	out, row := mat.NewSymDense(n, nil), make([]float64, n)
	cov := k.Bind(theta, x)
	for i := range n {
		cov.Row(row, x, i, 0)
		for j := i; j < n; j++ {
			out.SetSym(i, j, row[j])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(out, true) {
		return nil, errors.New("no eigenvalues found")
	}
	lambda := e.Values(nil)
	if lambda[0] >= 0 {
		return out, nil
	}
	var u, scaled, flipped mat.Dense
	e.VectorsTo(&u)
	scaled.Apply(func(_, j int, v float64) float64 { return v * math.Abs(lambda[j]) }, &u)
	flipped.Mul(&scaled, u.T())
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, flipped.At(i, j)/math.Sqrt(flipped.At(i, i)*flipped.At(j, j)))
		}
	}
	return out, nil
}
