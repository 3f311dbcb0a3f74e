package gp

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"
)

// relative is the prefix of warm-start names whose values do not depend on the scale of the objective.
const relative = "relative."

// A Warm is where a later fit starts.
type Warm struct {
	Hyper    map[string]float64 // by name, or by "relative." and the name, independent of the scale of y
	FittedTo FittedTo
}

// FittedTo identifies the data of a fit by checksums of 53 bits; zero if unknown.
type FittedTo struct {
	Observations int
	Params       uint64 // which hyperparameters there are
	Best         uint64 // where the best value is
	Data         uint64 // all that decides a fit: hyperparameters with their ranges, standardised data
}

// newBest is the part of Options.Refit that is enough growth where the best observation is another one.
const newBest = 0.25

// holds are the hyperparameters of Options.Warm where they need no fit: they were fitted to
// the very same data, or the data have hardly grown since. Else nil.
func (s *search) holds(now FittedTo) []float64 {
	before, enough := s.o.Warm.FittedTo, s.o.Refit
	if now.Best != before.Best {
		enough *= newBest
	}
	hardly := now.Observations > before.Observations && now.Params == before.Params &&
		float64(now.Observations) < float64(before.Observations)*(1+enough)
	if now.Data == before.Data || hardly {
		return s.warm
	}
	return nil
}

// fittedTo identifies the data of a fit of the problem.
func (p *problem) fittedTo() FittedTo {
	h := fnv.New64a()
	var b [8]byte
	number := func(v float64) {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		h.Write(b[:])
	}
	row := func(i int) {
		for c := range p.x.Dim() {
			if p.x.Active(c, i) {
				number(p.x.At(c, i))
			} else {
				number(math.NaN())
			}
		}
	}
	sum := func() uint64 { return h.Sum64() & (1<<53 - 1) }
	for _, q := range p.params {
		h.Write([]byte(q.Name))
	}
	params := sum()
	row(slices.Index(p.y, slices.Min(p.y)))
	best := sum()
	for _, q := range p.params {
		number(q.Lo)
		number(q.Hi)
		number(q.Init)
	}
	for _, list := range [][]float64{p.y, p.known, p.count, p.of, p.ss} {
		number(float64(len(list)))
		for _, v := range list {
			number(v)
		}
	}
	for i := range p.x.Len() {
		row(i)
	}
	return FittedTo{Observations: p.total, Params: params, Best: best, Data: sum()}
}

// warmTheta reads the starting point of an earlier fit; nil where it names none of the hyperparameters.
func (p *problem) warmTheta(hyper map[string]float64) []float64 {
	theta, found := declared(p.params), false
	weights := map[int]float64{}
	for i, q := range p.params {
		v, ok := hyper[relative+q.Name]
		if !ok {
			if v, ok = hyper[q.Name]; ok {
				v = p.dimension(i).standard(v, p.units)
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
		if found = true; relativeAt(q) {
			weights[i] = v
		}
	}
	if !found {
		return nil
	}
	toWeights(p.params, theta, weights)
	return theta
}

// dimension describes how entry i of theta scales with the objective.
func (p *problem) dimension(i int) dimension {
	switch {
	case i < p.kernelParams:
		return dimensionOf(p.params[i])
	case i == p.noiseAt() && p.kriging:
		return plain
	case i == p.meanAt():
		return location
	case i == p.signalAt() && p.params[i].Lo == p.params[i].Hi && hasWeights(p.params[:p.kernelParams]):
		return plain
	}
	return variance
}
