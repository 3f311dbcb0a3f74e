package gp

import (
	"context"
	"fmt"
	"math"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A Transform is an increasing map applied to objective values before they are
// modelled.
type Transform interface {
	Name() string
	// Forward maps an objective value to the modelled scale.
	Forward(y float64) float64
	// Inverse maps a modelled value back.
	Inverse(z float64) float64
	// LogSlope is ln d Forward/dy, the Jacobian that makes densities of
	// different transforms comparable.
	LogSlope(y float64) float64
}

// TransformNames lists what NewTransform accepts.
func TransformNames() []string { return []string{"none", "log", "power", "copula", "auto"} }

// NewTransform returns the named transform for observations y, which are to be
// minimised: "none", "log" (needs values of one sign; of −y where all are
// negative), "power" (Yeo & Johnson 2000, its exponent by maximum likelihood),
// "copula" (rank to Gaussian, winsorised; Salinas, Shen & Perrone 2020) or
// "auto", which takes the one of none and power under which y is most likely Gaussian. SelectTransform
// chooses by the surrogate instead.
func NewTransform(name string, y []float64) (Transform, error) {
	switch name {
	case "", "none":
		return identity{}, nil
	case "log":
		return newLogarithm(y)
	case "power":
		return newPower(y), nil
	case "copula":
		return newCopula(y), nil
	case "auto":
		best, at := Transform(identity{}), gaussianity(identity{}, y)
		for _, other := range []string{"power"} {
			if t, err := NewTransform(other, y); err == nil {
				// One nat is asked of each alternative: ties stay untransformed.
				if l := gaussianity(t, y); l > at+1 {
					best, at = t, l
				}
			}
		}
		return best, nil
	}
	return nil, fmt.Errorf("gp: unknown transform %q, want one of %v", name, TransformNames())
}

// SelectTransform chooses among none, log, power and copula by the leave-one-out
// density of the fitted surrogate, corrected with the Jacobian, on distinct
// points. The options' Params must be nil.
func SelectTransform(ctx context.Context, k kernels.Kernel, x *points.Set, y []float64, o Options) (Transform, error) {
	var best Transform = identity{}
	at := math.Inf(-1)
	for _, name := range []string{"none", "log", "power", "copula"} {
		t, err := NewTransform(name, y)
		if err != nil {
			continue
		}
		z := make([]float64, len(y))
		slope := 0.0
		for i, v := range y {
			z[i] = t.Forward(v)
			slope += t.LogSlope(v) / float64(len(y))
		}
		_, rep, err := Fit(ctx, k, x, z, o)
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			continue
		}
		// One nat in all is asked of each alternative: ties stay untransformed.
		if score := slope - rep.LOO.LogLoss; score > at+1/float64(len(y)) {
			best, at = t, score
		}
	}
	return best, nil
}

// gaussianity is the log likelihood of y when its transform is Gaussian.
func gaussianity(t Transform, y []float64) float64 {
	n := float64(len(y))
	mean, slope := 0.0, 0.0
	z := make([]float64, len(y))
	for i, v := range y {
		z[i] = t.Forward(v)
		mean += z[i] / n
		slope += t.LogSlope(v)
	}
	s := 0.0
	for _, v := range z {
		s += (v - mean) * (v - mean) / n
	}
	if !(s > 0) {
		return math.Inf(-1)
	}
	return slope - n/2*math.Log(s)
}

type identity struct{}

func (identity) Name() string               { return "none" }
func (identity) Forward(y float64) float64  { return y }
func (identity) Inverse(z float64) float64  { return z }
func (identity) LogSlope(y float64) float64 { return 0 }

// logarithm is ln y, or −ln(−y) for negative values (a maximised positive
// objective).
type logarithm struct{ sign float64 }

func newLogarithm(y []float64) (Transform, error) {
	t := logarithm{1}
	if len(y) > 0 && y[0] < 0 {
		t.sign = -1
	}
	for _, v := range y {
		if !(t.sign*v > 0) {
			return nil, fmt.Errorf("gp: transform log needs values of one sign, got %g", v)
		}
	}
	return t, nil
}

func (t logarithm) Name() string               { return "log" }
func (t logarithm) Forward(y float64) float64  { return t.sign * math.Log(t.sign*y) }
func (t logarithm) Inverse(z float64) float64  { return t.sign * math.Exp(t.sign*z) }
func (t logarithm) LogSlope(y float64) float64 { return -math.Log(math.Abs(y)) }
