package report

import (
	"math"
	"strconv"
)

// A scale maps values of an axis to pixels.
type scale struct {
	lo, hi   float64 // values
	from, to float64 // pixels
	log      bool
}

func (s scale) at(v float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		if !(v > 0) {
			return math.NaN()
		}
		v, lo, hi = math.Log(v), math.Log(lo), math.Log(hi)
	}
	return s.from + (v-lo)/(hi-lo)*(s.to-s.from)
}

// A tick is a marked value.
type tick struct {
	at    float64
	label string
}

// ticks are about n marked values between lo and hi.
func (a Axis) ticks(lo, hi float64, n int) []tick {
	switch {
	case a.Names != nil:
		out := make([]tick, len(a.Names))
		for i, name := range a.Names {
			out[i] = tick{float64(i), name}
		}
		return out
	case a.Log && hi/lo >= 20:
		return decades(lo, hi, n)
	}
	return steps(lo, hi, n)
}

// steps are multiples of 1, 2 or 5 times a power of ten.
func steps(lo, hi float64, n int) []tick {
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return nil
	}
	raw := (hi - lo) / float64(n)
	power := math.Floor(math.Log10(raw))
	unit := math.Pow(10, power)
	step := 10 * unit
	for _, f := range []float64{1, 2, 5} {
		if f*unit >= raw {
			step = f * unit
			break
		}
	}
	var out []tick
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi+1e-9*step && len(out) < 100; k++ {
		v := k * step
		label := strconv.FormatFloat(v, 'f', digits, 64)
		if size := math.Max(math.Abs(lo), math.Abs(hi)); size >= 1e9 || digits > 5 {
			// As many digits as tell neighbours apart.
			label = strconv.FormatFloat(v, 'g', min(max(4, int(math.Log10(size/step))+2), 17), 64)
		}
		if k == 0 {
			label = "0"
		}
		out = append(out, tick{v, label})
	}
	return out
}

// decades are powers of ten, every second or third where they would crowd, with
// 2 and 5 between them where there is room.
func decades(lo, hi float64, n int) []tick {
	first, last := math.Floor(math.Log10(lo)), math.Ceil(math.Log10(hi))
	every := math.Ceil((last - first) / float64(n+1))
	between := []float64{1}
	if last-first <= 2 {
		between = []float64{1, 2, 5}
	}
	var out []tick
	for e := first; e <= last; e += every {
		for _, f := range between {
			v := f * math.Pow(10, e)
			if v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
				out = append(out, tick{v, strconv.FormatFloat(v, 'g', 4, 64)})
			}
		}
	}
	return out
}
