package gp

import (
	"encoding/binary"
	"hash/fnv"
	"math"
)

// relative is the prefix of warm-start names whose values do not depend on the
// scale of the objective.
const relative = "relative."

// SameData is the name in Report.Warm of a checksum of what the hyperparameters were
// fitted to. A caller who leaves it out of Options.Warm has them fitted again.
const SameData = "data"

// sum is a checksum of what decides a fit: the standardised data, and the hyperparameters
// with their ranges. It is a whole number below 2⁵³.
func (p *problem) sum() float64 {
	h := fnv.New64a()
	var b [8]byte
	number := func(v float64) {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		h.Write(b[:])
	}
	for _, list := range [][]float64{p.y, p.known, p.count, p.of, p.ss} {
		number(float64(len(list)))
		for _, v := range list {
			number(v)
		}
	}
	for c := range p.x.Dim() {
		for i := range p.x.Len() {
			if p.x.Active(c, i) {
				number(p.x.At(c, i))
			} else {
				number(math.NaN())
			}
		}
	}
	for _, q := range p.params {
		h.Write([]byte(q.Name))
		number(q.Lo)
		number(q.Hi)
		number(q.Init)
	}
	return float64(h.Sum64() & (1<<53 - 1))
}

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
