package plot

// A Figure is panels set in rows, left to right. Values are data: nothing is drawn before SVG or Text is called.
type Figure struct {
	Title   string
	Note    string // a sentence below the title: the message, or a caveat
	Plain   string // Note where there are no colours; empty: the same
	Columns int    // panels a row; 0: one
	Width   int    // of a panel in pixels; 0: 640
	Height  int    // of a panel in pixels; 0: 400
	Panels  []Panel
}

// A Panel is series in one pair of axes, in front of a surface if there is one; or
// parallel coordinates. Series with a label appear in the legend, in order.
type Panel struct {
	Title    string
	X, Y     Axis
	Series   []Series
	Surface  *Surface
	Parallel *Parallel // instead of everything else
}

// An Axis shows the values of its series, or Low to High where Low < High. A log
// axis leaves out values that are not positive.
type Axis struct {
	Label     string
	Low, High float64
	Log       bool
	Names     []string // of the values 0, 1, …: a choice
	Whole     bool     // only integers are marked
	Down      bool     // of Names: the first on top
}

// A Series is points (X[k], Y[k]) drawn one way. NaN leaves a gap.
type Series struct {
	Label string
	Kind  Kind
	Tone  Tone
	X, Y  []float64
	Low   []float64 // Band, Bars: lower ends, Y are the upper ones; Rows, Strips: left ends, X are the right ones

	Trials []int    // whose point it is; 0: nobody's
	Tips   []string // of the points: lines of text
	Words  []string // Rows: written at the end of each bar
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
	Band   // the area between Low and Y
	Bars   // a vertical bar from Low to Y at each X
	Rings  // open dots
	Stars  // large, for the one that counts
	Rug    // a tick at the lower edge at each X
	Rows   // a horizontal bar from Low to X at each Y
	Strips // the whole height from Low to X, hatched away
	Across // broken lines across the panel: upright at each X, level at each Y
)

// A Surface is a function of two values: Z[j][k] at (X[k], Y[j]), NaN where there is none. It is drawn as filled
// contours, or as cells where an axis has Names. The ramp goes from Best, of Z, to Worst.
type Surface struct {
	X, Y        []float64
	Z           [][]float64
	Best, Worst float64
	// Veil, unless nil, is between 0 and 1 at the same places: above ½ the surface is
	// hatched away. VeilLabel is the legend of the veil.
	Veil      [][]float64
	VeilLabel string
}

// Parallel is an axis for each dimension, and a thread through them for each trial.
type Parallel struct {
	Axes    []Axis
	Threads []Thread
	Front   bool // the threads with a shade are a front, which is all among the best
}

// A Thread meets axis k at At[k]; NaN: the axis does not apply, and a dotted line bridges it.
type Thread struct {
	Trial int
	Tip   string
	Shade float64 // on the ramp: 0 the best, 1 the worst
	At    []float64
}

// values are the numbers that its axes have to show.
func (p Panel) values() (xs, ys []float64) {
	for _, s := range p.Series {
		xs = append(xs, s.X...)
		switch s.Kind {
		case Rug:
		case Strips:
			xs = append(xs, s.Low...)
		case Rows:
			xs, ys = append(xs, s.Low...), append(ys, s.Y...)
		case Band, Bars:
			ys = append(append(ys, s.Y...), s.Low...)
		default:
			ys = append(ys, s.Y...)
		}
	}
	if f := p.Surface; f != nil {
		xs, ys = append(xs, f.X...), append(ys, f.Y...)
	}
	return xs, ys
}

// part is element k of a list that may be shorter.
func part[T any](list []T, k int) (zero T) {
	if k < len(list) {
		return list[k]
	}
	return zero
}
