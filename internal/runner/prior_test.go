package runner

import (
	"math"
	"testing"

	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

func withPrior(p space.Parameter, mode float64, strength string) space.Parameter {
	p.Prior = &space.Prior{Mode: mode, Strength: strength}
	return p
}

// A wrong prior draws the surrogate's first suggestions to its mode and gives way
// to the data later.
func TestPriorSteersEarlyAndFades(t *testing.T) {
	f := value(func(c space.Configuration) float64 {
		return square(c.Value[0]-0.2) + square(c.Value[1]-0.7)
	})
	const early, all = 4, 40
	away := func(trials []study.Trial) (sum float64) { // from the mode 0.85
		for _, tr := range trials[5 : 5+early] {
			sum += math.Abs(tr.Config.Value[0]-0.85) / early
		}
		return sum
	}
	plain := simulate(t, newStudy(t, number("x"), number("y")), 5+early, f)
	steered := simulate(t, newStudy(t, withPrior(number("x"), 0.85, "strong"), number("y")), all, f)
	// Measured: 0.60 without, 0.13 with.
	if p, s := away(plain), away(steered); s > 0.25 || s > p/2 {
		t.Errorf("the first suggestions are %.2f from the mode, %.2f without a prior", s, p)
	}
	late := steered[all-8:]
	hits := 0
	for _, tr := range late {
		if math.Abs(tr.Config.Value[0]-0.2) < 0.15 {
			hits++
		}
	}
	if hits < 6 {
		t.Errorf("only %d of the last %d suggestions are near the optimum", hits, len(late))
	}
}

// A right prior on a category is followed more often the stronger it is.
func TestPriorOdds(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e"}
	f := value(func(c space.Configuration) float64 { return math.Sin(7 * c.Value[0]) })
	count := func(p space.Parameter) (n int) {
		for _, tr := range simulate(t, newStudy(t, number("x"), p), 13, f)[5:] {
			if tr.Config.Value[1] == 3 {
				n++
			}
		}
		return n
	}
	none, strong := count(category("k", names...)), count(withPrior(category("k", names...), 3, "strong"))
	if strong < none+3 {
		t.Errorf("the preferred category was chosen %d times of 8, %d times without the prior", strong, none)
	}
}

func TestPriorGradient(t *testing.T) {
	ordinal := space.Parameter{Name: "o", Kind: space.Ordinal, Values: []string{"s", "m", "l"}}
	st := newStudy(t,
		withPrior(number("x"), 0.3, "weak"),
		withPrior(category("k", "a", "b"), 1, "medium"),
		withPrior(ordinal, 2, "strong"),
		when(withPrior(number("y"), 0.9, "medium"), 1, 0))
	b := newBelief(st.Space, 2.5)
	score := func(dx []float64, q *points.Set) float64 {
		var dst [1]float64
		b.Gradients(dst[:], [][]float64{dx}, q)
		return dst[0]
	}
	mode := points.New(1, 4)
	mode.Set(0, 0, 0.3, true)
	mode.Set(1, 0, 1, true)
	mode.Set(2, 0, 2, true)
	mode.Set(3, 0, 0.5, false)
	if v := score(nil, mode); v != 0 {
		t.Errorf("at the modes the belief is %v, want 0", v)
	}
	q := points.New(1, 4)
	q.Set(0, 0, 0.8, true)
	q.Set(1, 0, 0, true)
	q.Set(2, 0, 1, true)
	q.Set(3, 0, 0.4, true)
	dx := []float64{1, 1, 1, 1} // overwritten
	want := 2.5 * (-0.5*square(0.5/0.5) - math.Log(4) - 0.5*square(0.5/0.125) - 0.5*square(0.5/0.25))
	if v := score(dx, q); math.Abs(v-want) > 1e-12 {
		t.Errorf("belief %v, want %v", v, want)
	}
	const h = 1e-6
	for _, c := range []int{0, 3} {
		up, down := q.Clone(), q.Clone()
		up.Set(c, 0, q.At(c, 0)+h, true)
		down.Set(c, 0, q.At(c, 0)-h, true)
		slope := (score(nil, up) - score(nil, down)) / (2 * h)
		if math.Abs(dx[c]-slope) > 1e-6 {
			t.Errorf("coordinate %d: gradient %v, want %v", c, dx[c], slope)
		}
	}
	if dx[1] != 0 || dx[2] != 0 {
		t.Errorf("choices have a gradient: %v", dx)
	}
}

func TestPriorWeightFades(t *testing.T) {
	st := newStudy(t, number("x"))
	h := &history{}
	last := math.Inf(1)
	for n := range 100 {
		h.told = make([]*study.Trial, n)
		w := priorWeight(st, h)
		if w > last || n <= 5 && w != priorTrials || n > 6 && w != priorTrials/float64(n-4) {
			t.Fatalf("weight %v after %d trials", w, n)
		}
		last = w
	}
	st.Budget.Trials = 30
	h.told = nil
	if w := priorWeight(st, h); w != 3 {
		t.Errorf("with a budget of 30 the first weight is %v, want 3", w)
	}
}

func TestPriorRefusesHeadsThatDoNotMultiply(t *testing.T) {
	for _, name := range []string{"lcb", "ts"} {
		st := newStudy(t, withPrior(number("x"), 0.5, "weak"))
		st.Acquisition.Name, st.Acquisition.Kappa = name, 2
		trials := []study.Trial{}
		f := value(func(c space.Configuration) float64 { return c.Value[0] })
		trials = append(trials, simulate(t, st, 5, f)...)
		_, err := Next(t.Context(), st, trials, Request{Number: 6, Seed: 1})
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
