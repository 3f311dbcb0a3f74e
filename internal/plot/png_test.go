package plot_test

import (
	"bytes"
	"image"
	"image/color"
	_ "image/png"
	"math"
	"strings"
	"testing"

	"bohier/internal/plot"
	"bohier/internal/text"
)

// painted counts the dots of an area that have about the colour.
func painted(m image.Image, area image.Rectangle, c color.RGBA) int {
	n := 0
	near := func(a uint32, b uint8) bool { return math.Abs(float64(a>>8)-float64(b)) < 12 }
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if r, g, b, _ := m.At(x, y).RGBA(); near(r, c.R) && near(g, c.G) && near(b, c.B) {
				n++
			}
		}
	}
	return n
}

func data(t *testing.T, f plot.Figure) []byte {
	t.Helper()
	out, err := f.PNG(plot.Auto)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func decoded(t *testing.T, f plot.Figure) image.Image {
	t.Helper()
	m, format, err := image.Decode(bytes.NewReader(data(t, f)))
	if err != nil || format != "png" {
		t.Fatalf("%s, %v", format, err)
	}
	return m
}

// A PNG has twice the dots of the SVG's pixels, the colours of its series, text,
// and nothing of them outside the axes.
func TestPNG(t *testing.T) {
	blue, dark := color.RGBA{0x00, 0x72, 0xb2, 255}, color.RGBA{0x1f, 0x23, 0x28, 255}
	grey := color.RGBA{0x59, 0x62, 0x6d, 255}
	p := plot.Panel{
		X: plot.Axis{Low: 0, High: 1, Label: "across"}, Y: plot.Axis{Low: 0, High: 1, Label: "upwards"},
		Series: []plot.Series{{Kind: plot.Line, X: []float64{-1, 2}, Y: []float64{0.5, 0.5}}},
	}
	f := plot.Figure{Title: "the title", Panels: []plot.Panel{p}}
	m := decoded(t, f)
	if m.Bounds().Dx() != 1280 || m.Bounds().Dy() != 860 {
		t.Fatalf("%v", m.Bounds())
	}
	inside, left, right := m.Bounds(), m.Bounds(), m.Bounds()
	inside.Min.X, inside.Max.X = 200, 1200
	left.Max.X, right.Min.X = 60, 1252
	if n := painted(m, inside, blue); n < 1500 {
		t.Errorf("the line has %d dots", n)
	}
	if n := painted(m, left, blue) + painted(m, right, blue); n != 0 {
		t.Errorf("the line has %d dots outside the axes", n)
	}
	for name, area := range map[string]image.Rectangle{
		"title": image.Rect(20, 16, 200, 60), "x label": image.Rect(560, 828, 740, 858), "y label": image.Rect(20, 66, 140, 96),
	} {
		if painted(m, area, dark)+painted(m, area, grey) < 30 {
			t.Errorf("no %s", name)
		}
	}
	if night, err := f.PNG(plot.Dark); err != nil || bytes.Equal(night, data(t, f)) {
		t.Errorf("the dark theme looks like the light one, %v", err)
	}
	p.Series[0].Tone = 1
	if again := decoded(t, plot.Figure{Panels: []plot.Panel{p}}); painted(again, again.Bounds(), blue) != 0 {
		t.Error("another tone has the same colour")
	}
}

// Whatever the data, every kind of series is drawn as PNG and as text of lines
// that fit.
func TestPNGAndTextOfOddData(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	drawn := 0
	for _, v := range [][]float64{nil, {1}, {nan, nan}, {-1e300, 1e300}, {1, nan, inf, 3, 0, -1}, {5e-324, 1e-300}, {7, 7, 7}} {
		for _, axis := range []plot.Axis{{}, {Log: true}, {Low: -1, High: -0.999}, {Names: []string{"日本", strings.Repeat("long ", 30)}}} {
			p := plot.Panel{Title: "t\x1b", X: axis, Y: axis}
			for k := plot.Line; k <= plot.Strips; k++ {
				p.Series = append(p.Series, plot.Series{Label: "s", Kind: k, Tone: plot.Tone(k), X: v, Y: v, Low: v})
			}
			f := plot.Figure{Title: "<&>", Width: 200, Height: 150, Panels: []plot.Panel{p}}
			decoded(t, f)
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
