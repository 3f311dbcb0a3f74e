package gp

import (
	"fmt"
	"math"
)

// A Transform is an increasing map applied to objective values before they are modelled.
type Transform interface {
	Name() string
	// Forward maps an objective value to the modelled scale.
	Forward(y float64) float64
	// Inverse maps a modelled value back.
	Inverse(z float64) float64
	// LogSlope is ln d Forward/dy, the Jacobian that makes densities of different transforms comparable.
	LogSlope(y float64) float64
}

// transformNames lists the names that NewTransform accepts.
func transformNames() []string {
	return []string{"none", "log", "power", "copula", "halfrank"}
}

// NewTransform returns the named transform for observations y, which are to be minimised: "none", "log" (needs values
// of one sign; of −y where all are negative), "power" (Yeo & Johnson 2000, its exponent by maximum likelihood) "copula"
// (rank to Gaussian, winsorised; Salinas, Shen & Perrone 2020) or "halfrank" (the worse half by its ranks; Song et al.
// 2024, arXiv:2408.11527).
func NewTransform(name string, y []float64) (Transform, error) {
	switch name {
	case "", "none":
		return Untransformed{}, nil
	case "log":
		return newLogarithm(y)
	case "power":
		return newPower(y), nil
	case "copula":
		return newCopula(y), nil
	case "halfrank":
		return newHalfRank(y), nil
	}
	return nil, fmt.Errorf("gp: unknown transform %q, want one of %v", name, transformNames())
}

// reach is how far values are assumed to go, where a transform fitted to values between lo and hi cannot decide: as far
// again. The tail of a prediction just beyond the worst value would otherwise be mapped to millions of times that.
func reach(lo, hi float64) (least, most float64) { return lo - (hi - lo), hi + (hi - lo) }

// ForwardDeviation is the standard deviation on the modelled scale of a value y of deviation sd: half of the way from y
// − sd to y + sd, or that of one side where the other lies outside the transform's range. It is finite.
func ForwardDeviation(t Transform, y, sd float64) float64 {
	if t.Name() == "none" {
		return sd
	}
	at := t.Forward(y)
	usable := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	up, down := t.Forward(Clamped(y+sd))-at, at-t.Forward(Clamped(y-sd))
	switch {
	case usable(up) && usable(down):
		return up/2 + down/2
	case usable(up):
		return up
	case usable(down):
		return down
	}
	return math.MaxFloat64
}

// Untransformed leaves values as they are.
type Untransformed struct{}

func (Untransformed) Name() string               { return "none" }
func (Untransformed) Forward(y float64) float64  { return y }
func (Untransformed) Inverse(z float64) float64  { return z }
func (Untransformed) LogSlope(y float64) float64 { return 0 }

// logarithm is ln y, or −ln(−y) for negative values (a maximised positive objective).
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
