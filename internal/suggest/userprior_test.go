package suggest

import (
	"math"
	"testing"

	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

func withPrior(p space.Parameter, mode float64, strength string) space.Parameter {
	p.Prior = &space.Prior{Mode: mode, Strength: strength}
	return p
}

// A wrong prior draws the surrogate's first suggestions to its mode and gives way to the data later.
func TestPriorSteersEarlyAndFades(t *testing.T) {
	t.Parallel()
	f := studytest.Value(func(c space.Configuration) float64 {
		return studytest.Sq(c.Value[0]-0.2) + studytest.Sq(c.Value[1]-0.7)
	})
	const early, all = 4, 40
	away := func(trials []study.Trial) (sum float64) { // from the mode 0.85
		for _, tr := range trials[5 : 5+early] {
			sum += math.Abs(tr.Config.Value[0]-0.85) / early
		}
		return sum
	}
	plain := simulate(t, studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y")), 5+early, f)
	steered := simulate(t, studytest.NewStudy(t, withPrior(studytest.Number("x"), 0.85, "strong"), studytest.Number("y")),
		all, f)
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
	f := studytest.Value(func(c space.Configuration) float64 { return math.Sin(7 * c.Value[0]) })
	count := func(p space.Parameter) (n int) {
		for _, tr := range simulate(t, studytest.NewStudy(t, studytest.Number("x"), p), 13, f)[5:] {
			if tr.Config.Value[1] == 3 {
				n++
			}
		}
		return n
	}
	none, strong := count(studytest.Category("k", names...)),
		count(withPrior(studytest.Category("k", names...), 3, "strong"))
	if strong < none+3 {
		t.Errorf("the preferred category was chosen %d times of 8, %d times without the prior", strong, none)
	}
}

func TestPriorGradient(t *testing.T) {
	ordinal := space.Parameter{Name: "o", Kind: space.Ordinal, Values: []string{"s", "m", "l"}}
	st := studytest.NewStudy(t,
		withPrior(studytest.Number("x"), 0.3, "weak"),
		withPrior(studytest.Category("k", "a", "b"), 1, "medium"),
		withPrior(ordinal, 2, "strong"),
		studytest.When(withPrior(studytest.Number("y"), 0.9, "medium"), 1, 0))
	b := newUserPrior(st.Space, 2.5)
	score := func(dx []float64, q *points.Set) float64 {
		var dst [1]float64
		gradients := b.Score(dst[:], q)
		gradients([][]float64{dx})
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
	want := 2.5 * (-0.5*1 - math.Log(4) - 0.5*studytest.Sq(0.5/0.125) - 0.5*studytest.Sq(0.5/0.25))
	if v := score(dx, q); !(math.Abs(v-want) <= 1e-12) {
		t.Errorf("belief %v, want %v", v, want)
	}
	const h = 1e-6
	for _, c := range []int{0, 3} {
		up, down := q.Clone(), q.Clone()
		up.Set(c, 0, q.At(c, 0)+h, true)
		down.Set(c, 0, q.At(c, 0)-h, true)
		slope := (score(nil, up) - score(nil, down)) / (2 * h)
		if !(math.Abs(dx[c]-slope) <= 1e-6) {
			t.Errorf("coordinate %d: gradient %v, want %v", c, dx[c], slope)
		}
	}
	if dx[1] != 0 || dx[2] != 0 {
		t.Errorf("choices have a gradient: %v", dx)
	}
}

func TestPriorWeightFades(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	h := &history{st: st}
	last := math.Inf(1)
	for n := range 100 {
		h.Observed = make([]*study.Trial, n)
		w := priorWeight(h)
		if w > last || n <= 5 && w != priorTrials || n > 6 && w != priorTrials/float64(n-4) {
			t.Fatalf("weight %v after %d trials", w, n)
		}
		last = w
	}
	st.Budget.Trials = 30
	h.Observed = nil
	if w := priorWeight(h); w != 3 {
		t.Errorf("with a budget of 30 the first weight is %v, want 3", w)
	}
}

func TestPriorRefusesHeadsThatDoNotMultiply(t *testing.T) {
	for _, name := range []string{"lcb"} {
		st := studytest.NewStudy(t, withPrior(studytest.Number("x"), 0.5, "weak"))
		st.Acquisition.Name, st.Acquisition.Kappa = name, 2
		trials := []study.Trial{}
		f := studytest.Value(func(c space.Configuration) float64 { return c.Value[0] })
		trials = append(trials, simulate(t, st, 5, f)...)
		_, err := Next(t.Context(), st, trials, Request{Number: 6, Seed: 1})
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The design begins at the modes, every other point follows the prior, and the
// rest is the design of a study without one.
func TestPriorDesign(t *testing.T) {
	params := []space.Parameter{
		studytest.Category("k", "a", "b", "c"), studytest.Number("x"),
		{Name: "n", Kind: space.Int, Low: 1, High: 9}, studytest.When(studytest.Number("y"), 0, 1),
		studytest.When(studytest.Number("z"), 0, 2),
	}
	plain := studytest.NewStudy(t, params...)
	for k, mode := range []float64{1, 0.8, 3, 0.2} {
		params[k] = withPrior(params[k], mode, "strong")
	}
	st := studytest.NewStudy(t, params...)
	without := *st
	without.Policy.Without = []string{"design.prior"}
	s := mustNext(t, st, nil, Request{Number: 1, Seed: 4})
	if c := s.Config; c.Value[0] != 1 || c.Value[1] != 0.8 || c.Value[2] != 3 || c.Value[3] != 0.2 {
		t.Errorf("the first point is %v, want the modes", c.Value)
	}
	const n = 200
	var hits, near, close, active float64
	for k := range n {
		number := 2 + k
		p, err := pointOf(readHistory(plain, nil, Request{}), Request{Number: number, Seed: 4}, policy.Design(st), "design")
		must(t, err)
		want, err := plain.Space.DesignPoint("halton", 4, number-1)
		must(t, err)
		if plain.Space.Key(p.Config) != plain.Space.Key(want) {
			t.Fatalf("point %d without priors is not the design's", number)
		}
		q, err := pointOf(readHistory(st, nil, Request{}), Request{Number: number, Seed: 4}, policy.Design(st), "design")
		must(t, err)
		studytest.Check(t, st, nil, q.Config)
		if p, err := pointOf(readHistory(&without, nil, Request{}), Request{Number: number, Seed: 4}, policy.Design(st), "design"); err != nil ||
			st.Space.Key(p.Config) != plain.Space.Key(want) {
			t.Fatalf("point %d without the rule is not the design's (%v)", number, err)
		}
		if number%2 == 1 {
			if st.Space.Key(q.Config) != plain.Space.Key(want) {
				t.Fatalf("point %d differs from that without priors", number)
			}
			continue
		}
		c := q.Config
		if c.Value[0] == 1 {
			hits += 2. / n
			active++
			if math.Abs(c.Value[3]-0.2) < 0.125 {
				close++
			}
		}
		if math.Abs(c.Value[1]-0.8) < 0.125 {
			near += 2. / n
		}
	}
	// Odds of 8 : 1 : 1; one standard deviation to each side of a normal, of which the end of the range cuts off 5.5 %.
	for _, r := range []struct{ got, want, tolerance float64 }{
		{hits, 0.8, 0.12}, {near, 0.6827 / 0.9452, 0.09}, {close / active, 0.6827 / 0.9452, 0.12},
	} {
		if !(math.Abs(r.got-r.want) <= r.tolerance) {
			t.Errorf("a share of %.3f, want %.3f", r.got, r.want)
		}
	}
}

// Below the u-quantile of a number's prior lies the share u of the normal density cut off at the range's ends.
func TestPriorQuantile(t *testing.T) {
	for _, b := range []coordinatePrior{{mode: 0.3, width: 0.2}, {mode: 0.9, width: 0.5}, {mode: 0, width: 0.1}} {
		const steps = 100000
		all, below := 0.0, 0.0
		at := b.quantile(0.25)
		for k := range steps {
			x := (float64(k) + 0.5) / steps
			density := math.Exp(gaussian(x, b.mode, b.width))
			if all += density; x < at {
				below += density
			}
		}
		if !(math.Abs(below/all-0.25) <= 1e-4) {
			t.Errorf("mode %g, width %g: the share below %g is %g, want 0.25", b.mode, b.width, at, below/all)
		}
	}
}
