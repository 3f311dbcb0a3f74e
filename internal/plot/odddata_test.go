package plot_test

import (
	"math"
	"strings"
	"testing"

	"bohier/internal/plot"
	"bohier/internal/text"
)

// Whatever the data, every kind of series is drawn as SVG and as text of lines that fit.
func TestOddData(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	drawn := 0
	for _, v := range [][]float64{nil, {1}, {nan, nan}, {-1e300, 1e300}, {1, nan, inf, 3, 0, -1}, {5e-324, 1e-300},
		{7, 7, 7}} {
		for _, axis := range []plot.Axis{{}, {Log: true}, {Low: -1, High: -0.999},
			{Names: []string{"日本", strings.Repeat("long ", 30)}}} {
			p := plot.Panel{Title: "t\x1b", X: axis, Y: axis}
			for k := plot.Line; k <= plot.Strips; k++ {
				p.Series = append(p.Series, plot.Series{Label: "s", Kind: k, Tone: plot.Tone(k), X: v, Y: v, Low: v})
			}
			f := plot.Figure{Title: "<&>", Width: 200, Height: 150, Panels: []plot.Panel{p}}
			if svg := string(f.SVG()); !strings.HasPrefix(svg, "<svg") || strings.Contains(svg, "NaN") ||
				strings.Contains(svg, "Inf") {
				t.Errorf("%v, %+v: %s", v, axis, svg)
			}
			drawing := string(f.Text(60))
			for _, line := range strings.Split(drawing, "\n") {
				if text.Columns(line) > 60 {
					t.Errorf("%v, %+v: %d columns in\n%s", v, axis, text.Columns(line), drawing)
				}
			}
			if strings.Contains(drawing, "\x1b") {
				t.Errorf("%q", drawing)
			}
			drawn++
		}
	}
	if drawn != 28 {
		t.Errorf("%d figures", drawn)
	}
}
