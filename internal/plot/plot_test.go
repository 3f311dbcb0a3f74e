package plot

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
)

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

func TestSVGIsWellFormed(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	axes := []Axis{
		{}, {Label: "a<b & \"c\""}, {Log: true}, {Low: -1, High: 1}, {Names: []string{"<x>", strings.Repeat("long ", 30)}},
	}
	data := [][]float64{nil, {1}, {0, 1, 2}, {nan, nan}, {-1e300, 1e300}, {1, nan, inf, 3, 0, -1}, {5e-324, 1e-300},
		{1e-300, 1, 1e300}, {7, 7, 7}}
	drawn := 0
	for _, x := range axes {
		for _, y := range axes {
			for _, v := range data {
				p := Panel{Title: "t&", X: x, Y: y}
				for k := Line; k <= Strips; k++ {
					p.Series = append(p.Series, Series{Label: "<" + fmt.Sprint(k), Kind: k, Tone: Tone(k), X: v, Y: v, Low: v})
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
	if drawn != 225 {
		t.Errorf("%d figures", drawn)
	}
}

func TestScale(t *testing.T) {
	for _, c := range []struct {
		s       scale
		v, want float64
	}{
		{scale{0, 10, 0, 100, false, false}, 2.5, 25},
		{scale{0, 10, 100, 0, false, false}, 2.5, 75},
		{scale{1, 100, 0, 100, true, false}, 10, 50},
		{scale{1, 100, 0, 100, true, false}, 0, math.NaN()},
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
		{Axis{}, 1e8, 1.1e8, "100M 102M 104M 106M 108M 110M"},
		{Axis{}, -2e7, 1e7, "-20M -10M 0 10M"},
		{Axis{Whole: true}, 0, 3, "0 1 2 3"},
		{Axis{}, 999964, 1000788, "1000000 1000200 1000400 1000600"},
		{Axis{}, 1e12, 1e12 + 4, "1000000000000 1000000000001 1000000000002 1000000000003 1000000000004"},
		{Axis{Log: true}, 1e-5, 10, "1e-5 0.0001 0.001 0.01 0.1 1 10"},
		{Axis{Log: true}, 1, 100, "1 2 5 10 20 50 100"},
		{Axis{Log: true}, 1e-12, 1e12, "1e-12 1e-8 0.0001 1 1e4 1e8 1e12"},
		{Axis{Log: true}, 2, 6, "2 3 4 5 6"},
		{Axis{Names: []string{"a", "b"}}, 0, 1, "a b"},
		{Axis{Names: strings.Fields(strings.Repeat("a b c d e ", 12))}, 0, 59, strings.TrimSpace(strings.Repeat("a b c d e ", 12))},
		{Axis{Names: strings.Fields(strings.Repeat("a b c d e ", 13))}, 0, 64, strings.TrimSpace(strings.Repeat("a c e b d ", 7)[:65])},
	} {
		var got []string
		for _, k := range c.axis.ticks(c.lo, c.hi, 5) {
			if k.label != "" {
				got = append(got, k.label)
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%v to %v: %s", c.lo, c.hi, diff)
		}
	}
}

func TestGapsCutLines(t *testing.T) {
	s := Series{X: []float64{0, 1, 2, 3}, Y: []float64{0, 1, math.NaN(), 3}}
	got := s.runs(scale{0, 1, 0, 1, false, false}, scale{0, 1, 0, 1, false, false}, 0)
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
	level := line{x: []float64{0, 1, 2, 3, 4}, y: []float64{5, 5, 5, 2, 2}}.stairs() // no point between changes
	if diff := cmp.Diff([]float64{0, 3, 3, 4, 4}, level.x); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{5, 5, 2, 2, 2}, level.y); diff != "" {
		t.Error(diff)
	}
}
