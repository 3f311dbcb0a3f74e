package runner

import (
	"math"
	"slices"

	"bohier/internal/kernels"
	"bohier/internal/space"
	"bohier/internal/surrogate"
)

// A LevelCorrelation is how closely the model of curves ties the value of a trial at a level
// to its value at full resource.
type LevelCorrelation struct{ Resource, Correlation float64 }

// correlations are those of all levels, by the hyperparameters of a fit; nil where it knows
// no resources. Kernels may differ from place to place: they are those at c.
func (a *Analysis) correlations(c space.Configuration) []LevelCorrelation {
	if !a.Resources() {
		return nil
	}
	st, f := a.study, &a.study.Fidelity
	kernel := surrogate.FidelityKernel(st, a.Inner, a.Spec.Fidelity)
	n := len(f.Levels)
	x := st.Space.EncodeAll(slices.Repeat([]space.Configuration{c}, n)).Extend(0).Extend(0)
	at, trial := x.Col(x.Dim()-2), x.Col(x.Dim()-1)
	for k, r := range f.Levels {
		at[k], trial[k] = r/f.High(), 1
	}
	cov := kernel.Bind(thetaOf(kernel, a.Report.Hyper), x)
	var end float64 // the variance at full resource
	out, row := make([]LevelCorrelation, n), make([]float64, n)
	for k := n - 1; k >= 0; k-- {
		cov.Row(row, x, k, 0)
		if k == n-1 {
			end = row[k]
		}
		out[k] = LevelCorrelation{f.Levels[k], row[n-1] / math.Sqrt(row[k]*end)}
	}
	return out
}

// thetaOf are a kernel's hyperparameters by their names.
func thetaOf(k kernels.Kernel, hyper map[string]float64) []float64 {
	theta := make([]float64, len(k.Params()))
	for i, p := range k.Params() {
		theta[i] = hyper[p.Name]
	}
	return theta
}
