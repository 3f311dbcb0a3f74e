package gp

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// Omitting predicts the latent value at every point of q without the observations of one trial each beyond a resource,
// as kernels.Fidelity sees them, for every resource in above (0: all observations of the trial). The hyperparameters
// are kept: with B those rows, A = T⁻¹ and w = A·cov(X, q), the mean is less by w_Bᵀ·(A_BB)⁻¹·α_B and the variance more
// by w_Bᵀ·(A_BB)⁻¹·w_B. Coordinates resource and resource+1 are those of kernels.Fidelity. Means and variances are
// standardised; they are by resource and point.
func (m *Model) Omitting(q *points.Set, resource int, trials, above []float64) (means, variances [][]float64) {
	n, count := m.x.Len(), q.Len()
	p := m.Standard()
	mean, variance := make([]float64, count), make([]float64, count)
	w := make([]float64, count*n)
	p.rows(p.within(q), w, [][]float64{mean}, variance, q)
	p.solveBlock(byRows(n, w))
	inverse := newMatrix(n)
	m.l.inverseTransposed(inverse)
	rows := m.Trials(resource + 1)
	for range above {
		means, variances = append(means, slices.Clone(mean)), append(variances, slices.Clone(variance))
	}
	for i := range count {
		row := w[i*n : (i+1)*n]
		known := m.a * m.a * floats.Dot(row, row)
		own := rows[trials[i]]
		if len(own) > 0 {
			m.l.solveTransposed(row, own[0])
		}
		for k := range above {
			b := slices.DeleteFunc(slices.Clone(own), func(j int) bool { return m.x.At(resource, j) <= above[k] })
			variances[k][i] -= known
			if root, ok := inverse.block(b); ok {
				alpha, weight := lists.At(m.alpha, b), lists.Of(b, func(j int) float64 { return m.a * row[j] })
				blas64.Trsv(blas.NoTrans, root, vector(alpha))
				blas64.Trsv(blas.NoTrans, root, vector(weight))
				means[k][i] -= floats.Dot(weight, alpha)
				variances[k][i] += floats.Dot(weight, weight)
			}
			variances[k][i] = max(0, variances[k][i])
		}
	}
	return means, variances
}

// Trials are the rows of the model by their trial, a coordinate, in ascending order.
func (m *Model) Trials(coord int) map[float64][]int {
	out := map[float64][]int{}
	for j := range m.x.Len() {
		if m.x.Active(coord, j) {
			t := m.x.At(coord, j)
			out[t] = append(out[t], j)
		}
	}
	return out
}

// block is the Cholesky factor of the rows and columns b of T⁻¹, where s is L⁻ᵀ, T = LLᵀ; ok is false for none.
func (s matrix) block(b []int) (root blas64.Triangular, ok bool) {
	k := len(b)
	if k == 0 {
		return root, false
	}
	precision := newMatrix(k).symmetric()
	for i, bi := range b {
		for j := range i + 1 { // an entry of T⁻¹ is the product of rows of L⁻ᵀ from the later on
			from := max(bi, b[j])
			precision.Data[i*k+j] = floats.Dot(s.row(bi)[from:], s.row(b[j])[from:])
		}
	}
	return factorised(precision)
}

// TrialOut is how well a trial's row of highest resource is predicted without any of the trial's rows.
type TrialOut struct {
	Row        int     // among the model's points
	Resource   float64 // of the row
	Mean, Std  float64 // of the observation, in the units of y
	LogDensity float64 // of it, in those units
}

// LeaveTrialsOut predicts from all other trials the row of highest resource of every trial, with the hyperparameters
// kept: with B the rows of a trial, C = ([T⁻¹]_BB)⁻¹, the residual is C·α_B and its covariance C. Coordinates resource
// and resource+1 are those of kernels.Fidelity.
func (m *Model) LeaveTrialsOut(resource int) []TrialOut {
	inverse := newMatrix(m.x.Len())
	m.l.inverseTransposed(inverse)
	trials := slices.SortedFunc(maps.Values(m.Trials(resource+1)), func(a, b []int) int { return a[0] - b[0] })
	out := make([]TrialOut, 0, len(trials))
	for _, b := range trials {
		k, top := len(b), 0
		for i, bi := range b {
			if m.x.At(resource, bi) > m.x.At(resource, b[top]) {
				top = i
			}
		}
		root, ok := inverse.block(b)
		if !ok {
			continue
		}
		solve := func(v []float64) {
			blas64.Trsv(blas.NoTrans, root, vector(v))
			blas64.Trsv(blas.Trans, root, vector(v))
		}
		residual, unit := lists.At(m.alpha, b), make([]float64, k)
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
