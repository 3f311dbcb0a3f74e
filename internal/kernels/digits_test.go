package kernels

import (
	"math"
	"testing"

	"bohier/internal/points"
)

// Differences of near-duplicates keep their digits: at a separation of 1e-7 the
// expansion |a|² + |b|² − 2ab has lost two thirds of d².
func TestNearDuplicates(t *testing.T) {
	const gap = 0x1p-23
	for _, name := range Embeddings() {
		k, err := New(Spec{Name: name, ARD: true}, []Coord{{Name: "p", Conditional: true}})
		if err != nil {
			t.Fatal(err)
		}
		theta := make([]float64, len(k.Params()))
		for j := range theta {
			theta[j] = 0.75
		}
		x := points.New(2, 1)
		x.Col(0)[0], x.Col(0)[1] = 0.7, 0.7+gap
		d := make([]float64, 2)
		k.(*composed).root.(*radial).part.bind(theta, &reference{Set: x}).row(d, x, 0, 0)
		want := 0.75 // the leading term of each distance in (u − u′)²
		arc := (math.Pi * 0.75) * (math.Pi * 0.75)
		switch name {
		case "arc":
			want = 0.75 * 0.75 * arc
		case "imparc":
			want = 0.75*arc + 0.75
		}
		want *= math.Pow(x.At(0, 1)-x.At(0, 0), 2)
		if d[0] != 0 || math.Abs(d[1]-want) > 1e-8*want {
			t.Errorf("%s: d² = %v, want %v", name, d[1], want)
		}
	}
}

// The axis of a range over decades lies between the logarithm and the value; if its lower end is next to 0, it is u^a.
func TestWarpOverDecades(t *testing.T) {
	near := func(got, want, by float64, what string, at ...float64) {
		if !(math.Abs(got-want) <= by) { // NaN is not near
			t.Errorf("%s at %v: %v, want %v", what, at, got, want)
		}
	}
	four := axis{span: 4 * math.Ln10}
	for _, u := range []float64{0, 1e-4, 0.03, 0.5, 1} {
		w, _, _, _ := four.warp(u, 1, 1)
		near(w, u, 1e-9, "value", u)
		w, _, _, _ = four.warp(u, 1e-7, 1)
		near(w, math.Log10(1+9999*u)/4, 1e-6, "logarithm", u)
	}
	for _, x := range []axis{{}, four} {
		for _, u := range []float64{0.002, 0.3, 0.95} {
			for _, a := range []float64{0.01, 0.2, 3} {
				for _, b := range []float64{0.4, 2} {
					const h = 1e-6
					at := func(du, da, db float64) float64 {
						w, _, _, _ := x.warp(u+du*h*u, a+da*h, b+db*h)
						return w
					}
					_, du, da, db := x.warp(u, a, b)
					near((at(1, 0, 0)-at(-1, 0, 0))/(2*h), du*u, 1e-7, "derivative by u", x.span, u, a, b)
					near((at(0, 1, 0)-at(0, -1, 0))/(2*h), da, 1e-6, "derivative by a", x.span, u, a, b)
					near((at(0, 0, 1)-at(0, 0, -1))/(2*h), db, 1e-7, "derivative by b", x.span, u, a, b)
				}
			}
		}
	}
	w, _, _, _ := (&axis{span: 200}).warp(0.3, 0.5, 2)
	far, _, _, _ := (&axis{}).warp(0.3, 0.5, 2)
	near(w, far, 1e-9, "from next to 0")
	b := newBuilder(Spec{WarpDecades: true}, []Coord{{Decades: 630}}, "", &declared{index: map[string]hyper{}})
	widest := b.number(0)
	w, _, da, db := widest.warp(1e-300, 0.01, 2)
	near(w+da+db, 0, 100, "the widest range")
	for _, decades := range []float64{3, 9, 300} { // a bound near the prior's median would be warned of
		b := newBuilder(Spec{WarpDecades: true}, []Coord{{Decades: decades}}, "", &declared{index: map[string]hyper{}})
		a := b.params[b.number(0).warpA]
		if !(a.Lo < a.Init/4) {
			t.Errorf("over %v decades the prior of %s has the median %v, and the lower bound %v", decades, a.Name, a.Init, a.Lo)
		}
	}
}

// Parts that see the same warped coordinate share its column, so that it is warped once.
func TestDistancesShareColumns(t *testing.T) {
	k, err := New(Spec{Name: "effects", Warp: true}, []Coord{{Name: "p"}, {Name: "q"}})
	if err != nil {
		t.Fatal(err)
	}
	theta := make([]float64, len(k.Params()))
	for j := range theta {
		theta[j] = 0.75
	}
	x := points.New(3, 2)
	if y := k.Bind(theta, x).(*bound).y; len(y.distances) < 2 || len(y.columns) != 2 {
		t.Errorf("%d distances with %d columns of 2 coordinates", len(y.distances), len(y.columns))
	}
}
