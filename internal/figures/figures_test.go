package figures

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

func svm(t *testing.T) *study.Study {
	t.Helper()
	s, err := space.New([]space.Parameter{
		{Name: "kernel", Kind: space.Categorical, Values: []string{"rbf", "poly", "it's $(x)\n"}},
		{Name: "lr", Kind: space.Float, Low: 1e-6, High: 1, Scale: space.Log},
		{Name: "degree", Kind: space.Int, Low: 2, High: 6, Condition: space.In{Param: 0, Values: []float64{1}}},
		{Name: "use.bias", Kind: space.Bool, Values: []string{"false", "true"}},
	}, nil, nil)
	must(t, err)
	return &study.Study{Name: "svm", Space: s, Objectives: []study.Objective{{Name: "loss"}}}
}

func trial(t *testing.T, st *study.Study, params string) *study.Trial {
	t.Helper()
	c, err := st.Space.ParseJSON([]byte(params))
	must(t, err)
	return &study.Trial{Number: 7, Tag: "k3f9", State: study.Pending, Source: "model", Config: c}
}

// elements counts the elements of an SVG file, which must be well formed.
func elements(t *testing.T, svg []byte) map[string]int {
	t.Helper()
	count := map[string]int{}
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return count
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
		}
	}
}

// labelled finds a series.
func labelled(t *testing.T, f plot.Figure, label string) plot.Series {
	t.Helper()
	for _, s := range f.Panels[0].Series {
		if s.Label == label {
			return s
		}
	}
	t.Fatalf("no series %q in %+v", label, f)
	return plot.Series{}
}

func TestConvergence(t *testing.T) {
	st := svm(t)
	var list []study.Trial
	for k, v := range []float64{3, 5, 2, 1, 4} {
		tr := study.Trial{Number: k + 1, State: study.Complete}
		tr.Values = study.Values{{Name: "loss", Value: v}}
		list = append(list, tr)
	}
	list = append(list, study.Trial{Number: 6, State: study.Pending}, study.Trial{Number: 7, State: study.Failed})
	st.Constraints = []study.Constraint{{Name: "size", Bound: 1}}
	for k := range 5 {
		list[k].Values.Set("size", float64(k/3*(5-k))) // of trial 4 too large
	}
	for direction, want := range map[study.Direction][]float64{
		study.Minimize: {3, 3, 2, 2}, study.Maximize: {3, 5, 5, 5},
	} {
		st.Objectives[0].Direction = direction
		f := Convergence(Source{Study: st, Trials: list}, "trial")
		best := labelled(t, f, "best so far")
		if diff := cmp.Diff(want, best.Y); diff != "" {
			t.Errorf("%v: %s", direction, diff)
		}
		if diff := cmp.Diff([]float64{1, 2, 3, 5}, best.X); diff != "" {
			t.Errorf("%v: %s", direction, diff)
		}
		if s := labelled(t, f, "violates a constraint"); len(s.Y) != 1 || s.Y[0] != 1 || s.Trials[0] != 4 {
			t.Errorf("%v: %+v", direction, s)
		}
		if s := labelled(t, f, "failed"); len(s.X) != 1 || s.X[0] != 7 {
			t.Errorf("%v: %+v", direction, s)
		}
		elements(t, f.SVG())
	}
	for k, cost := range map[int]float64{0: 2, 2: 0.5, 3: 1, 6: 7} {
		list[k].Cost = &cost
	}
	byCost := Convergence(Source{Study: st, Trials: list}, "cost")
	if diff := cmp.Diff([]float64{2, 2, 2.5, 3.5}, labelled(t, byCost, "best so far").X); diff != "" {
		t.Errorf("by cost: %s", diff)
	}
	st.Objectives[0].Direction = study.Minimize
	steps, spent := report.Progress(st.Standing(nil), list), report.Spent(list)
	if len(steps) != 2 || steps[1].Trial != 3 || *steps[1].Cost != 2.5 ||
		*spent != (report.Spending{Total: 10.5, Trials: 4, Unknown: 2}) {
		t.Errorf("progress %+v, %+v", steps, spent)
	}
	target := 1.5
	st.Objectives[0].Target = &target
	if s := labelled(t, Convergence(Source{Study: st, Trials: list}, "trial"), "target"); s.Y[0] != target {
		t.Errorf("no target: %+v", s)
	}
}

// record is a Posterior that keeps what it was asked.
type record struct{ asked *[]space.Configuration }

func (r record) Predict(at []space.Configuration) (mean, std []float64, _ func(int) float64) {
	*r.asked = append(*r.asked, at...)
	n := len(at)
	return make([]float64, n), make([]float64, n), nil
}

func TestSlice(t *testing.T) {
	st := svm(t)
	at := trial(t, st, `{"kernel":"rbf","lr":0.01,"use.bias":true}`)
	other := trial(t, st, `{"kernel":"poly","lr":0.5,"degree":3,"use.bias":false}`)
	other.State, other.Values = study.Complete, study.Values{{Name: "loss", Value: 0.2}}
	list := []study.Trial{*other, {Number: 9, State: study.Complete, Outside: true,
		Observation: study.Observation{Values: study.Values{{Name: "loss", Value: 1}}}}}

	var asked []space.Configuration
	source := Source{Study: st, Trials: list, Surrogate: record{&asked}.Predict}
	f := Slice(source, 1, Place{At: at.Config}) // lr, a log scale from 1e-6 to 1
	if len(asked) != 201 || !f.Panels[0].X.Log {
		t.Fatalf("%d points, axis %+v", len(asked), f.Panels[0].X)
	}
	if got := asked[100].Value[1]; !(math.Abs(got/1e-3-1) <= 1e-9) {
		t.Errorf("the middle of the log scale is %v", got)
	}
	for _, c := range asked {
		if err := st.Space.Validate(c); err != nil || c.Value[3] != 1 {
			t.Fatalf("%+v: %v", c, err)
		}
	}
	if seen := labelled(t, f, "observed"); len(seen.X) != 1 || seen.X[0] != 0.5 || seen.Y[0] != 0.2 {
		t.Errorf("observed: %+v", seen)
	}
	elements(t, f.SVG())

	asked = nil // kernel: poly switches degree on, in the middle of 2 to 6
	f = Slice(source, 0, Place{At: at.Config})
	if len(asked) != 3 || asked[1].Active[2] == false || asked[1].Value[2] != 4 || asked[0].Active[2] {
		t.Errorf("%+v", asked)
	}
	if s := labelled(t, f, "posterior mean"); s.Kind != plot.Dots || len(s.X) != 3 {
		t.Errorf("%+v", s)
	}
}

func TestSliceKeepsToWhatIsAllowed(t *testing.T) {
	s, err := space.New([]space.Parameter{
		{Name: "n", Kind: space.Int, Low: 1, High: 9},
	}, []space.Clause{{Text: "n = 4", Expr: space.In{Param: 0, Values: []float64{4}}}}, nil)
	must(t, err)
	st := &study.Study{Space: s, Objectives: []study.Objective{{Name: "loss"}}}
	var asked []space.Configuration
	f := Slice(Source{Study: st, Surrogate: record{&asked}.Predict}, 0, Place{At: trial(t, st, `{"n":2}`).Config})
	if len(asked) != 8 {
		t.Errorf("%d points asked for", len(asked))
	}
	if s := labelled(t, f, "not allowed"); len(s.X) != 1 || s.Low[0] != 3.5 || s.X[0] != 4.5 {
		t.Errorf("%+v", s)
	}
}

// TestManyValues: pictures along a choice of 5,000 values have a bounded size.
func TestManyValues(t *testing.T) {
	values := make([]string, 5000)
	for k := range values {
		values[k] = fmt.Sprint("v", k)
	}
	s, err := space.New([]space.Parameter{
		{Name: "c", Kind: space.Categorical, Values: values}, {Name: "x", Kind: space.Float, High: 1},
	}, nil, nil)
	must(t, err)
	st := &study.Study{Space: s, Objectives: []study.Objective{{Name: "loss"}}}
	place := Place{At: trial(t, st, `{"c":"v7","x":0.5}`).Config}
	var asked []space.Configuration
	source := Source{Study: st, Surrogate: record{&asked}.Predict}
	along := Slice(source, 0, place)
	if n := len(asked); n != 201 || asked[0].Value[0] != 0 || asked[n-1].Value[0] != 4999 {
		t.Errorf("%d configurations, from %v to %v", n, asked[0].Value[0], asked[n-1].Value[0])
	}
	for _, f := range []plot.Figure{along, Contour(source, 0, 1, place)} {
		if size := len(f.SVG()); size > 2e6 {
			t.Errorf("%q has %d bytes", f.Title, size)
		}
	}
}

// TestCalibration: the share of values inside each central interval, beside what chance allows.
func TestCalibration(t *testing.T) {
	st := &study.Study{Objectives: []study.Objective{{Name: "f"}}}
	line := func(levels []float64) (nominal, share []float64) {
		n := len(levels)
		v := make([]float64, n)
		for k := range v {
			v[k] = float64(k)
		}
		f := Calibration(Source{Study: st}, study.LeftOut{Observed: v, Mean: v, Low: v, High: v, Level: levels})
		elements(t, f.SVG())
		if dots := f.Panels[1].Series[2]; dots.Kind != plot.Dots || len(dots.X) != n {
			t.Errorf("%d dots for %d values", len(dots.X), n)
		}
		s := f.Panels[0].Series[2]
		return s.X, s.Y
	}
	const n = 40
	even, centred, far := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range n {
		even[k] = (float64(k) + 0.5) / n
		centred[k] = 0.4 + 0.2*even[k]
		far[k] = float64(k%2)*0.9 + 0.1*even[k]
	}
	x, y := line(even)
	for k := range x {
		if !(math.Abs(y[k]-x[k]) <= 1.5/n) {
			t.Errorf("calibrated: %v inside intervals of %v", y[k], x[k])
		}
	}
	if _, y := line(centred); y[20] < 0.99 {
		t.Errorf("timid: %v inside intervals of 20 %%", y[20])
	}
	if _, y := line(far); y[79] > 0.01 {
		t.Errorf("too sure: %v inside intervals of 79 %%", y[79])
	}
	huge := []float64{-1.7e308, 1.7e308}
	f := Calibration(Source{Study: st},
		study.LeftOut{Observed: huge, Mean: huge, Low: huge, High: []float64{math.Inf(1), 0}, Level: []float64{0, 1}})
	if svg := f.SVG(); elements(t, svg)["svg"] != 3 || bytes.Contains(svg, []byte("NaN")) {
		t.Errorf("the ends of the number range: %s", svg)
	}
}

// TestBinomialQuantile against sums of the probabilities of 0, 1, ….
func TestBinomialQuantile(t *testing.T) {
	checks := 0
	for _, n := range []int{1, 2, 7, 30} {
		for _, p := range []float64{0, 0.03, 0.5, 0.9, 1} {
			for _, q := range []float64{0.05, 0.45, 0.95} {
				sum, choose, want := 0.0, 1.0, n
				for k := range n + 1 {
					sum += choose * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
					if sum >= q {
						want = k
						break
					}
					choose *= float64(n-k) / float64(k+1)
				}
				checks++
				if got := binomialQuantile(n, p, q); got != want {
					t.Errorf("n %d, p %v, q %v: %d, want %d", n, p, q, got, want)
				}
			}
		}
	}
	if checks != 60 {
		t.Errorf("%d quantiles", checks)
	}
}

// A few poor values do not flatten the others, in either direction, and none is lost.
func TestFocus(t *testing.T) {
	good := []float64{1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8}
	for _, c := range []struct {
		seen []float64
		to   study.Direction
		want bool
	}{
		{append(good, 1000), study.Minimize, true}, {append(good, 2), study.Minimize, false},
		{append(good, -1000), study.Minimize, false}, {append(good, -1000), study.Maximize, true},
		{good[:3], study.Minimize, false},
	} {
		var a plot.Axis
		clipped := Source{}.window(&a, study.Objective{Direction: c.to}, c.seen, nil, good)
		low, high := a.Low, a.High
		if clipped != c.want || (low < high) != c.want {
			t.Errorf("%v, to %v: %v to %v", c.seen, c.to, low, high)
		}
		for _, v := range good {
			if low < high && (v < low || v > high) {
				t.Errorf("%v is not within %v to %v", v, low, high)
			}
		}
	}
	st := svm(t)
	s := Source{Study: st}
	for k, v := range append(good, -1000) {
		tr := study.Trial{Number: k + 1, State: study.Complete}
		tr.Values = study.Values{{Name: "loss", Value: v - 500}}
		s.Trials = append(s.Trials, tr)
	}
	st.Objectives[0].Direction = study.Maximize
	f := Convergence(s, "trial")
	if n := len(labelled(t, f, "observed").X); n != len(s.Trials) || f.Panels[0].Y.Label != "loss"+edge {
		t.Errorf("%d of %d points, by %s", n, len(s.Trials), f.Panels[0].Y.Label)
	}
	s.Scale = "linear"
	if p := Convergence(s, "trial").Panels[0]; p.Y.Low != p.Y.High || p.Y.Log {
		t.Errorf("%+v", p.Y)
	}
	s.Scale = ""
	for k := range s.Trials {
		s.Trials[k].Values.Set("loss", float64(int(1)<<k))
	}
	if p := Convergence(s, "trial").Panels[0]; p.Y.Log {
		t.Error("a log axis squeezes the large values, which are good")
	}
	st.Objectives[0].Direction = study.Minimize
	if p := Convergence(s, "trial").Panels[0]; !p.Y.Log {
		t.Error("three decades without a log axis")
	}
}

// Pictures have room for the good values whichever they are of, and say what is at the edge.
func TestWindows(t *testing.T) {
	st := svm(t)
	s := Source{Study: st, Trials: example(t).Trials}
	for k := range 20 {
		tr := s.Trials[0]
		tr.Number, tr.Values = 100+k, study.Values{{Name: "loss", Value: 1 + float64(k)/20}}
		if k%3 == 0 {
			tr.Values.Set("loss", 1e6+float64(k))
		}
		s.Trials = append(s.Trials, tr)
	}
	s.Trials = s.Trials[len(s.Trials)-20:]
	if a := Convergence(s, "trial").Panels[0].Y; !(a.High < 10) || a.Label != "loss"+edge {
		t.Errorf("%+v", a)
	}
	f := Parallel(s, s.ByImportance())
	q := f.Panels[0].Parallel
	if a := q.Axes[len(q.Axes)-1]; !(a.High < 10) || !strings.Contains(f.Note, "Poor values of loss are at the edge.") {
		t.Errorf("%+v, %s", a, f.Note)
	}
	s.Scale = "log"
	if a := Convergence(s, "trial").Panels[0].Y; !a.Log || a.Low != a.High {
		t.Errorf("%+v", a)
	}
}

// Parameters follow those that activate them, and a thread bridges those that it lacks.
func TestFamilies(t *testing.T) {
	s := example(t)
	place := map[int]int{}
	for k, i := range s.families(s.ByImportance()) {
		place[i] = k
	}
	if len(place) != len(s.ByImportance()) {
		t.Fatalf("%v of %v", place, s.ByImportance())
	}
	for i := range place {
		for _, p := range s.Study.Space.Parents(i) {
			if place[p] > place[i] {
				t.Errorf("%s comes before %s", s.Study.Space.Param(i).Name, s.Study.Space.Param(p).Name)
			}
		}
	}
	if svg := string(Parallel(s, s.ByImportance()).SVG()); !strings.Contains(svg, `stroke-dasharray="1 3"`) {
		t.Error("no bridge over a gap")
	}
}

// Where to cut: at the incumbent, at the best of a branch, or at fixed values.
func TestPlaceFor(t *testing.T) {
	s := example(t)
	lr, _ := s.Study.Space.Index("lr")
	degree, _ := s.Study.Space.Index("degree")
	for _, c := range []struct {
		along []int
		fixed space.Assignment
		want  string
		trial int
	}{
		{[]int{lr}, nil, "incumbent, trial 5-", 5},
		{[]int{degree}, nil, "trial 3-k3f9, the best of its branch; the incumbent is trial 5-", 3},
		{[]int{lr}, space.Assignment{0: 0}, "trial 1-k3f9, the best of its branch", 1},
		{[]int{lr}, space.Assignment{degree: 4}, "trial 3-k3f9, but for the fixed values", 0},
	} {
		place, ok := s.PlaceFor(c.along, c.fixed)
		if !ok || !strings.Contains(place.Words, c.want) ||
			c.trial > 0 && (place.Trial == nil || place.Trial.Number != c.trial) {
			t.Errorf("%v, %v: %+v, %v", c.along, c.fixed, place, ok)
		}
		for i, v := range c.fixed {
			if place.At.Value[i] != v || !place.At.Active[i] {
				t.Errorf("%v is not held: %+v", c.fixed, place.At)
			}
		}
	}
	if _, ok := s.PlaceFor([]int{degree}, space.Assignment{0: 0}); ok {
		t.Error("degree is active without its kernel")
	}
	s.Standing = studytest.Believed(s.Study, s.Trials, map[int]study.Estimate{1: {Mean: 0.001}, 5: {Mean: 0.5}})
	if place, _ := s.PlaceFor([]int{lr}, nil); place.Trial.Number != 1 {
		t.Errorf("the leader is trial 1, not %+v", place)
	}
}

// The window of values near the largest number ends there: an axis has no infinite end.
func TestWindowOfLargestNumbers(t *testing.T) {
	var a plot.Axis
	clipped := Source{}.window(&a, study.Objective{Direction: study.Maximize}, []float64{1e-300, 1e300, 1e305, 1e308, math.MaxFloat64}, nil, nil)
	if !clipped || !a.Log || a.High != math.MaxFloat64 {
		t.Errorf("%v to %v", a.Low, a.High)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
