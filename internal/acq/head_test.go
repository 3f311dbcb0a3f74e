package acq

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "bohier/internal/seeded"
)

type normalRow struct {
	Z      string `json:"z"`
	LogH   string `json:"logh"`
	PhiH   string `json:"phi_h"`
	CDFH   string `json:"Phi_h"`
	LogPhi string `json:"logPhi"`
	PhiPhi string `json:"phi_Phi"`
}

func readNormal(t *testing.T) []normalRow {
	t.Helper()
	raw, err := os.ReadFile("testdata/oracles/normal.json")
	must(t, err)
	var file struct{ Rows []normalRow }
	must(t, json.Unmarshal(raw, &file))
	if len(file.Rows) < 50 {
		t.Fatalf("%d rows in the oracle", len(file.Rows))
	}
	return file.Rows
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	must(t, err)
	return v
}

// closeTo allows a relative error, or the same absolute error where the exact
// value is below 1: logarithms near 0 have no relative accuracy to offer.
func closeTo(t *testing.T, what string, z, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
		t.Errorf("%s(%g) = %.17g, want %.17g (relative error %.2g)", what, z, got, want, math.Abs(got/want-1))
	}
}

// TestNormalOracle compares with 60-digit references. The tolerance is 1e-13:
// the worst error measured is 4e-14, just above the switch at −4.
func TestNormalOracle(t *testing.T) {
	for _, row := range readNormal(t) {
		z := number(t, row.Z)
		logh, q := logImprovement(z)
		closeTo(t, "log h", z, logh, number(t, row.LogH), 1e-13)
		closeTo(t, "φ/h", z, q, number(t, row.PhiH), 1e-13)
		logp, r := logProbability(z)
		closeTo(t, "log Φ", z, logp, number(t, row.LogPhi), 1e-13)
		closeTo(t, "φ/Φ", z, r, number(t, row.PhiPhi), 1e-13)

		s, dmean, dvar := LogImprovement(z).Score(0, 1)
		closeTo(t, "logei", z, s, number(t, row.LogH), 1e-13)
		closeTo(t, "∂logei/∂mean", z, -dmean, number(t, row.CDFH), 1e-13)
		closeTo(t, "∂logei/∂variance", z, dvar, number(t, row.PhiH)/2, 1e-13)
		s, dmean, _ = Feasibility(z, 0, 1).Score(0, 1)
		closeTo(t, "feasible", z, s, number(t, row.LogPhi), 1e-13)
		closeTo(t, "∂feasible/∂mean", z, -dmean, number(t, row.PhiPhi), 1e-13)
	}
}

// TestTailDepth checks the depth of every range of the continued fraction against a much deeper one.
func TestTailDepth(t *testing.T) {
	for _, at := range []float64{4, 4.5, 9.999, 10, 99.9, 100, 9999, 1e4, 1e8, 1e150} {
		want := 0.0
		for k := 2000.0; k >= 1; k-- {
			want = k / (at + want)
		}
		if got := tail(at); !(math.Abs(got/want-1) <= 1e-15) {
			t.Errorf("tail(%g) is off by %.2g", at, got/want-1)
		}
	}
}

// TestMonotone: a higher incumbent is worth more at every pair of neighbours of
// a fine grid that crosses every branch, and derivatives fall or rise steadily.
func TestMonotone(t *testing.T) {
	grid := []float64{}
	for z := -1e5; z < -1000; z += 13.7 {
		grid = append(grid, z)
	}
	for z := -1000.0; z < 8; z += 0.0037 {
		grid = append(grid, z)
	}
	for _, at := range []float64{-1e4, -100, -10, -4, 0} { // around the switches
		for k := -50; k <= 50; k++ {
			grid = append(grid, at+float64(k)*1e-9*math.Max(1, -at))
		}
	}
	slices.Sort(grid)
	lasth, lastp := math.Inf(-1), math.Inf(-1)
	for _, z := range grid {
		h, _ := logImprovement(z)
		p, _ := logProbability(z)
		if h < lasth || p < lastp {
			t.Fatalf("not monotone at z = %v: log h %v after %v, log Φ %v after %v", z, h, lasth, p, lastp)
		}
		lasth, lastp = h, p
	}
}

func heads(t *testing.T, incumbent float64) map[string]Head {
	t.Helper()
	out := map[string]Head{"feasibility": Feasibility(incumbent, 0, 0.3), "cost": LogCost(0.7, 1.3)}
	for _, name := range Names() {
		h, err := NewHead(name, incumbent, 1.7)
		must(t, err)
		out[name] = h
	}
	out["learnt"] = learnt(0.4)
	return out
}

func TestDerivatives(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		incumbent := rapid.Float64Range(-3, 3).Draw(rt, "incumbent")
		mean := rapid.Float64Range(-3, 3).Draw(rt, "mean")
		sd := math.Pow(10, rapid.Float64Range(-2, 1).Draw(rt, "log10 sd"))
		for name, h := range heads(t, incumbent) {
			v := sd * sd
			s, dm, dv := h.Score(mean, v)
			if !h.Log && math.Abs(incumbent-mean) > 30*sd {
				continue // underflows
			}
			// Central differences with a step of 1e-5 relative to the scale.
			em, ev := 1e-5*sd, 1e-5*v
			a, _, _ := h.Score(mean+em, v)
			b, _, _ := h.Score(mean-em, v)
			c, _, _ := h.Score(mean, v+ev)
			d, _, _ := h.Score(mean, v-ev)
			fm, fv := (a-b)/(2*em), (c-d)/(2*ev)
			tol := 1e-5
			round := 1e-10 * math.Max(math.Abs(s), 1)
			if math.Abs(fm-dm) > tol*math.Abs(dm)+round/sd || math.Abs(fv-dv) > tol*math.Abs(dv)+round/v {
				rt.Errorf("%s at (%g, %g): ∂mean %g against %g, ∂variance %g against %g", name, mean, v, dm, fm, dv, fv)
			}
		}
	})
}

func TestFinite(t *testing.T) {
	checked := 0
	for _, mean := range []float64{-1e8, -1, 0, 0.3, 1, 1e8} {
		for _, v := range []float64{-1e-12, 0, 1e-300, 1e-20, 1.0000001e-20, 1e-12, 1, 1e12} {
			for name, h := range heads(t, 0.3) {
				s, dm, dv := h.Score(mean, v)
				for _, x := range []float64{s, dm, dv} {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						t.Errorf("%s(%g, %g) = %g, %g, %g", name, mean, v, s, dm, dv)
					}
				}
				if v < 1e-20 && dv != 0 {
					t.Errorf("%s: derivative %g by a variance of %g", name, dv, v)
				}
				if s2, _, _ := h.Score(mean, 1e-20); v < 1e-20 && s != s2 {
					t.Errorf("%s(%g, %g) = %g, not the score of the smallest variance %g", name, mean, v, s, s2)
				}
				checked++
			}
		}
	}
	if checked == 0 {
		t.Fatal("nothing checked")
	}
}

// TestBound: no smaller variance scores above the bound, and without a bound on the variance the bound is not idle.
func TestBound(t *testing.T) {
	if h := heads(t, 1)["logei"]; !(h.Bound(0, 8.094744120333358e-12) >= 0) { // which is the score without variance
		t.Errorf("a bound of %g", h.Bound(0, 8.094744120333358e-12))
	}
	tight := 0
	rapid.Check(t, func(rt *rapid.T) {
		incumbent := rapid.Float64Range(-3, 3).Draw(rt, "incumbent")
		mean := rapid.Float64Range(-30, 30).Draw(rt, "mean")
		v := math.Pow(10, rapid.Float64Range(-12, 2).Draw(rt, "log10 variance"))
		for name, h := range heads(t, incumbent) {
			bound := h.Bound(mean, v)
			for _, share := range []float64{0, 1e-9, 1e-3, 0.1, 0.5, 0.9, 1 - 1e-15, 1} {
				s, _, _ := h.Score(mean, share*v)
				if !(s <= bound) {
					rt.Errorf("%s(%g, %g) = %g, above the bound %g at %g", name, mean, share*v, s, bound, v)
				}
			}
			if s, _, _ := h.Score(mean, v); bound <= s+1e-11*math.Abs(s) {
				tight++
			}
		}
	})
	if tight == 0 {
		t.Error("no bound is tight")
	}
}

// TestForms: logei is the logarithm of ei.
func TestForms(t *testing.T) {
	for _, mean := range []float64{-2, 0, 0.5, 3} {
		for _, v := range []float64{0.04, 1, 9} {
			a, am, av := ei(0.2).Score(mean, v)
			b, bm, bv := LogImprovement(0.2).Score(mean, v)
			closeTo(t, "log ei", mean, b, math.Log(a), 1e-13)
			closeTo(t, "∂mean", mean, bm, am/a, 1e-12)
			closeTo(t, "∂variance", mean, bv, av/a, 1e-12)
		}
	}
}

func TestNewHead(t *testing.T) {
	for name, incumbent := range map[string]float64{"logei": math.NaN(), "ei": math.Inf(1)} {
		if _, err := NewHead(name, incumbent, 0); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s with %v: error %v", name, incumbent, err)
		}
	}
	h, err := NewHead("lcb", math.NaN(), 0)
	if s, _, _ := h.Score(0, 1); err != nil || s != 2 {
		t.Errorf("lcb by default: %v, %v", h, err)
	}
}

func TestFeasibilityWithMargin(t *testing.T) {
	for _, mean := range []float64{-0.4, 0.2, 0.9} {
		const w, k, limit, v, step = 3, 0.75, 0.3, 0.16, 1e-6
		h := Feasibility(limit, k, w)
		s, dmean, dvar := h.Score(mean, v)
		if want := w * math.Log(math.Erfc(-((limit-mean)/0.4-k)/math.Sqrt2)/2); !(math.Abs(s-want) <= 1e-12) {
			t.Errorf("mean %v: score %v, want %v", mean, s, want)
		}
		score := func(mean, variance float64) float64 { s, _, _ := h.Score(mean, variance); return s }
		if d := (score(mean+step, v) - score(mean-step, v)) / (2 * step); !(math.Abs(d-dmean) <= 1e-6) {
			t.Errorf("mean %v: slope %v, want %v", mean, dmean, d)
		}
		if d := (score(mean, v+step) - score(mean, v-step)) / (2 * step); !(math.Abs(d-dvar) <= 1e-6) {
			t.Errorf("mean %v: slope by variance %v, want %v", mean, dvar, d)
		}
		for _, smaller := range []float64{v, 0.1, 0.01, 1e-6, 0} {
			if score(mean, smaller) > h.Bound(mean, v) {
				t.Errorf("mean %v: more at variance %v than the bound %v", mean, smaller, h.Bound(mean, v))
			}
		}
	}
}
