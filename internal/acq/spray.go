package acq

import (
	"math"
	"math/rand/v2"

	"bohier/internal/points"
)

// sprayer makes points near given ones. Donors are valid points of the domain: changed choices and newly active
// parameters take their values, so that they follow the domain's own distribution.
type sprayer struct {
	d      Domain
	layout *layout
	donors *points.Set
	r      *rand.Rand

	fresh   []bool // per coordinate: has a donor's value
	choices []int
}

// around returns at most n valid points near the points of base; the first points of base get
// the most. The radius of the numeric perturbation is spread geometrically from 0.003 to 0.3 of
// the range; half of the points keep all choices, the others change up to three.
func (s *sprayer) around(base *points.Set, n int) *points.Set {
	out := points.New(n, base.Dim())
	kept := make([]int, 0, n)
	for k := range n {
		u := s.r.Float64()
		i := int(u * u * float64(base.Len()))
		out.Copy(k, base, i)
		if s.perturb(out, k) {
			kept = append(kept, k)
		}
	}
	return out.Select(kept)
}

// perturb changes point k of q and reports whether the result is valid.
func (s *sprayer) perturb(q *points.Set, k int) bool {
	if s.fresh == nil {
		s.fresh = make([]bool, q.Dim())
	}
	s.choices = s.choices[:0]
	for c := range q.Dim() {
		s.fresh[c] = q.Active(c, k)
		if q.Active(c, k) && s.layout.levels[c] > 1 {
			s.choices = append(s.choices, c)
		}
	}
	smooth := s.d.Smooth(q, k)
	s.jitter(q, k, smooth)

	donor := s.r.IntN(s.donors.Len())
	for range s.changes(len(smooth) > 0) {
		c := s.choices[s.r.IntN(len(s.choices))]
		if d, ok := s.donor(func(d int) bool { return s.donors.Active(c, d) && s.donors.At(c, d) != q.At(c, k) }); ok {
			q.Set(c, k, s.donors.At(c, d), true)
			donor = d
		}
	}
	return s.settle(q, k, donor)
}

// settle repairs point k of q after a change, giving newly active coordinates
// (not yet s.fresh) the values of the donor, or of another one that has them.
func (s *sprayer) settle(q *points.Set, k, donor int) bool {
	for {
		valid := s.d.Repair(q, k)
		changed := false
		for c := range q.Dim() {
			if s.fresh[c] || !q.Active(c, k) {
				continue
			}
			s.fresh[c] = true
			d, ok := donor, s.donors.Active(c, donor)
			if !ok {
				d, ok = s.donor(func(d int) bool { return s.donors.Active(c, d) })
			}
			if ok {
				q.Set(c, k, s.donors.At(c, d), true)
				changed = true
			}
		}
		if !changed { // each pass marks a coordinate: this ends
			return valid
		}
	}
}

// jitter moves all unit coordinates, or a random part of them.
func (s *sprayer) jitter(q *points.Set, k int, smooth []int) {
	radius := 0.3 * math.Pow(0.01, s.r.Float64())
	share := 1.0
	if s.r.IntN(2) == 0 {
		share = math.Max(0.2, 1/float64(len(smooth)))
	}
	for _, c := range smooth {
		if share == 1 || s.r.Float64() < share {
			q.Set(c, k, reflectInto(q.At(c, k)+radius*s.r.NormFloat64(), 1), true)
		}
	}
}

// changes is the number of choices to change.
func (s *sprayer) changes(smooth bool) int {
	n := 0
	if !smooth || s.r.IntN(2) == 0 {
		n = [...]int{1, 1, 1, 2, 2, 3}[s.r.IntN(6)]
	}
	return min(n, len(s.choices))
}

// donor draws donors until one suits, a few times.
func (s *sprayer) donor(suits func(d int) bool) (int, bool) {
	for range 16 {
		if d := s.r.IntN(s.donors.Len()); suits(d) {
			return d, true
		}
	}
	return 0, false
}

// reflectInto mirrors x at the bounds 0 and hi; a coordinate that is still outside is clamped.
func reflectInto(x, hi float64) float64 {
	if x < 0 {
		x = -x
	} else if x > hi {
		x = 2*hi - x
	}
	return math.Min(hi, math.Max(0, x))
}
