package space

import (
	"math"
	"strconv"
)

// A codec converts the values of one numeric parameter: raw value ↔ unit coordinate on
// its scale, and rounding to the grid of values that are emitted.
type codec struct {
	scale        Scale
	low, high    float64
	last         float64 // largest emitted value; high unless the step misses it
	t0, span     float64 // t(low) and t(high) − t(low)
	quantile0    float64 // the same for the range in which every emitted value
	quantileSpan float64 // has its own share, half a step beyond both ends
	magnitude    float64 // of t
	size         float64 // of the bounds
	whole        bool    // int
	step         float64 // > 0: low + k·step
	steps        float64 // largest k
	digits       int     // > 0: significant digits
	decimals     int     // of linear values without declared grid
	continuous   bool    // neither whole nor on a declared grid
	coarse       bool    // ints so large that not all of them survive encoding
}

func newCodec(p *Parameter) codec {
	r := codec{
		scale: p.Scale, low: p.Low, high: p.High, last: p.High, whole: p.Kind == Int,
		step: p.Step, digits: p.Precision,
		size: max(math.Abs(p.Low), math.Abs(p.High)),
	}
	r.continuous = !r.whole && r.step == 0 && r.digits == 0
	r.t0 = r.forward(r.low)
	r.span = r.forward(r.high) - r.t0
	r.magnitude = max(math.Abs(r.t0), math.Abs(r.t0+r.span), 1)
	r.decimals = decimalsFor(4 * r.size * 0x1p-50)
	r.coarse = r.whole && min(r.decimalsAt(r.low), r.decimalsAt(r.high)) < 0
	if r.step > 0 {
		r.steps = math.Floor((r.high-r.low)/r.step*(1+1e-12) + 1e-9)
		r.last = r.at(r.steps)
	}
	r.quantile0, r.quantileSpan = r.t0, r.span
	if !r.continuous {
		a, b := r.reach(r.low, -1), r.reach(r.last, +1)
		r.quantile0 = r.forward(a)
		r.quantileSpan = r.forward(b) - r.quantile0
	}
	return r
}

// forward is the scale t(v), increasing.
func (r *codec) forward(v float64) float64 {
	switch r.scale {
	case Log:
		return math.Log(v)
	case Logit:
		return math.Log(v / (1 - v))
	case ReverseLog:
		return -math.Log(r.low + (r.high - v))
	}
	return v
}

// backward inverts forward.
func (r *codec) backward(t float64) float64 {
	switch r.scale {
	case Log:
		return math.Exp(t)
	case Logit:
		return 1 / (1 + math.Exp(-t))
	case ReverseLog:
		return r.high + (r.low - math.Exp(-t))
	}
	return t
}

// unit is the coordinate of v in [0, 1].
func (r *codec) unit(v float64) float64 {
	if v <= r.low {
		return 0
	}
	if v >= r.high {
		return 1
	}
	return (r.forward(v) - r.t0) / r.span
}

// value is the emitted value at a unit coordinate.
func (r *codec) value(u float64) float64 {
	if u <= 0 {
		return r.low
	}
	if u >= 1 {
		return r.last
	}
	return r.round(r.backward(r.t0 + u*r.span))
}

// quantile maps a uniform number in [0, 1) to an emitted value so that the ends of a
// grid are as likely as its inner values.
func (r *codec) quantile(u float64) float64 {
	return r.round(r.backward(r.quantile0 + u*r.quantileSpan))
}

// share is the part [a, b] of [0, 1] that fair maps to values from lo to hi,
// both emitted.
func (r *codec) share(lo, hi float64) (a, b float64) {
	if !r.continuous {
		lo, hi = r.reach(lo, -1), r.reach(hi, +1)
	}
	a = (r.forward(lo) - r.quantile0) / r.quantileSpan
	b = (r.forward(hi) - r.quantile0) / r.quantileSpan
	return min(max(a, 0), 1), min(max(b, 0), 1)
}

// reach is the point half way from an emitted value to its neighbour above
// (dir > 0) or below; at an end, as far out as the neighbour is on the other
// side, but inside the scale's domain.
func (r *codec) reach(v, dir float64) float64 {
	if w, ok := r.next(v, dir); ok {
		return v + (w-v)/2
	}
	w, ok := r.next(v, -dir)
	if !ok {
		return v
	}
	h := v + (v-w)/2
	switch {
	case (r.scale == Log || r.scale == Logit) && h <= 0:
		return v / 2
	case r.scale == Logit && h >= 1:
		return (1 + v) / 2
	case r.scale == ReverseLog && h >= r.low+r.high:
		return v + r.low/2
	}
	return h
}

// quantum is the distance from an emitted value to the next one in a direction.
func (r *codec) quantum(v, dir float64) float64 {
	switch {
	case r.step > 0:
		return r.step
	case r.digits > 0:
		a := math.Abs(v)
		if (v > 0) == (dir < 0) {
			a *= 1 - 1e-13 // towards zero the next decade counts
		}
		return r.digitQuantum(a)
	case r.whole && !r.coarse:
		return 1
	case r.whole:
		return powerOfTen(-min(r.decimalsAt(v), 0))
	}
	return powerOfTen(-r.decimalsAt(v))
}

// digitQuantum is the last significant digit at magnitude a, not finer than 1 for
// ints and than what survives encoding, which keeps the values around zero
// countable.
func (r *codec) digitQuantum(a float64) float64 {
	q := 0.0
	if a > 0 {
		q = powerOfTen(decade(a) - r.digits + 1)
	}
	if r.whole {
		return max(q, 1)
	}
	return max(q, powerOfTen(-r.decimalsAt(a)))
}

// at is grid value k of a step, without the noise of binary arithmetic.
func (r *codec) at(k float64) float64 {
	v := r.low + k*r.step
	if r.whole {
		return min(v, r.high)
	}
	return r.snapEnds(roundDecimals(v, r.decimals))
}

// snapEnds moves values that encoding cannot tell from an end to it.
func (r *codec) snapEnds(v float64) float64 {
	half := powerOfTen(-r.decimalsAt(v)) / 2
	switch {
	case v-r.low < half:
		return r.low
	case r.high-v < half:
		return r.high
	}
	return v
}

// round is the emitted value nearest to v.
func (r *codec) round(v float64) float64 {
	switch {
	case !(v > r.low):
		return r.low
	case v >= r.last:
		return r.last
	case r.step > 0:
		return r.at(min(math.Round((v-r.low)/r.step), r.steps))
	case r.digits > 0:
		return r.nearest(v, roundDecimals(v, -decade(r.digitQuantum(math.Abs(v)))))
	case r.whole:
		w := math.Round(v)
		if !r.coarse {
			return w
		}
		if k := r.decimalsAt(w); k < 0 {
			w = roundDecimals(w, k)
		}
		return r.nearest(v, w)
	}
	k := r.decimalsAt(v)
	w := roundDecimals(v, k)
	if j := r.decimalsAt(w); j < k { // the rounded value lies on a coarser stretch
		w = roundDecimals(w, j)
	}
	return r.snapEnds(w)
}

// nearest chooses among a grid value near v and the two ends, which belong to the
// grid wherever they lie.
func (r *codec) nearest(v, w float64) float64 {
	if w <= r.low || math.Abs(v-r.low) < math.Abs(v-w) {
		return r.low
	}
	if w >= r.high || math.Abs(v-r.high) < math.Abs(v-w) {
		return r.high
	}
	if r.whole {
		return w
	}
	return r.snapEnds(w)
}

// decimalsAt is the number of decimals (negative: zeros before the point) that
// survive the way from v to the unit coordinate and back.
func (r *codec) decimalsAt(v float64) int {
	var e float64
	switch r.scale {
	case Linear:
		return r.decimals
	case Log:
		e = math.Abs(v) * r.magnitude * 0x1p-50
	case Logit:
		e = v*(1-v)*r.magnitude*0x1p-50 + 0x1p-51
	case ReverseLog:
		e = (r.low+(r.high-v))*r.magnitude*0x1p-50 + r.size*0x1p-51
	}
	return decimalsFor(4 * e)
}

// decimalsFor is the largest k with 10^−k ≥ e.
func decimalsFor(e float64) int { return int(math.Floor(-math.Log10(max(e, 1e-300)))) }

// decade is the largest e with 10^e ≤ a, for a > 0.
func decade(a float64) int {
	e := int(math.Floor(math.Log10(a)))
	switch {
	case powerOfTen(e+1) <= a:
		return e + 1
	case powerOfTen(e) > a:
		return e - 1
	}
	return e
}

// powerOfTen is the double nearest to 10^e: math.Pow10 multiplies two powers beyond the exact
// ones, and its 1e33 is larger than that of a study file.
func powerOfTen(e int) float64 {
	if e >= -22 && e <= 22 {
		return math.Pow10(e)
	}
	v, _ := strconv.ParseFloat("1e"+strconv.Itoa(e), 64) // +Inf beyond all doubles
	return v
}

// roundDecimals rounds to k decimals; the result is the double nearest to the
// decimal number.
func roundDecimals(v float64, k int) float64 {
	switch {
	case k >= 0 && k <= 22 && math.Abs(v)*math.Pow10(k) < 0x1p53:
		return math.Round(v*math.Pow10(k)) / math.Pow10(k)
	case k < 0 && k >= -22:
		return math.Round(v/math.Pow10(-k)) * math.Pow10(-k)
	}
	if v == 0 {
		return 0
	}
	digits := k + decade(math.Abs(v))
	if digits < 0 {
		return 0
	}
	var buf [32]byte
	w, err := strconv.ParseFloat(string(strconv.AppendFloat(buf[:0], v, 'e', min(digits, 16), 64)), 64)
	if err != nil { // beyond the largest double
		return v
	}
	return w
}

// slope is the derivative of the unit coordinate at v.
func (r *codec) slope(v float64) float64 {
	switch r.scale {
	case Log:
		return 1 / (v * r.span)
	case Logit:
		return 1 / (v * (1 - v) * r.span)
	case ReverseLog:
		return 1 / ((r.low + (r.high - v)) * r.span)
	}
	return 1 / r.span
}
