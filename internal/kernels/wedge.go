package kernels

// wedge is h·1[exactly one is active]: what box adds to imp. It works along
// numbers and names.
type wedge struct{ h int }

type boundWedge struct {
	h    int
	v    float64
	col  *column
	on   []float64 // activity of the reference points, 0 or 1; nil: all active
	away float64   // activity that the loaded point lacks
	at   int       // feature
}

func (w *wedge) bind(theta []float64, col *column) boundTerm {
	b := &boundWedge{h: w.h, v: theta[w.h], col: col, on: col.on}
	if col.code != nil {
		b.on = make([]float64, len(col.code))
		for t, v := range col.code {
			if v < col.axis.levels {
				b.on[t] = 1
			}
		}
	}
	return b
}

func (b *boundWedge) load(int) {
	active := b.col.xOn == 1
	if b.col.code != nil {
		active = b.col.xCode < b.col.axis.levels
	}
	b.away = 1
	if active {
		b.away = 0
	}
}

func (b *boundWedge) squares(list []square) []square { return list }
func (b *boundWedge) slope([]float64, int)           {}

func (b *boundWedge) add(dst []float64, lo int) {
	switch {
	case b.on != nil:
		addChoices(dst, b.on[lo:], 1-b.away, b.away, b.v, 0)
	case b.away == 1:
		for t := range dst {
			dst[t] += b.v
		}
	}
}

func (b *boundWedge) pull(dtheta, g []float64, lo int) {
	switch {
	case b.on != nil:
		mixed, _ := sumChoices(g, b.on[lo:], 1-b.away, b.away)
		dtheta[b.h] += mixed
	case b.away == 1:
		for _, v := range g {
			dtheta[b.h] += v
		}
	}
}

func (b *boundWedge) features(x *crosses) {
	if b.on != nil {
		b.at = x.add(b.on)
	}
}

func (b *boundWedge) pullCrosses(dtheta []float64, x *crosses) {
	if b.on != nil {
		dtheta[b.h] += x.cross(b.at, b.at)
	}
}
