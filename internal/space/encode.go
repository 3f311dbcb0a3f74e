package space

import "bohier/internal/points"

// Encode writes c as point i of dst: numbers as the unit coordinate of their scale, choices and discrete ints as an
// index. An inactive coordinate holds ½ (numbers) or 0 with a false mask; coordinates of unconditional parameters get
// no mask.
func (s *Space) Encode(dst *points.Set, i int, c Configuration) {
	for k, p := range s.coords {
		if c.Active[p] {
			dst.Set(k, i, s.encode(p, c.Value[p]), true)
		} else {
			dst.Set(k, i, s.standIn(p), false)
		}
	}
}

// EncodeAll encodes configurations in order.
func (s *Space) EncodeAll(cs []Configuration) *points.Set {
	q := points.New(len(cs), len(s.coords))
	for i, c := range cs {
		s.Encode(q, i, c)
	}
	return q
}

// Decode returns the emitted configuration at point i of q: values are rounded,
// and activity is decided from them, not read from the masks.
func (s *Space) Decode(q *points.Set, i int) Configuration { return s.DecodeWith(q, i, nil) }

// DecodeWith is Decode with fixed values as they are given: they may be finer than emitted values.
func (s *Space) DecodeWith(q *points.Set, i int, fixed Assignment) Configuration {
	c := NewConfiguration(len(s.params))
	for k, p := range s.coords {
		c.Value[p] = s.decode(p, q.At(k, i))
	}
	for p, v := range fixed {
		c.Value[p] = v
	}
	s.Activate(&c)
	return c
}

// NumberAt is the emitted value of number i at unit coordinate u.
func (s *parameters) NumberAt(i int, u float64) float64 { return s.codecs[i].value(u) }

// encode is the coordinate of raw value v of parameter p.
func (s *parameters) encode(p int, v float64) float64 {
	q := &s.params[p]
	switch {
	case q.Choice():
		return v
	case q.Discrete:
		return (v - q.Low) / max(q.Step, 1)
	}
	return s.codecs[p].unit(v)
}

// decode is the emitted raw value at coordinate x of parameter p.
func (s *parameters) decode(p int, x float64) float64 {
	q := &s.params[p]
	switch {
	case q.Choice():
		return roundIndex(x, len(q.Values))
	case q.Discrete:
		return q.Low + roundIndex(x, q.Levels())*max(q.Step, 1)
	}
	return s.codecs[p].value(x)
}

// standIn is the value of an inactive coordinate.
func (s *parameters) standIn(p int) float64 {
	if s.params[p].Levels() > 0 {
		return 0
	}
	return 0.5
}

// LevelPositions places the values of an ordinal or discrete int in [0, 1], ascending: by its positions, on its scale,
// or evenly. It is nil for parameters without ordered levels.
func (s *parameters) LevelPositions(i int) []float64 {
	p := &s.params[i]
	if p.Kind != Ordinal && !p.Discrete {
		return nil
	}
	out := make([]float64, p.Levels())
	last := len(out) - 1
	for k := range out {
		switch {
		case p.Discrete:
			out[k] = s.codecs[i].unit(s.decode(i, float64(k)))
		case p.Positions != nil && last > 0:
			out[k] = (p.Positions[k] - p.Positions[0]) / (p.Positions[last] - p.Positions[0])
		default:
			out[k] = float64(k) / float64(max(last, 1))
		}
	}
	return out
}
