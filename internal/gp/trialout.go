package gp

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// TrialOut is how well a trial's row of highest resource is predicted without any of
// the trial's rows.
type TrialOut struct {
	Row        int     // among the model's points
	Resource   float64 // of the row
	Mean, Std  float64 // of the observation, in the units of y
	LogDensity float64 // of it, in those units
}

// LeaveTrialsOut predicts from all other trials the row of highest resource of every
// trial, with the hyperparameters kept: with B the rows of a trial, C = ([T⁻¹]_BB)⁻¹,
// the residual is C·α_B and its covariance C. Coordinates resource and resource+1 are
// those of kernels.Fidelity.
func (m *Model) LeaveTrialsOut(resource int) []TrialOut {
	n := m.x.Len()
	inverse := newMatrix(n)
	m.l.inverseTransposed(inverse)
	rows := map[float64][]int{}
	var order []float64
	for i := range n {
		if !m.x.Active(resource+1, i) {
			continue
		}
		t := m.x.At(resource+1, i)
		if rows[t] == nil {
			order = append(order, t)
		}
		rows[t] = append(rows[t], i)
	}
	out := make([]TrialOut, 0, len(order))
	for _, t := range order {
		b := rows[t]
		k, top := len(b), 0
		precision := blas64.Symmetric{Uplo: blas.Lower, N: k, Stride: k, Data: make([]float64, k*k)}
		for i, bi := range b {
			if m.x.At(resource, bi) > m.x.At(resource, b[top]) {
				top = i
			}
			for j := range i + 1 { // [T⁻¹]_ij is the product of rows of L⁻ᵀ from the later on
				from := max(bi, b[j])
				precision.Data[i*k+j] = blas64.Dot(vector(inverse.row(bi)[from:]), vector(inverse.row(b[j])[from:]))
			}
		}
		root, ok := lapack64.Potrf(precision)
		if !ok {
			continue
		}
		solve := func(v []float64) {
			blas64.Trsv(blas.NoTrans, root, vector(v))
			blas64.Trsv(blas.Trans, root, vector(v))
		}
		residual, unit := make([]float64, k), make([]float64, k)
		for i, bi := range b {
			residual[i] = m.alpha[bi]
		}
		unit[top] = 1
		solve(residual)
		solve(unit)
		miss, v := residual[top], unit[top]
		out = append(out, TrialOut{
			Row: b[top], Resource: m.x.At(resource, b[top]),
			Mean: m.units.Value(m.y[b[top]] - miss), Std: m.units.Deviation(math.Sqrt(v)),
			LogDensity: -(halfLog2Pi + math.Log(v)/2 + miss*miss/(2*v)) - m.units.logScale(),
		})
	}
	return out
}

// Value is the observed value of a point of the model, in the units of y.
func (m *Model) Value(row int) float64 { return m.units.Value(m.y[row]) }
