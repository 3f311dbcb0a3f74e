package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

func TestPriors(t *testing.T) {
	checks := 0
	for _, c := range []struct {
		prior    kernels.Prior
		at       []float64
		mean, sd float64 // of ln v for the log-normal, of v for the others
		log      bool
	}{
		{kernels.LogNormal{Mu: 0.4, Sigma: 1.1}, []float64{0.1, 1, 7}, 0.4, 1.1, true},
		{kernels.Normal{Mean: -2, Sigma: 0.5}, []float64{-3, -2, 4}, -2, 0.5, false},
		{kernels.Uniform{Low: 1, High: 3}, []float64{1.1, 2.9}, 2, 2 / math.Sqrt(12), false},
	} {
		for _, v := range c.at {
			l, d := c.prior.LogDensity(v)
			h := 1e-5 * math.Abs(v)
			a, _ := c.prior.LogDensity(v + h)
			b, _ := c.prior.LogDensity(v - h)
			checks++
			if want := (a - b) / (2 * h); math.Abs(d-want) > 1e-6*(1+math.Abs(want)) || math.IsNaN(l) {
				t.Errorf("%v at %v: slope %v, differences give %v", c.prior, v, d, want)
			}
		}
		r := rand.New(rand.NewPCG(1, 1))
		var sum, square float64
		const n = 20000
		quantiles := map[float64]int{0.05: 0, 0.5: 0, 0.95: 0}
		for range n {
			v := c.prior.Sample(r)
			for q := range quantiles {
				if v < c.prior.Quantile(q) {
					quantiles[q]++
				}
			}
			if c.log {
				v = math.Log(v)
			}
			sum += v
			square += v * v
		}
		mean := sum / n
		sd := math.Sqrt(square/n - mean*mean)
		if math.Abs(mean-c.mean) > 4*c.sd/math.Sqrt(n) || math.Abs(sd/c.sd-1) > 0.03 { // 4 and > 4 standard errors
			t.Errorf("%v: mean %v, deviation %v", c.prior, mean, sd)
		}
		for q, below := range quantiles { // 4 standard errors
			if share := float64(below) / n; !(math.Abs(share-q) <= 4*math.Sqrt(q*(1-q)/n)) {
				t.Errorf("%v: %v of the samples below the quantile of %v", c.prior, share, q)
			}
		}
	}
	if checks == 0 {
		t.Fatal("nothing checked")
	}
	if l, _ := (kernels.LogNormal{Sigma: 1}).LogDensity(0); !math.IsInf(l, -1) {
		t.Errorf("log-normal at 0: %v", l)
	}
}

func TestNewPrior(t *testing.T) {
	for family, want := range map[string]kernels.Prior{
		"lognormal": kernels.LogNormal{Mu: 1, Sigma: 2}, "normal": kernels.Normal{Mean: 1, Sigma: 2},
		"uniform": kernels.Uniform{Low: 1, High: 2},
	} {
		if p := kernels.NewPrior(family, [2]float64{1, 2}); p != want {
			t.Errorf("%s: %v", family, p)
		}
	}
}

func TestUniformPriorEndsAtItsBounds(t *testing.T) {
	for v, inside := range map[float64]bool{0.9: false, 1: true, 2: true, 3: true, 3.1: false} {
		if logp, _ := (kernels.Uniform{Low: 1, High: 3}).LogDensity(v); logp != map[bool]float64{true: 0,
			false: math.Inf(-1)}[inside] {
			t.Errorf("log density %v at %v", logp, v)
		}
	}
}

// The prior of a lengthscale, carried over to every hyperparameter that stands
// for one: what a median lengthscale does to a small difference.
func TestPriorsAgreeAcrossKernels(t *testing.T) {
	const d = 5
	coords := make([]kernels.Coord, d)
	for i := range coords {
		coords[i] = kernels.Coord{Name: string(rune('a' + i)), Conditional: true}
	}
	lengthscale := math.Exp(-1.2) * math.Sqrt(d) // median; see lengthscalePrior
	const gap = 1e-3
	for _, c := range []struct {
		name, base string
		rate       float64 // −ln k ≈ rate·(gap/ℓ)²
	}{{"se", "", 0.5}, {"imp", "se", 0.5}, {"arc", "se", 0.5}, {"arc", "exp", 0.5}, {"imp", "exp", 0.5},
		{"matern52", "", 5.0 / 6}, {"modlap", "", 1}} {
		k := mustKernel(t, kernels.Spec{Name: c.name, Base: c.base, ARD: true}, coords)
		var theta []float64
		for _, p := range k.Params() {
			theta = append(theta, p.Init)
		}
		x := kPoints(d, 0.5, 0.5+gap)
		got := 1 - block(k, theta, x, x)[0][1]
		want := c.rate * gap * gap / (lengthscale * lengthscale)
		if !(math.Abs(got-want) <= 0.02*want) {
			t.Errorf("%s/%s: 1 − k = %v, want %v", c.name, c.base, got, want)
		}
	}
}

// However many choices there are, configurations that differ in all of them stay about as
// similar as they are with three, and each of three or fewer counts as it does alone.
func TestPriorsOfManyChoices(t *testing.T) {
	differing := func(k, active int) float64 {
		coords := make([]kernels.Coord, k)
		for i := range coords {
			coords[i] = kernels.Coord{Name: fmt.Sprint("c", i), Levels: 4}
		}
		kernel := mustKernel(t, kernels.Spec{Name: "se", ARD: true, ActiveChoices: active}, coords)
		var theta []float64
		for _, p := range kernel.Params() {
			theta = append(theta, p.Init)
		}
		x := points.New(2, k) // which differ in every choice
		for c := range k {
			x.Col(c)[1] = 1
		}
		return -math.Log(block(kernel, theta, x, x)[0][1])
	}
	one := differing(1, 0)
	for k, want := range map[int]float64{2: 2, 3: 3, 4: 3, 25: 3} {
		if got := differing(k, 0) / one; math.Abs(got-want) > 1e-9 {
			t.Errorf("%d choices are %v times as far apart as one, not %v", k, got, want)
		}
	}
	if got := differing(8, 4) / one; math.Abs(got-6) > 1e-9 { // of eight in two branches four are active
		t.Errorf("eight choices, four at once, are %v times as far apart as one, not 6", got)
	}
}
