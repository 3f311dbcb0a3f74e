package plot

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/text"
)

// A scale maps values of an axis to pixels.
type scale struct {
	lo, hi   float64 // values
	from, to float64 // pixels
	log      bool
	names    bool
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

// moved is the scale with its pixels counted from another place.
func (s scale) moved(by float64) scale {
	s.from, s.to = s.from-by, s.to-by
	return s
}

// extent is the range an axis shows; values of all series, padded.
func (a Axis) extent(values []float64) (lo, hi float64) {
	if a.Names != nil {
		return -0.5, float64(len(a.Names)) - 0.5
	}
	if a.Low < a.High {
		return a.Low, a.High
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if math.Abs(v) <= 1e300 && (!a.Log || v >= 1e-300) { // so that ranges are finite
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		lo, hi = 1, 2 // nothing to show
	}
	const pad = 0.04
	if a.Log {
		if lo == hi {
			return lo / 2, hi * 2
		}
		f := math.Pow(min(hi/lo, math.MaxFloat64), pad)
		return max(lo/f, 1e-305), min(hi*f, 1e305)
	}
	if lo == hi {
		d := max(math.Abs(lo)/10, 1e-300)
		if a.Whole {
			d = 1
		}
		return lo - d, hi + d
	}
	d := pad * (hi - lo)
	return lo - d, hi + d
}

// A tick is a marked value; without a label only a faint line marks it.
type tick struct {
	at    float64
	label string
}

// ticks are about n marked values between lo and hi, and two or more of a range of numbers; of names all, or evenly
// spaced ones where they are more than can be read.
func (a Axis) ticks(lo, hi float64, n int) []tick {
	switch {
	case a.Names != nil:
		every := 1 + (len(a.Names)-1)/60
		return lists.Make((len(a.Names)+every-1)/every, func(i int) tick {
			return tick{float64(i * every), text.Visible(a.Names[i*every])}
		})
	case a.Log && hi/lo >= 20:
		return decades(lo, hi, n)
	}
	out := steps(lo, hi, n, a.Whole)
	for more := n + 1; len(out) < 2 && more <= 4*n; more++ {
		out = steps(lo, hi, more, a.Whole)
	}
	return out
}

// steps are multiples of 1, 2 or 5 times a power of ten.
func steps(lo, hi float64, n int, whole bool) []tick {
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
	if whole {
		step = max(step, 1)
	}
	var out []tick
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi+1e-9*step && len(out) < 100; k++ {
		v := k * step
		label := strconv.FormatFloat(v, 'f', digits, 64)
		if size := math.Max(math.Abs(lo), math.Abs(hi)); size >= 1e9 || digits > 5 {
			// As many digits as distinguish neighbours.
			label = general(v, min(max(4, int(math.Log10(size/step))+2), 17))
		} else if size >= 1e7 && step >= size/1000 {
			label = strconv.FormatFloat(v/1e6, 'f', max(0, int(math.Ceil(6-math.Log10(step)-1e-9))), 64) + "M"
		}
		if k == 0 {
			label = "0"
		}
		out = append(out, tick{v, label})
	}
	return out
}

// decades are powers of ten, every second or third where they would crowd, with 2 and 5 between them where there is
// room; others between neighbouring powers have no label.
func decades(lo, hi float64, n int) []tick {
	first, last := math.Floor(math.Log10(lo)), math.Ceil(math.Log10(hi))
	every := math.Ceil((last - first) / float64(n+1))
	var out []tick
	for e := first; e <= last; e += every {
		for f := 1.0; f < 10; f++ {
			if f > 1 && every > 1 {
				break
			}
			v := f * math.Pow(10, e)
			if v < lo*(1-1e-9) || v > hi*(1+1e-9) {
				continue
			}
			label := ""
			if f == 1 || hi/lo < 200 && (f == 2 || f == 5) {
				label = general(v, 4)
			}
			out = append(out, tick{v, label})
		}
	}
	return out
}

// brief is a number in three digits, or all before the point.
func brief(v float64) string {
	if size := math.Abs(v); size >= 1000 && size < 1e6 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return general(v, 3)
}

// general is a number in so many digits, with exponents as people write them.
func general(v float64, digits int) string {
	out := strconv.FormatFloat(v, 'g', digits, 64)
	if mantissa, exponent, ok := strings.Cut(out, "e"); ok {
		e, _ := strconv.Atoi(exponent)
		return fmt.Sprintf("%se%d", mantissa, e)
	}
	return out
}
