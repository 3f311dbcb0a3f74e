package gp

import (
	"math"
	"slices"

	"bohier/internal/kernels"
)

// A weight of a kernel that is not 1 on its diagonal (kernels.Param.Of) is fitted as the
// variance that it gives: bounds, prior and initial value are those of its product with the mean variance of the
// multiplied kernel, which other hyperparameters decide. A theta holds the weights themselves. A mean variance depends
// on no weight that is declared later.

// relativeAt reports whether a hyperparameter is fitted like that.
func relativeAt(q kernels.Param) bool { return q.Of != nil && q.Lo < q.Hi }

// declared are the initial values, variances in place of weights.
func declared(params []kernels.Param) []float64 {
	theta := make([]float64, len(params))
	for i, q := range params {
		if theta[i] = q.Init; q.Choices == 0 {
			theta[i] = min(max(q.Init, q.Lo), q.Hi)
		}
	}
	return theta
}

// toWeights turns the variances in theta into weights, or takes the weights that are given, within their bounds.
func toWeights(params []kernels.Param, theta []float64, given map[int]float64) {
	for i, q := range params {
		if !relativeAt(q) {
			continue
		}
		mean := math.Exp(q.Of(theta, nil, 0))
		if w, ok := given[i]; ok {
			theta[i] = min(max(w*mean, q.Lo), q.Hi)
		}
		theta[i] /= mean
	}
}

// fitted is entry i of theta as it is fitted: the variance that a weight gives.
func fitted(params []kernels.Param, theta []float64, i int) float64 {
	if q := params[i]; relativeAt(q) {
		return theta[i] * math.Exp(q.Of(theta, nil, 0))
	}
	return theta[i]
}

// holdVariances turns a gradient that holds the weights while other hyperparameters move
// into one that holds the variances.
func holdVariances(params []kernels.Param, theta, grad []float64) {
	for i, q := range slices.Backward(params) {
		if relativeAt(q) {
			q.Of(theta, grad, -grad[i]*theta[i])
		}
	}
}

// atInitial are the declarations of the weights themselves, at the initial values of all other hyperparameters.
func atInitial(params []kernels.Param) []kernels.Param {
	out, theta := slices.Clone(params), declared(params)
	toWeights(params, theta, nil)
	for i, q := range params {
		if !relativeAt(q) {
			continue
		}
		l := q.Of(theta, nil, 0)
		mean, p := math.Exp(l), &out[i]
		p.Of, p.Init, p.Lo, p.Hi = nil, theta[i], q.Lo/mean, q.Hi/mean
		if prior, ok := q.Prior.(kernels.LogNormal); ok {
			p.Prior = kernels.LogNormal{Mu: prior.Mu - l, Sigma: prior.Sigma}
		}
	}
	return out
}
