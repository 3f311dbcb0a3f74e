package report

import "math"

// A Figure is panels set in rows, left to right; SVG draws it. Values are data:
// nothing is drawn before SVG is called.
type Figure struct {
	Title   string
	Columns int // panels a row; 0: one
	Width   int // of a panel in pixels; 0: 640
	Height  int // of a panel in pixels; 0: 400
	Panels  []Panel
}

// A Panel is series in one pair of axes. Series with a label appear in the
// legend, in order.
type Panel struct {
	Title  string
	X, Y   Axis
	Series []Series
}

// An Axis shows the values of its series, or Low to High where Low < High. A log
// axis leaves out values that are not positive.
type Axis struct {
	Label     string
	Low, High float64
	Log       bool
	Names     []string // of the values 0, 1, …: a choice
}

// A Series is points (X[k], Y[k]) drawn one way. NaN leaves a gap.
type Series struct {
	Label string
	Kind  Kind
	Tone  int // colour, counted from 0 and repeated after Tones; see Grey
	X, Y  []float64
	Low   []float64 // Band, Bars: lower ends; Y are the upper ends
}

// Kind is how a series is drawn.
type Kind int

// The kinds.
const (
	Line   Kind = iota
	Dashed      // a broken line
	Stairs      // each value holds until the next point
	Dots
	Crosses
	Band // the area between Low and Y
	Bars // a vertical bar from Low to Y at each X
)

// Tones is the number of colours, Grey the tone of what is beside the point.
const (
	Tones = 6
	Grey  = -1
)

// palette are the colours of Okabe & Ito (2008) that show on white and on black;
// people who see few colours can tell them apart.
var palette = [Tones]string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9"}

// ink is the colour of text and axes: contrast 4.5 on white, 4.6 on black.
const ink = "#767676"

func colour(tone int) string {
	if tone < 0 {
		return ink
	}
	return palette[tone%Tones]
}

// extent is the range an axis shows; values of all series, padded.
func (a Axis) extent(each func(yield func(v float64))) (lo, hi float64) {
	if a.Names != nil {
		return -0.5, float64(len(a.Names)) - 0.5
	}
	if a.Low < a.High {
		return a.Low, a.High
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	each(func(v float64) {
		if math.Abs(v) <= 1e300 && (!a.Log || v >= 1e-300) { // so that ranges are finite
			lo, hi = min(lo, v), max(hi, v)
		}
	})
	if lo > hi {
		lo, hi = 1, 2 // nothing to show
	}
	const pad = 0.04
	if a.Log {
		if lo == hi {
			return lo / 2, hi * 2
		}
		f := math.Pow(hi/lo, pad)
		return lo / f, hi * f
	}
	if lo == hi {
		d := max(math.Abs(lo)/10, 1e-300)
		return lo - d, hi + d
	}
	d := pad * (hi - lo)
	return lo - d, hi + d
}

func (p Panel) xs(yield func(float64)) {
	for _, s := range p.Series {
		for _, v := range s.X {
			yield(v)
		}
	}
}

func (p Panel) ys(yield func(float64)) {
	for _, s := range p.Series {
		for _, v := range s.Y {
			yield(v)
		}
		for _, v := range s.Low {
			yield(v)
		}
	}
}
