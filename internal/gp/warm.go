package gp

import "math"

// relative is the prefix of warm-start names whose values do not depend on the
// scale of the objective.
const relative = "relative."

// warmTheta reads the starting point of an earlier fit; nil where it names none
// of the hyperparameters.
func (p *problem) warmTheta(warm map[string]float64, u Units) []float64 {
	theta, found := p.initial(), false
	for i, q := range p.params {
		v, ok := warm[relative+q.Name]
		if !ok {
			if v, ok = warm[q.Name]; ok {
				v = p.dimension(i).standard(v, u)
			}
		}
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) || q.Lo == q.Hi && q.Choices == 0 {
			continue
		}
		if q.Choices > 0 {
			if v != math.Trunc(v) || v < 0 || v >= float64(q.Choices) {
				continue
			}
			theta[i] = v
		} else {
			theta[i] = min(max(v, q.Lo), q.Hi)
		}
		found = true
	}
	if !found {
		return nil
	}
	return theta
}

// dimension says how entry i of theta scales with the objective.
func (p *problem) dimension(i int) dimension {
	switch {
	case i < p.kernelParams:
		return dimensionOf(p.params[i])
	case i == p.noiseAt() && p.kriging:
		return plain
	case i == p.meanAt():
		return location
	case i == p.signalAt() && p.params[i].Lo == p.params[i].Hi && p.weighted():
		return plain
	}
	return variance
}

func (p *problem) weighted() bool {
	for _, q := range p.params[:p.kernelParams] {
		if q.Variance {
			return true
		}
	}
	return false
}
