package space

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// What is emitted survives the way to the unit coordinate and back bit for bit,
// is a fixed point of rounding, and lies in range.
func TestEmittedValuesSurviveEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawNumber(t, "x")
		if err := p.Check(); err != nil {
			t.Fatalf("generated parameter: %v", err)
		}
		r := newCodec(&p)
		u := rapid.Float64Range(0, 1).Draw(t, "u")
		if rapid.Bool().Draw(t, "tiny") {
			u = math.Pow(u, 20)
		}
		for _, v := range []float64{r.value(u), r.value(1 - u), r.quantile(u), r.round(p.Low + u*(p.High-p.Low)), r.low,
			r.last} {
			if v < p.Low || v > p.High {
				t.Fatalf("%+v: emits %v", p, v)
			}
			if w := r.round(v); w != v {
				t.Fatalf("%+v: %v rounds to %v", p, v, w)
			}
			if w := r.value(r.unit(v)); w != v {
				t.Fatalf("%+v: %v comes back as %v", p, v, w)
			}
			if w, err := strconv.ParseFloat(number(v), 64); err != nil || w != v {
				t.Fatalf("%v is written %s", v, number(v))
			}
		}
	})
}

func TestNeighbouringGridValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawNumber(t, "x")
		r := newCodec(&p)
		v := r.value(rapid.Float64Range(0, 1).Draw(t, "u"))
		up, ok := r.next(v, +1)
		if !ok {
			if v != r.last {
				t.Fatalf("%+v: nothing above %v", p, v)
			}
			return
		}
		if up <= v || r.round(up) != up {
			t.Fatalf("%+v: %v above %v", p, up, v)
		}
		for _, f := range []float64{0.25, 0.5, 0.75} {
			if w := r.round(v + f*(up-v)); w != v && w != up {
				t.Fatalf("%+v: %v between %v and %v", p, w, v, up)
			}
		}
		if back, ok := r.next(up, -1); !ok || back != v {
			t.Fatalf("%+v: %v below %v above %v", p, back, up, v)
		}
	})
}

// Every value of a grid, its ends included, is as likely as the measure of the reals that round to it.
func TestEndsAreReached(t *testing.T) {
	for _, p := range []Parameter{
		{Kind: Int, Low: 1, High: 8},
		{Kind: Int, Low: 1, High: 8, Scale: Log},
		{Kind: Int, Low: 1, High: 8, Scale: ReverseLog},
		{Kind: Int, Low: -3, High: 9, Step: 3},
		{Kind: Int, Low: 10, High: 99, Precision: 1},
		{Kind: Float, Low: 0, High: 1, Step: 0.1},
		{Kind: Float, Low: 0.1, High: 0.9, Step: 0.1, Scale: Logit},
		{Kind: Float, Low: 0.25, High: 0.75, Step: 0.5, Scale: Logit}, // half a step beyond both ends are the scale's
		{Kind: Float, Low: 1, High: 3, Step: 2, Scale: Log},
		{Kind: Float, Low: 1, High: 3, Step: 2, Scale: ReverseLog},
		{Kind: Float, Low: 1, High: 100, Precision: 1, Scale: Log},
		{Kind: Float, Low: 1.0 / 3, High: 1000.0 / 7, Precision: 1, Scale: Log},
	} {
		r := newCodec(&p)
		counts := map[float64]int{}
		const n = 100000
		for k := range n {
			counts[r.quantile((float64(k)+0.5)/n)]++
		}
		values := 0.0
		for v, ok := r.low, true; ok; v, ok = r.next(v, +1) {
			values++
			if counts[v] == 0 {
				t.Errorf("%+v: %v is never drawn", p, v)
			}
		}
		if float64(len(counts)) != values || r.count(r.low, r.last) != values {
			t.Errorf("%+v: %d drawn of %v values, count %v", p, len(counts), values, r.count(r.low, r.last))
		}
		if p.Scale == Linear && p.Precision == 0 {
			for v, c := range counts {
				if !(math.Abs(float64(c)-n/values) <= 1) {
					t.Errorf("%+v: %v drawn %d times of %d", p, v, c, n)
				}
			}
		}
	}
}

// Values are rounded to as many digits as survive encoding, and to the double that is nearest to the decimal number.
func TestRoundShort(t *testing.T) {
	for _, c := range []struct {
		p       Parameter
		v, want float64
	}{
		{Parameter{Kind: Float, Low: 0, High: 1, Step: 0.1}, 0.3, 0.3}, // not 0.30000000000000004
		{Parameter{Kind: Float, Low: 0, High: 1, Step: 0.3}, 1, 0.9},
		{Parameter{Kind: Float, Low: -5, High: 10}, math.Pi, 3.1415926535898},
		{Parameter{Kind: Float, Low: 1e-5, High: 1, Scale: Log}, 1e-3 / 3, 0.0003333333333333},
		{Parameter{Kind: Int, Low: 100, High: 100000, Scale: Log, Precision: 2}, 12345, 12000},
		{Parameter{Kind: Int, Low: 100, High: 100000, Precision: 2}, 99999, 100000},
		{Parameter{Kind: Float, Low: 1, High: 1e6, Scale: ReverseLog}, 100.0 / 3, 33.3333333},
		{Parameter{Kind: Float, Low: 1, High: 1e6, Scale: ReverseLog}, 1e6 - 1.0/3, 999999.66666667},
		{Parameter{Kind: Float, Low: 1e-30, High: 1, Scale: Log}, 1e-25 / 7, 1.428571428571e-26},
		{Parameter{Kind: Float, Low: 1e-30, High: 1, Scale: Log, Precision: 1}, 3.3e-25, 3e-25},
		{Parameter{Kind: Int, Low: 1, High: 8}, 2.5, 3},
		{Parameter{Kind: Int, Low: 1, High: 8}, math.NaN(), 1},
		{Parameter{Kind: Float, Low: 0, High: 1}, math.Inf(1), 1},
	} {
		if r := newCodec(&c.p); r.round(c.v) != c.want {
			t.Errorf("%+v: %v rounds to %v, not %v", c.p, c.v, r.round(c.v), c.want)
		}
	}
}

// Of two significant digits the steps above a power of ten are tenths of it, below it hundredths, also where its
// logarithm comes out too small (1e15, 1e29) or math.Pow10 is off by a rounding (1e33).
func TestNeighboursOfPowersOfTen(t *testing.T) {
	p := Parameter{Kind: Float, Low: 1, High: 1e40, Scale: Log, Precision: 2}
	r := newCodec(&p)
	number := func(digits string, e int) float64 {
		v, err := strconv.ParseFloat(digits+"e"+strconv.Itoa(e), 64)
		must(t, err)
		return v
	}
	for e := 1; e < 40; e++ {
		at, over, under := number("1", e), number("11", e-1), number("99", e-2)
		up, _ := r.next(at, +1)
		down, _ := r.next(at, -1)
		if up != over || down != under {
			t.Errorf("%v is between %v and %v, not %v and %v", at, down, up, under, over)
		}
	}
}

// Counting by decades agrees with walking from value to value.
func TestCountOfDigits(t *testing.T) {
	counted := 0
	for _, digits := range []int{1, 2, 3} {
		for _, kind := range []Kind{Float, Int} {
			for _, ends := range [][2]float64{{1, 8}, {7, 123}, {-12, 30}, {100, 1000}, {-1000, -99}, {0, 1}, {-5, 5}} {
				p := Parameter{Kind: kind, Low: ends[0], High: ends[1], Precision: digits}
				if kind == Float && digits == 2 {
					p.Low, p.High = p.Low+1.0/3, p.High+1.0/7
				}
				r := newCodec(&p)
				n := 0.0
				for v, ok := r.low, true; ok; v, ok = r.next(v, +1) {
					n++
				}
				if got := r.count(r.low, r.last); got != n {
					t.Errorf("%+v: %v counted, %v walked", p, got, n)
				}
				counted++
			}
		}
	}
	if counted == 0 {
		t.Fatal("nothing counted")
	}
}

// The values counted are those met on the way from one to the next.
func TestCountOfValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawNumber(t, "x")
		r := newCodec(&p)
		n := r.count(r.low, r.last)
		if n > 5000 {
			return
		}
		walked := 0.0
		for v, ok := r.low, true; ok && walked <= n; v, ok = r.next(v, +1) {
			walked++
		}
		if walked != n {
			t.Fatalf("%+v: %v counted, %v walked", p, n, walked)
		}
	})
}

// Whole numbers are exact as far as doubles hold them, decimals as far as the range asks.
func TestValuesOfNarrowRanges(t *testing.T) {
	for _, c := range []struct {
		p    Parameter
		want float64 // how many values
	}{
		{Parameter{Kind: Int, Low: MaxInt - 2, High: MaxInt}, 3},
		{Parameter{Kind: Int, Low: -MaxInt, High: 2 - MaxInt}, 3},
		{Parameter{Kind: Int, Low: MaxInt - 2, High: MaxInt, Scale: Log}, 3},
		{Parameter{Kind: Int, Low: MaxInt - 9, High: MaxInt, Step: 3}, 4},
		{Parameter{Kind: Float, Low: 1, High: 1.00000000000001}, 11},
		{Parameter{Kind: Float, Low: 1, High: 1.00000000000001, Scale: Log}, 11},
		{Parameter{Kind: Float, Low: -1.00000000000001, High: -1}, 11},
		{Parameter{Kind: Float, Low: 1, High: 1.00000000000001, Step: 2e-15}, 6},
		{Parameter{Kind: Float, Low: 1e15, High: 1e15 + 1}, 2},
		{Parameter{Kind: Float, Low: MaxInt - 2, High: MaxInt}, 3},
		{Parameter{Kind: Float, Low: 0.1, High: 0.3, Step: 0.2}, 2},
	} {
		c.p.Name = "x"
		if err := c.p.Check(); err != nil {
			t.Errorf("%+v: %v", c.p, err)
		}
		r := newCodec(&c.p)
		seen, drawn := 0.0, map[float64]bool{}
		for v, ok := r.low, true; ok; v, ok = r.next(v, +1) {
			seen++
			if r.value(r.unit(v)) != v {
				t.Errorf("%+v: %v comes back as %v", c.p, v, r.value(r.unit(v)))
			}
		}
		for k := range 1000 {
			drawn[r.quantile((float64(k)+0.5)/1000)] = true
		}
		if seen != c.want || float64(len(drawn)) != c.want {
			t.Errorf("%+v: %v values, %d drawn, not %v", c.p, seen, len(drawn), c.want)
		}
	}
	wide := Parameter{Kind: Float, Low: 1e-300, High: 1e-299}
	if r := newCodec(&wide); r.round(3.14159265358979e-300) != 3.1415926535898e-300 {
		t.Errorf("%v", r.round(3.14159265358979e-300))
	}
	all := Parameter{Kind: Int, Low: 0, High: MaxInt - 1}
	for r, v := newCodec(&all), 1<<52-500.0; v < 1<<52+500; v++ {
		if w := r.value(r.unit(v)); w != v {
			t.Errorf("%.0f comes back as %.0f", v, w)
		}
	}
}
