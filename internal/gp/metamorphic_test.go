package gp

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// TestPowersOfTwoChangeNoBit: scaling y by 2^k, |k| ≤ 900, leaves standardised
// predictions, warm starts and the evaluation count bit-identical.
func TestPowersOfTwoChangeNoBit(t *testing.T) {
	x, y := sample(30, 25, 2)
	q, _ := sample(31, 10, 2)
	k := newARD(2, true, false)
	for _, o := range []Options{{}, {Inference: "mle"}, {Form: "kriging", Nugget: -1}} {
		checks := 0
		m0, rep0 := mustFit(t, k, x, y, o)
		for _, e := range []int{-900, -500, -37, -1, 1, 3, 200, 900} {
			z := make([]float64, len(y))
			for i, v := range y {
				z[i] = math.Ldexp(v, e)
			}
			// The declared hyperparameters, unedited, must not get in the way.
			for _, edited := range []bool{false, true} {
				opt := o
				if edited {
					opt.Params = Params(k, z)
				}
				m, rep := mustFit(t, k, x, z, opt)
				if rep.Evaluations != rep0.Evaluations {
					t.Errorf("2^%d: %d evaluations, want %d", e, rep.Evaluations, rep0.Evaluations)
				}
				for name, v := range rep0.Warm.Hyper {
					checks++
					if got := rep.Warm.Hyper[name]; got != v {
						t.Errorf("2^%d: %s = %v, want %v", e, name, got, v)
					}
				}
				for i := range q.Len() {
					a, va := At(m0.Standard().PredictBatch, q, i)
					b, vb := At(m.Standard().PredictBatch, q, i)
					checks++
					if a != b || va != vb {
						t.Errorf("2^%d: %v ± %v, want %v ± %v", e, b, vb, a, va)
					}
				}
				if e == -900 || e == 900 {
					continue
				}
				mean, _ := At(m.Predict, q, 0)
				want, _ := At(m0.Predict, q, 0)
				if mean != math.Ldexp(want, e) {
					t.Errorf("2^%d: mean %v, want %v", e, mean, math.Ldexp(want, e))
				}
			}
		}
		if checks < 150 {
			t.Errorf("only %d comparisons", checks)
		}
	}
}

// TestAffineChangesOfTheObjective: other scales and shifts up to 1e6 spreads
// leave the standardised predictions the same to 1e-5.
func TestAffineChangesOfTheObjective(t *testing.T) {
	x, y := sample(30, 25, 2)
	q, _ := sample(31, 10, 2)
	k := newARD(2, true, false)
	m0, rep0 := mustFit(t, k, x, y, Options{})
	checks := 0
	for _, a := range []float64{1e-300, 1e-30, 1e-3, 0.7, 3, 1e5, 1e100, 1e299} {
		for _, b := range []float64{0, -1, 1e3, -1e6} {
			z := make([]float64, len(y))
			for i, v := range y {
				z[i] = a * (v + b*m0.units.scale())
			}
			m, rep := mustFit(t, k, x, z, Options{Params: Params(k, z)})
			for i := range q.Len() {
				u, v := At(m0.Standard().PredictBatch, q, i)
				p, w := At(m.Standard().PredictBatch, q, i)
				checks++
				near(t, "mean", p, u, 1e-5)
				near(t, "variance", w, v, 1e-5)
			}
			near(t, "log marginal likelihood", rep.LogMarginalLikelihood,
				rep0.LogMarginalLikelihood-float64(len(y))*math.Log(a), 1e-4)
		}
	}
	if checks < 300 {
		t.Errorf("only %d comparisons", checks)
	}
}

// TestOrderOfObservations: any order gives the same model to 1e-6.
func TestOrderOfObservations(t *testing.T) {
	x, y := sample(30, 25, 2)
	q, _ := sample(31, 10, 2)
	reversed, order := make([]float64, len(y)), make([]int, len(y))
	for i := range y {
		order[i], reversed[i] = len(y)-1-i, y[len(y)-1-i]
	}
	for _, o := range []Options{{}, {Inference: "mle"}, {Form: "kriging", Nugget: -1}} {
		a, _ := mustFit(t, newARD(2, true, false), x, y, o)
		b, _ := mustFit(t, newARD(2, true, false), x.Select(order), reversed, o)
		for i := range q.Len() {
			u, v := At(a.Standard().PredictBatch, q, i)
			p, w := At(b.Standard().PredictBatch, q, i)
			near(t, "mean", p, u, 1e-5)
			near(t, "variance", w, v, 1e-5)
		}
	}
}

// TestMergedReplicates: merging exact duplicates changes neither likelihood nor
// predictions, with and without known noise.
func TestMergedReplicates(t *testing.T) {
	x, y := sample(32, 12, 2)
	q, _ := sample(33, 10, 2)
	x = points.Concat(x, x.Slice(0, 6), x.Slice(0, 2))
	for i := range 8 {
		y = append(y, y[i%6]+0.2*float64(i))
	}
	for _, known := range []bool{false, true} {
		var extra []float64
		if known {
			extra = make([]float64, len(y))
			for i := range extra {
				extra[i] = 0.1 * float64(i%3)
			}
		}
		k := newARD(2, true, false)
		m, rep := mustFit(t, k, x, y, Options{Params: fixed(Params(k, y), 0.4, 0.6, 150, 2, 40), Stderr: roots(extra)})
		lml, mean, variance := textbook(k, x, y, []float64{0.4, 0.6}, 150, 2, 40, extra, q)
		if !known && rep.Points != 12 {
			t.Errorf("%d points, want 12", rep.Points)
		}
		near(t, "log marginal likelihood", rep.LogMarginalLikelihood, lml, 1e-9)
		for i := range q.Len() {
			a, v := At(m.Predict, q, i)
			near(t, "mean", a, mean[i], 1e-9)
			near(t, "variance", v, variance[i], 1e-8)
		}
	}
}

// TestLeaveOneOut compares the closed form with models that really leave one point out.
func TestLeaveOneOut(t *testing.T) {
	x, y := sample(34, 15, 2)
	k := newARD(2, true, false)
	values := []float64{0.4, 0.6, 150, 2, 40}
	_, rep := mustFit(t, k, x, y, Options{Params: fixed(Params(k, y), values...)})
	sq := 0.0
	for i := range y {
		var keep []int
		var rest []float64
		for j := range y {
			if j != i {
				keep, rest = append(keep, j), append(rest, y[j])
			}
		}
		m, _ := mustFit(t, k, x.Select(keep), rest, Options{Params: fixed(Params(k, rest), values...)})
		mean, v := At(m.Predict, x, i)
		near(t, "mean", rep.LOO().Mean[i], mean, 1e-9)
		near(t, "standard deviation", rep.LOO().Std[i], math.Sqrt(v+2), 1e-8)
		sq += (mean - y[i]) * (mean - y[i]) / float64(len(y))
	}
	near(t, "RMSE", rep.LOO().RMSE, math.Sqrt(sq), 1e-9)
}

// TestWarmRefit: after one more observation a warm fit takes at most 44
// evaluations, four of them from much noise, and is no worse than a cold one by more than 0.1.
func TestWarmRefit(t *testing.T) {
	for seed := range uint64(4) {
		x, y := sample(40+seed, 41, 4)
		k := newARD(4, true, false)
		_, before := mustFit(t, k, x.Slice(0, 40), y[:40], Options{})
		_, cold := mustFit(t, k, x, y, Options{})
		// A misleading start is overtaken by the others, at no greater cost.
		bad := map[string]float64{"lengthscale[x0]": 90, "lengthscale[x1]": 90, "relative.noise": 3, "relative.signal": 2e-3}
		if _, rep := mustFit(t, k, x, y, Options{Warm: Warm{Hyper: bad}}); rep.Evaluations > 44 {
			t.Errorf("seed %d: %d evaluations from a misleading start", seed, rep.Evaluations)
		}
		if _, rep := mustFit(t, k, x, y, Options{Warm: Warm{Hyper: bad}, Anew: true}); rep.LogPosterior < cold.LogPosterior-0.01 ||
			rep.Evaluations <= 44 {
			t.Errorf("seed %d: anew from a misleading start: log posterior %.3f in %d evaluations, %.3f cold", seed,
				rep.LogPosterior, rep.Evaluations, cold.LogPosterior)
		}
		for _, warm := range []Warm{before.Warm, {Hyper: before.Hyper}} {
			_, rep := mustFit(t, k, x, y, Options{Warm: warm})
			t.Logf("seed %d: %d evaluations, %.3f below cold", seed, rep.Evaluations, cold.LogPosterior-rep.LogPosterior)
			if rep.Evaluations > 44 {
				t.Errorf("seed %d: %d evaluations", seed, rep.Evaluations)
			}
			if rep.LogPosterior < cold.LogPosterior-0.1 {
				t.Errorf("seed %d: log posterior %.3f warm, %.3f cold", seed, rep.LogPosterior, cold.LogPosterior)
			}
			// More starts cost more and take nothing from the first.
			_, many := mustFit(t, k, x, y, Options{Warm: warm, Starts: 10})
			if many.Evaluations > 40+4*7 || many.LogPosterior < cold.LogPosterior-0.1 {
				t.Errorf("seed %d: log posterior %.3f from 10 starts in %d evaluations, %.3f cold", seed, many.LogPosterior,
					many.Evaluations, cold.LogPosterior)
			}
		}
	}
}

// TestSameData: hyperparameters that were fitted to the very same data are taken as they
// are, to the bit; those of other data, or of data that nobody vouches for, are a start.
func TestSameData(t *testing.T) {
	x, y := sample(3, 31, 4)
	k := newARD(4, true, false)
	_, first := mustFit(t, k, x.Slice(0, 30), y[:30], Options{})
	m, again := mustFit(t, k, x.Slice(0, 30), y[:30], Options{Warm: first.Warm})
	if again.Evaluations != 0 || !reflect.DeepEqual(again.Warm, first.Warm) {
		t.Errorf("the same data: %d evaluations, %v, first %v", again.Evaluations, again.Warm, first.Warm)
	}
	near(t, "log posterior", again.LogPosterior, first.LogPosterior, 1e-9)
	if m.Len() != 30 {
		t.Errorf("%d points", m.Len())
	}
	if _, rep := mustFit(t, k, x, y, Options{Warm: first.Warm}); rep.Evaluations == 0 ||
		rep.Warm.FittedTo.Data == first.Warm.FittedTo.Data {
		t.Error("another observation is not fitted to")
	}
	other := slices.Clone(y[:30])
	other[7]++
	if _, rep := mustFit(t, k, x.Slice(0, 30), other, Options{Warm: first.Warm}); rep.Evaluations == 0 {
		t.Error("a corrected observation is not fitted to")
	}
	params := Params(k, y[:30])
	params[0].Hi *= 2
	if _, rep := mustFit(t, k, x.Slice(0, 30), y[:30], Options{Warm: first.Warm, Params: params}); rep.Evaluations == 0 {
		t.Error("another range is not fitted in")
	}
	without := first.Warm
	without.FittedTo.Data = 0
	if _, rep := mustFit(t, k, x.Slice(0, 30), y[:30], Options{Warm: without}); rep.Evaluations == 0 {
		t.Error("without the checksum nothing is fitted")
	}
}

// TestHardlyMoreData: hyperparameters of a hundred observations hold, the mean excepted,
// which is in closed form, until there are more by Options.Refit or a better one.
func TestHardlyMoreData(t *testing.T) {
	x, y := sample(3, 103, 2)
	k := newARD(2, true, false)
	_, first := mustFit(t, k, x.Slice(0, 100), y[:100], Options{})
	o := Options{Warm: first.Warm, Refit: 0.04}
	if i := slices.Index(y, slices.Min(y)); i >= 100 {
		t.Fatal("the best is new")
	}
	_, held := mustFit(t, k, x, y, o)
	if held.Evaluations != 0 || held.Warm.FittedTo.Observations != 100 ||
		held.Warm.FittedTo.Best != first.Warm.FittedTo.Best {
		t.Errorf("hardly more: %d evaluations, fitted to %+v", held.Evaluations, held.Warm.FittedTo)
	}
	for name, v := range first.Warm.Hyper {
		if got := held.Warm.Hyper[name]; name != relative+"mean" && math.Abs(got-v) > 1e-12*math.Abs(v) {
			t.Errorf("hardly more: %s is %v, was %v", name, got, v)
		}
	}
	refits := func(why string, k kernels.Kernel, n int, y []float64, o Options) {
		t.Helper()
		if _, rep := mustFit(t, k, x.Slice(0, n), y[:n], o); rep.Evaluations == 0 || rep.Warm.FittedTo.Observations != n {
			t.Errorf("%s: %d evaluations, fitted to %+v", why, rep.Evaluations, rep.Warm.FittedTo)
		}
	}
	corrected, better := slices.Clone(y), slices.Clone(y)
	corrected[7]++
	better[102] = slices.Min(y) - 1
	refits("a correction", k, 100, corrected, o)
	refits("a better value", k, 103, better, o)
	if _, rep := mustFit(t, k, x, better, Options{Warm: first.Warm, Refit: 0.16}); rep.Evaluations != 0 {
		t.Errorf("a better value, and less than a quarter of the growth: %d evaluations", rep.Evaluations)
	}
	refits("always", k, 103, y, Options{Warm: first.Warm})
	refits("by less than has grown", k, 103, y, Options{Warm: first.Warm, Refit: 0.03})
	refits("other hyperparameters", k, 103, y, Options{Warm: first.Warm, Refit: 0.04, Form: "kriging"})
}
