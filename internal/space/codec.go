package space

import (
	"fmt"
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
	coarse       bool    // ints so many that not all of them survive encoding
}

func newCodec(p *Parameter) codec {
	r := codec{
		scale: p.Scale, low: p.Low, high: p.High, last: p.High, whole: p.Kind == Int,
		step: p.Step, digits: p.Precision, decimals: p.decimals(),
		size: max(math.Abs(p.Low), math.Abs(p.High)),
	}
	r.continuous = !r.whole && r.step == 0 && r.digits == 0
	r.t0 = r.forward(r.low)
	r.span = r.forward(r.high) - r.t0
	if r.span < 1e-6 { // where every scale is linear, and a logarithm would lack digits
		r.scale, r.t0, r.span = Linear, r.low, r.high-r.low
	}
	r.magnitude = max(math.Abs(r.t0), math.Abs(r.t0+r.span), 1)
	r.coarse = r.whole && r.fewestDecimals() < 0
	if r.step > 0 {
		r.steps = p.steps()
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

// steps is the number of steps from low to high, as decimals.
func (p *Parameter) steps() float64 {
	if p.Kind == Int {
		return float64((int64(p.High) - int64(p.Low)) / int64(p.Step))
	}
	span := decimal(p.High)
	k, _ := span.Quo(span.Sub(span, decimal(p.Low)), decimal(p.Step)).Float64()
	return math.Floor(k*(1+0x1p-50) + 1e-9)
}

// Last is the largest value of a number: high, unless a step misses it.
func (p *Parameter) Last() float64 { r := newCodec(p); return r.last }

// Fewer means that a number takes fewer values than its range seems to hold, with a hint; both are
// empty where there are thousands.
func (p *Parameter) Fewer() (what, hint string) {
	if p.Kind != Float && p.Kind != Int {
		return "", ""
	}
	r := newCodec(p)
	switch quantum := max(r.quantum(r.low, +1), r.quantum(r.last, -1)); {
	case p.Step > 0 || p.Precision > 0:
	case r.coarse:
		return fmt.Sprintf("takes only multiples of %s where its numbers are large", number(quantum)), ""
	case r.continuous && r.high-r.low < 1000*quantum:
		n := 1
		for v, ok := r.next(r.low, +1); ok && n <= 1000; v, ok = r.next(v, +1) {
			n++
		}
		return fmt.Sprintf("takes %d values only: its range is narrow for the size of its numbers", n),
			"write low: 0 and add the true low in the command"
	}
	return "", ""
}

// fine reports whether the values of a step can be distinguished.
func (p *Parameter) fine() bool {
	if p.Step >= 1e-12*max(math.Abs(p.Low), math.Abs(p.High)) {
		return p.Step >= tiny
	}
	k := p.decimals()
	exact := func(v float64) bool { return roundDecimals(v, k) == v }
	return exact(p.Low) && exact(p.High) && exact(p.Step) &&
		p.Scale == Linear && (p.Kind == Int || p.High-p.Low <= 1e12*p.Step)
}

// decimals is the number of decimals of values on a linear scale: 14 digits of their size or, where
// these would leave few values in the range, all that doubles distinguish.
func (p *Parameter) decimals() int {
	size, span := max(math.Abs(p.Low), math.Abs(p.High)), p.High-p.Low
	if span > size*0x1p-20 && (p.Kind != Int || span > MaxInt) {
		return decimalsFor(4 * size * 0x1p-50)
	}
	ulp := size - math.Nextafter(size, 0)
	k := decimalsFor(4 * ulp)
	if ulp <= 1 { // whole numbers are exact
		k = max(k, 0)
	}
	return k
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
	if r.whole && r.scale == Linear && r.size > 0x1p48 { // the sum has no digits to spare
		k := math.Round(u * r.span)
		return r.round(r.low + k + math.Round(math.FMA(u, r.span, -k)))
	}
	return r.round(r.backward(r.t0 + u*r.span))
}

// quantile maps a uniform number in [0, 1) to an emitted value so that the ends of a
// grid are as likely as its inner values.
func (r *codec) quantile(u float64) float64 {
	return r.round(r.backward(r.quantile0 + u*r.quantileSpan))
}

// share is the part [a, b] of [0, 1] that fair maps to values from lo to hi, both emitted.
func (r *codec) share(lo, hi float64) (a, b float64) {
	if !r.continuous {
		lo, hi = r.reach(lo, -1), r.reach(hi, +1)
	}
	a = (r.forward(lo) - r.quantile0) / r.quantileSpan
	b = (r.forward(hi) - r.quantile0) / r.quantileSpan
	return min(max(a, 0), 1), min(max(b, 0), 1)
}

// reach is the point half way from an emitted value to its neighbour above (dir > 0) or below; at an end, as far out as
// the neighbour is on the other side, but inside the scale's domain.
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

// digitQuantum is the last significant digit at magnitude a, not finer than 1 for ints and than encoding preserves,
// which keeps the values around zero countable.
func (r *codec) digitQuantum(a float64) float64 {
	q := 0.0
	if a > 0 {
		q = powerOfTen(decade(a) - r.digits + 1)
	}
	if r.whole {
		q = max(q, 1)
	}
	return max(q, powerOfTen(-r.decimalsAt(a)))
}

// at is grid value k of a step, without the noise of binary arithmetic.
func (r *codec) at(k float64) float64 {
	if r.whole {
		return math.FMA(k, r.step, r.low)
	}
	v := r.low + k*r.step
	return r.snapEnds(roundDecimals(v, r.decimals))
}

// snapEnds moves values that encoding cannot distinguish from an end to it.
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

// nearest chooses among a grid value near v and the two ends, which belong to the grid wherever they lie.
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

// fewestDecimals is the number of decimals that survive the way everywhere in the range: a
// logit keeps the fewest in its middle, the other scales at an end.
func (r *codec) fewestDecimals() int {
	middle := min(max(0.5, r.low), r.high)
	return min(r.decimalsAt(r.low), r.decimalsAt(middle), r.decimalsAt(r.high))
}

// decimalsFor is the largest k with 10^−k ≥ e.
func decimalsFor(e float64) int {
	if e < tiny { // where math.Log10 errs
		return decimalsFor(max(e, math.SmallestNonzeroFloat64)*1e100) + 100
	}
	return int(math.Floor(-math.Log10(e)))
}

// decade is the largest e with 10^e ≤ a, for a > 0.
func decade(a float64) int {
	if a < tiny {
		return decade(a*1e100) - 100
	}
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

// roundDecimals rounds to k decimals; the result is the double nearest to the decimal number.
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
