package plot

import "bohier/internal/text"

// head writes the title of a panel and its legend, in rows, and returns where they end.
func (d drawing) head(p Panel) float64 {
	y := d.y
	if p.Title != "" {
		d.text(d.x+12, y+18, atStart, strong, ink, text.Shorten(p.Title, int((d.w-24)/textStep)))
		y += 20
	}
	const swatch, gap = 3.5 * textStep, 2.5 * textStep
	x, used := 0.0, false
	entry := func(label string, draw func(x, y float64)) {
		label = text.Shorten(label, int((d.w-24-swatch)/textStep))
		need := swatch + width(label) + gap
		if used && x+need > d.w-12 {
			x, y = 0, y+lineStep
		}
		used = true
		draw(d.x+12+x, y+5)
		d.text(d.x+12+x+swatch, y+16, atStart, plain, soft, label)
		x += need
	}
	for _, s := range p.Series {
		if s.Label != "" {
			entry(s.Label, func(x, y float64) { d.swatch(s, x, y) })
		}
	}
	if f := p.Surface; f != nil && f.Veil != nil && f.VeilLabel != "" {
		entry(f.VeilLabel, func(x, y float64) {
			d.fill([]line{rectangle(x, y, x+15, y+12)}, hidden)
		})
	}
	if used {
		y += lineStep + 4
	}
	if f := p.Surface; f != nil {
		d.ramp(f.Best, f.Worst, y)
		y += lineStep
	}
	return y
}

// swatch shows how a series looks, in 15 by 12 pixels.
func (d drawing) swatch(s Series, x, y float64) {
	key := Series{Kind: s.Kind, Tone: s.Tone, X: []float64{0, 1}, Y: []float64{0.5, 0.5}, Low: []float64{0, 0}}
	in := drawing{d.canvas, 0, 0, 15, y + 12}
	switch s.Kind {
	case Dots, Crosses, Rings, Stars, Rug:
		key.X, key.Y = []float64{0.5}, []float64{0.5}
	case Across:
		key.Kind = Dashed
	case Bars:
		key.X, key.Y, key.Low = []float64{0.5}, []float64{1}, []float64{0}
	case Band:
		key.Y = []float64{1, 1}
	case Rows, Strips:
		d.fill([]line{rectangle(x, y, x+15, y+12)}, pen{tone: s.Tone,
			opacity: map[Kind]float64{Rows: 0.85, Strips: 0.22}[s.Kind], sign: s.Kind.sign(s.Tone)})
		return
	}
	in.series(key, scale{0, 1, x, x + 15, false, false}, scale{0, 1, y + 12, y, false, false})
}

// ramp is the legend of shades: from the best value to the worst.
func (d drawing) ramp(best, worst, y float64) {
	ends := [2]string{brief(best), brief(worst)}
	x := d.x + 12
	d.text(x, y+15, atStart, plain, soft, ends[0])
	x += width(ends[0]) + 6
	step := min(12, (d.x+d.w-16-width(ends[1])-x)/Levels)
	if step < 2 {
		return
	}
	for k := range Levels {
		at := x + float64(k)*step
		d.fill([]line{rectangle(at, y+5, at+step+0.3, y+16)}, pen{tone: ramp0 + Tone(k)})
	}
	d.text(x+Levels*step+6, y+15, atStart, plain, soft, ends[1])
}
