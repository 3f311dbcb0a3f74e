package main

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
)

// golden compares what the browser shows with the screenshot of that name that was looked
// at: at half size and in few colours, and by the mean of blocks, so that another version
// of a browser or a font passes and a picture that is gone, or a box over another, does not.
func (b *browser) golden(name string) {
	b.t.Helper()
	width, height := b.number(`document.documentElement.clientWidth`), b.number(`document.documentElement.scrollHeight`)
	var shot struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{
		"captureBeyondViewport": true,
		"clip":                  map[string]float64{"x": 0, "y": 0, "width": width, "height": height, "scale": 0.5},
	}, &shot)
	raw, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	seen, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		b.t.Fatal(err)
	}
	got := image.NewRGBA(seen.Bounds())
	draw.Draw(got, got.Bounds(), seen, image.Point{}, draw.Src)
	for k, v := range got.Pix {
		got.Pix[k] = (v + 8) / 17 * 17
		if v > 247 {
			got.Pix[k] = 255
		}
	}
	file := filepath.Join("testdata/golden", name+".png")
	if *update {
		var out bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, got); err != nil {
			b.t.Fatal(err)
		}
		if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
			b.t.Fatal(err)
		}
		return
	}
	f, err := os.Open(file)
	if err != nil {
		b.t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		b.t.Fatal(err)
	}
	if share := different(got, want); share > 0.06 {
		b.t.Errorf("%.0f %% of the page look otherwise than %s: BOHIER_SCREENSHOTS=DIR leaves it to look at, make golden "+
			"takes it", 100*share, file)
	}
}

// different is the share of the blocks of 16 by 16 pixels whose mean brightness differs by
// more than a twentieth; what only one of two pictures has is different.
func different(a, b image.Image) float64 {
	const block = 16
	w, h := max(a.Bounds().Dx(), b.Bounds().Dx()), max(a.Bounds().Dy(), b.Bounds().Dy())
	brightness := func(m image.Image, x0, y0 int) float64 {
		sum, n := 0.0, 0.0
		for y := y0; y < min(y0+block, m.Bounds().Dy()); y++ {
			for x := x0; x < min(x0+block, m.Bounds().Dx()); x++ {
				r, g, b, _ := m.At(x, y).RGBA()
				sum, n = sum+float64(r+g+b)/(3*0xffff), n+1
			}
		}
		return sum / n // NaN where the picture has ended
	}
	all, other := 0.0, 0.0
	for y := 0; y < h; y += block {
		for x := 0; x < w; x += block {
			all++
			if !(math.Abs(brightness(a, x, y)-brightness(b, x, y)) <= 0.05) {
				other++
			}
		}
	}
	return other / all
}
