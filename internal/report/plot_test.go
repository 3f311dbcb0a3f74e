package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/space"
	"bohier/internal/study"
)

// elements counts the elements of an SVG file, which must be well formed.
func elements(t *testing.T, svg []byte) map[string]int {
	t.Helper()
	count := map[string]int{}
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if err == io.EOF {
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

func TestSVGIsWellFormed(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	axes := []Axis{
		{}, {Label: "a<b & \"c\""}, {Log: true}, {Low: -1, High: 1}, {Names: []string{"<x>", strings.Repeat("long ", 30)}},
	}
	data := [][]float64{nil, {1}, {0, 1, 2}, {nan, nan}, {-1e300, 1e300}, {1, nan, inf, 3, 0, -1}, {5e-324, 1e-300}, {7, 7, 7}}
	drawn := 0
	for _, x := range axes {
		for _, y := range axes {
			for _, v := range data {
				p := Panel{Title: "t&", X: x, Y: y}
				for k := Line; k <= Bars; k++ {
					p.Series = append(p.Series, Series{Label: "<" + fmt.Sprint(k), Kind: k, Tone: int(k), X: v, Y: v, Low: v})
				}
				f := Figure{Title: "<&>", Columns: 2, Panels: []Panel{p, p, {}}}
				svg := f.SVG()
				if elements(t, svg)["svg"] != 4 {
					t.Errorf("not three panels:\n%s", svg)
				}
				if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
					t.Errorf("%+v %+v %v: no number in\n%s", x, y, v, svg)
				}
				if !bytes.Equal(svg, f.SVG()) {
					t.Error("drawn differently the second time")
				}
				drawn++
			}
		}
	}
	if drawn != 200 {
		t.Errorf("%d figures", drawn)
	}
}

func TestScale(t *testing.T) {
	for _, c := range []struct {
		s       scale
		v, want float64
	}{
		{scale{0, 10, 0, 100, false}, 2.5, 25},
		{scale{0, 10, 100, 0, false}, 2.5, 75},
		{scale{1, 100, 0, 100, true}, 10, 50},
		{scale{1, 100, 0, 100, true}, 0, math.NaN()},
	} {
		if got := c.s.at(c.v); !(math.Abs(got-c.want) < 1e-12) && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%+v at %v: %v, want %v", c.s, c.v, got, c.want)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		lo, hi float64
		want   string
	}{
		{Axis{}, 0, 10, "0 2 4 6 8 10"},
		{Axis{}, -0.07, 0.31, "0 0.1 0.2 0.3"},
		{Axis{}, 1234, 1236, "1234.0 1234.5 1235.0 1235.5 1236.0"},
		{Axis{}, 0, 5e6, "0 1000000 2000000 3000000 4000000 5000000"},
		{Axis{}, 999964, 1000788, "1000000 1000200 1000400 1000600"},
		{Axis{}, 1e12, 1e12 + 4, "1000000000000 1000000000001 1000000000002 1000000000003 1000000000004"},
		{Axis{Log: true}, 1e-5, 10, "1e-05 0.0001 0.001 0.01 0.1 1 10"},
		{Axis{Log: true}, 1, 100, "1 2 5 10 20 50 100"},
		{Axis{Log: true}, 1e-12, 1e12, "1e-12 1e-08 0.0001 1 1e+04 1e+08 1e+12"},
		{Axis{Log: true}, 2, 6, "2 3 4 5 6"},
		{Axis{Names: []string{"a", "b"}}, 0, 1, "a b"},
	} {
		var got []string
		for _, k := range c.axis.ticks(c.lo, c.hi, 5) {
			got = append(got, k.label)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%v to %v: %s", c.lo, c.hi, diff)
		}
	}
}

func TestGapsCutLines(t *testing.T) {
	s := Series{X: []float64{0, 1, 2, 3}, Y: []float64{0, 1, math.NaN(), 3}}
	got := runs(s, scale{0, 1, 0, 1, false}, scale{0, 1, 0, 1, false})
	if len(got) != 2 || len(got[0].x) != 2 || len(got[1].x) != 1 {
		t.Errorf("%+v", got)
	}
	corners := got[0].stairs()
	if diff := cmp.Diff([]float64{0, 1, 1}, corners.x); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{0, 0, 1}, corners.y); diff != "" {
		t.Error(diff)
	}
}

func TestConvergence(t *testing.T) {
	st := svm(t)
	var list []study.Trial
	for k, v := range []float64{3, 5, 2, 1, 4} {
		tr := study.Trial{Number: k + 1, State: study.Complete}
		tr.Values = map[string]float64{"loss": v}
		list = append(list, tr)
	}
	list = append(list, study.Trial{Number: 6, State: study.Pending}, study.Trial{Number: 7, State: study.Failed})
	counts := func(t *study.Trial) bool { return t.Number != 4 } // infeasible
	for direction, want := range map[study.Direction][]float64{
		study.Minimize: {3, 3, 2, 2}, study.Maximize: {3, 5, 5, 5},
	} {
		st.Objective.Direction = direction
		series := Convergence(st, list, counts, nil, false).Panels[0].Series
		best := series[len(series)-1]
		if diff := cmp.Diff(want, best.Y); diff != "" {
			t.Errorf("%v: %s", direction, diff)
		}
		if diff := cmp.Diff([]float64{1, 2, 3, 5}, best.X); diff != "" {
			t.Errorf("%v: %s", direction, diff)
		}
		if series[1].Label != "infeasible" || series[1].Y[0] != 1 {
			t.Errorf("%v: %+v", direction, series[1])
		}
	}
	for k, cost := range map[int]float64{0: 2, 2: 0.5, 3: 1, 6: 7} {
		list[k].Cost = &cost
	}
	series := Convergence(st, list, counts, nil, true).Panels[0].Series
	if diff := cmp.Diff([]float64{2, 2, 2.5, 3.5}, series[len(series)-1].X); diff != "" {
		t.Errorf("by cost: %s", diff)
	}
	st.Objective.Direction = study.Minimize
	steps, spent := Progress(st, list, counts)
	if len(steps) != 2 || steps[1].Trial != 3 || *steps[1].Cost != 2.5 || *spent != (Spending{Total: 10.5, Trials: 4, Unknown: 2}) {
		t.Errorf("progress %+v, %+v", steps, spent)
	}
	target := 1.5
	st.Objective.Target = &target
	series = Convergence(st, list, counts, nil, false).Panels[0].Series
	if s := series[len(series)-1]; s.Label != "target" || s.Y[1] != target {
		t.Errorf("no target: %+v", s)
	}
}

// record is a Posterior that keeps what it was asked.
type record struct{ asked *[]space.Configuration }

func (r record) Predict(at []space.Configuration) (mean, std, noisy []float64) {
	*r.asked = append(*r.asked, at...)
	n := len(at)
	return make([]float64, n), make([]float64, n), make([]float64, n)
}

func TestSlice(t *testing.T) {
	st := svm(t)
	at := trial(t, st, `{"kernel":"rbf","lr":0.01,"use.bias":true}`)
	other := trial(t, st, `{"kernel":"poly","lr":0.5,"degree":3,"use.bias":false}`)
	other.State, other.Values = study.Complete, map[string]float64{"loss": 0.2}
	list := []study.Trial{*other, {Number: 9, State: study.Complete, Outside: true, Observation: study.Observation{Values: map[string]float64{"loss": 1}}}}

	var asked []space.Configuration
	f := Slice(st, 1, at.Config, list, record{&asked}) // lr, a log scale from 1e-6 to 1
	if len(asked) != 202 || !f.Panels[0].X.Log {
		t.Fatalf("%d points, axis %+v", len(asked), f.Panels[0].X)
	}
	if got := asked[100].Value[1]; math.Abs(got/1e-3-1) > 1e-9 {
		t.Errorf("the middle of the log scale is %v", got)
	}
	for _, c := range asked {
		if err := st.Space.Validate(c); err != nil || c.Value[3] != 1 {
			t.Fatalf("%+v: %v", c, err)
		}
	}
	if seen := f.Panels[0].Series[1]; len(seen.X) != 1 || seen.X[0] != 0.5 || seen.Y[0] != 0.2 {
		t.Errorf("observed: %+v", seen)
	}
	elements(t, f.SVG())

	asked = nil // kernel: poly switches degree on, in the middle of 2 to 6
	f = Slice(st, 0, at.Config, list, record{&asked})
	if len(asked) != 3 || asked[1].Active[2] == false || asked[1].Value[2] != 4 || asked[0].Active[2] {
		t.Errorf("%+v", asked)
	}
	if elements(t, f.SVG())["circle"] == 0 {
		t.Error("no dots")
	}
}

func TestSliceKeepsToWhatIsAllowed(t *testing.T) {
	s, err := space.New([]space.Parameter{
		{Name: "n", Kind: space.Int, Low: 1, High: 9},
	}, []space.Clause{{Text: "n = 4", Expr: space.In{Param: 0, Values: []float64{4}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	st := &study.Study{Space: s, Objective: study.Objective{Name: "loss"}}
	var asked []space.Configuration
	Slice(st, 0, trial(t, st, `{"n":2}`).Config, nil, record{&asked})
	if len(asked) != 9 { // eight on the line, and the incumbent
		t.Errorf("%d points asked for", len(asked))
	}
}

// TestCalibration: the share of values inside each central interval, beside what
// chance allows.
func TestCalibration(t *testing.T) {
	st := &study.Study{Objective: study.Objective{Name: "f"}}
	line := func(levels []float64) (nominal, share []float64) {
		n := len(levels)
		v := make([]float64, n)
		for k := range v {
			v[k] = float64(k)
		}
		f := Calibration(st, LeftOut{Observed: v, Mean: v, Low: v, High: v, Level: levels})
		if got := elements(t, f.SVG())["circle"]; got < n {
			t.Errorf("%d dots for %d values", got, n)
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
		if math.Abs(y[k]-x[k]) > 1.5/n {
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
	f := Calibration(st, LeftOut{Observed: huge, Mean: huge, Low: huge, High: []float64{math.Inf(1), 0}, Level: []float64{0, 1}})
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
