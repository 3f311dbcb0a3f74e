package surrogate

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/study"
)

// How far curves are followed goes by what came of them: not at all where the ends that came had nothing to do with
// their news, as far as the model says where it is right, and with the misses that they had.
func TestLearn(t *testing.T) {
	if h := calibrate(nil, 0); h != (calibration{share: 1, spread: priorSpread, blind: 1}) {
		t.Errorf("before any end %+v", h)
	}
	const va, vb = 1, 0.1
	for name, c := range map[string]struct {
		end          func(news, z float64) float64
		least, most  float64 // of the share
		narrow, wide float64 // of the spread
		tells        bool
	}{
		"right":    {func(news, z float64) float64 { return news + math.Sqrt(vb)*z }, 0.9, 1, 0.6, 1.4, true},
		"silent":   {func(_, z float64) float64 { return z }, 0, 0.3, 0.6, 1.4, false},
		"opposite": {func(news, _ float64) float64 { return -news }, 0, 0, 0.3, 1.4, false},
		"too sure": {func(news, z float64) float64 { return news + 3*math.Sqrt(vb)*z }, 0.7, 1, 4, 14, true},
		"one has turned": {func(news, z float64) float64 { // and is 30 deviations off
			if news > 1.5 {
				return news - 10
			}
			return news + math.Sqrt(vb)*z
		}, 0.9, 1, 0.6, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			var ends []end
			for range 40 {
				news := math.Sqrt(va-vb) * r.NormFloat64()
				ends = append(ends, end{y: 5 + c.end(news, r.NormFloat64()), a: 5, va: va, b: 5 + news, vb: vb})
			}
			h := calibrate(ends, 0)
			if !(h.share >= c.least && h.share <= c.most && h.spread >= c.narrow && h.spread <= c.wide) {
				t.Errorf("%+v", h)
			}
			// As a measurement of an end of variance before, a curve leaves what it should leave.
			gain, variance := h.measurement(va, vb)
			before, after := h.blind*va, h.spread*h.left(va, vb)
			if tells := !math.IsInf(variance, 1); tells != c.tells ||
				tells && math.Abs(1/before+1/variance-1/after) > 1e-9/after {
				t.Errorf("%+v leaves %v of %v: a measurement of variance %v, gain %v", h, after, before, variance, gain)
			}
		})
	}
}

// Values on the way are mapped to what they come to: whatever all curves have yet to fall.
func TestAlign(t *testing.T) {
	var d Dataset
	add := func(trial, s, y float64) {
		d.trial, d.resource, d.y = append(d.trial, trial), append(d.resource, s), append(d.y, y)
	}
	for k := range 5 {
		v := float64(k * k)
		add(float64(k), 0.1, 3+2*v)
		add(float64(k), 0.5, 1+v)
		add(float64(k), 1, v)
	}
	add(9, 0.1, 13)
	add(9, 0.2, 9) // between two levels: as at the nearer one
	add(9, 0.5, 6)
	d.align(d.lines(func(float64) float64 { return 1 }))
	n := len(d.y)
	rise := (5*0.5 + priorEnds) / (5 + priorEnds) // half a step, and some trust in a whole one
	for i, want := range map[int]float64{n - 3: 6 + rise*(13-15), n - 2: 6 + rise*(9-15), n - 1: 5} {
		if math.Abs(d.y[i]-want) > 1e-12 {
			t.Errorf("trial 9 at %v comes to %v, want %v", d.resource[i], d.y[i], want)
		}
	}
	if d.y[2] != 0 || d.y[14] != 16 {
		t.Errorf("values at full resource have become %v", d.y)
	}
	vast := Dataset{trial: []float64{1, 1, 2, 2, 3, 3}, resource: []float64{0.1, 1, 0.1, 1, 0.1, 1}}
	vast.y = []float64{1e308, -1e308, -1e308, 1e308, 5e307, 1}
	vast.toEnds(study.ModelSpec{Transform: "none"})
	for _, v := range vast.y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("vast values have become %v", vast.y)
		}
	}
	two := Dataset{trial: []float64{1, 1, 2, 2, 3}, resource: []float64{0.1, 1, 0.1, 1, 0.1}}
	two.y = []float64{7, 4, 9, 5, 10} // two ends tell no slope
	if two.align(two.lines(func(float64) float64 { return 1 })); two.y[4] != 6.5 {
		t.Errorf("with two ends known: %v", two.y)
	}
}

// Where most trials are close to the optimum, one that is far from it is far at every level:
// what is pulled in is pulled in alike.
func TestAlignedCurvesStayWhole(t *testing.T) {
	var d Dataset
	for k := range 12 {
		v := 1e-5 * float64(k)
		if k == 11 {
			v = 2
		}
		for _, s := range []float64{0.1, 0.5, 1} {
			if k == 10 && s > 0.1 || k == 9 && s == 1 {
				continue // paused
			}
			d.trial, d.resource, d.y = append(d.trial, float64(k)), append(d.resource, s), append(d.y, v+1-s)
		}
	}
	d.toEnds(study.ModelSpec{Transform: "power", Winsorise: true})
	n := len(d.y)
	for _, v := range d.y[n-3:] {
		if math.Abs(v-d.y[n-1]) > 1e-9 || v < 1e-3 {
			t.Errorf("a trial far from all others is at %v", d.y[n-3:])
		}
	}
}
