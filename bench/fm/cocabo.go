package fm

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"bohier/bench/problems"
	"bohier/bench/runs"
	"bohier/internal/gp"
	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A mixture is the kernel of CoCaBO (Ru et al. 2020, equations 5 to 8):
//
//	k = (1 − λ)·(k_h + k_x) + λ·k_h·k_x,
//
// with k_h the share of the choices that agree, k_x a Matérn-5/2 with a lengthscale for
// each number, and λ fixed. Choices come behind the numbers.
type mixture struct {
	numbers, choices int
	weight           float64
	params           []kernels.Param
}

func newMixture(numbers, choices int, weight float64) *mixture {
	m := &mixture{numbers: numbers, choices: choices, weight: weight}
	for range numbers {
		m.params = append(m.params, kernels.Param{Init: 0.5, Lo: 1e-2, Hi: 10, Scale: kernels.Log})
	}
	for i := range m.params {
		m.params[i].Name = "lengthscale" + string(rune('a'+i))
	}
	return m
}

func (m *mixture) Params() []kernels.Param { return m.params }

func (m *mixture) Bind(theta []float64, y *points.Set) kernels.Cov {
	return &boundMixture{m, theta, y}
}

type boundMixture struct {
	*mixture
	theta []float64
	y     *points.Set
}

func (b *boundMixture) With(y *points.Set) kernels.Cov { return &boundMixture{b.mixture, b.theta, y} }

// parts are k_h, k_x and dk_x/d(r²) between point i of x and reference point j.
func (b *boundMixture) parts(x *points.Set, i, j int) (h, k, slope float64) {
	r2 := 0.0
	for d := range b.numbers {
		u := (x.At(d, i) - b.y.At(d, j)) / b.theta[d]
		r2 += u * u
	}
	for d := range b.choices {
		if x.At(b.numbers+d, i) == b.y.At(b.numbers+d, j) {
			h += 1 / float64(b.choices)
		}
	}
	r := math.Sqrt(5 * r2)
	e := math.Exp(-r)
	return h, (1 + r + r*r/3) * e, -5.0 / 6 * (1 + r) * e
}

func (b *boundMixture) Row(dst []float64, x *points.Set, i, lo int) {
	for t := range dst {
		h, k, _ := b.parts(x, i, lo+t)
		dst[t] = (1-b.weight)*(h+k) + b.weight*h*k
	}
}

func (b *boundMixture) Pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	for t, v := range w {
		h, _, slope := b.parts(x, i, lo+t)
		g := v * (1 - b.weight + b.weight*h) * slope
		for d := range b.numbers {
			diff, l := x.At(d, i)-b.y.At(d, lo+t), b.theta[d]
			if dtheta != nil {
				dtheta[d] -= 2 * g * diff * diff / (l * l * l)
			}
			if dx != nil {
				dx[d] += 2 * g * diff / (l * l)
			}
		}
	}
}

// A bandit chooses a value of one choice by EXP3 (Auer et al. 2002), as CoCaBO does.
type bandit struct {
	weights []float64
	gamma   float64
	last    int
}

func newBandit(arms, rounds int) *bandit {
	c := float64(arms)
	b := &bandit{gamma: math.Min(1, math.Sqrt(c*math.Log(c)/((math.E-1)*2/3*float64(rounds))))}
	for range arms {
		b.weights = append(b.weights, 1)
	}
	return b
}

// chances are the probabilities of the values.
func (b *bandit) chances() []float64 {
	sum, out := 0.0, make([]float64, len(b.weights))
	for _, w := range b.weights {
		sum += w
	}
	for k, w := range b.weights {
		out[k] = (1-b.gamma)*w/sum + b.gamma/float64(len(b.weights))
	}
	return out
}

func (b *bandit) draw(g *rand.Rand) int {
	u := g.Float64()
	for k, p := range b.chances() {
		if u -= p; u < 0 {
			b.last = k
			return k
		}
	}
	b.last = len(b.weights) - 1
	return b.last
}

// reward is told in [0, 1] for the last draw.
func (b *bandit) reward(v float64) {
	p := b.chances()[b.last]
	b.weights[b.last] *= math.Exp(b.gamma * v / p / float64(len(b.weights)))
	most := 0.0
	for _, w := range b.weights {
		most = math.Max(most, w)
	}
	for k := range b.weights {
		b.weights[k] /= most // only ratios matter
	}
}

// cocabo is CoCaBO without batches: bandits choose the choices, the largest upper
// confidence bound (κ = 2) the numbers given them.
func cocabo(ctx context.Context, p *problems.Problem, seed uint64, n int, weight float64) (*runs.Run, error) {
	began := time.Now()
	g := random(p.Name, seed+3000)
	var numbers, choices []*problems.Param
	for i := range p.Params {
		if q := &p.Params[i]; q.Kind == problems.Float {
			numbers = append(numbers, q)
		} else {
			choices = append(choices, q)
		}
	}
	bandits := make([]*bandit, len(choices))
	for i, q := range choices {
		bandits[i] = newBandit(len(q.Choices), n)
	}
	encode := func(s *points.Set, i int, x problems.Point) {
		for d, q := range numbers {
			s.Set(d, i, q.To(x[q.Name]), true)
		}
		for d, q := range choices {
			s.Set(len(numbers)+d, i, x[q.Name], true)
		}
	}
	k := newMixture(len(numbers), len(choices), weight)
	r := &runs.Run{Problem: p.Name, Seed: seed, N: n}
	first := initial(p, seed)
	var xs []problems.Point
	var ys []float64
	for t := range n {
		x := problems.Point{}
		if t < len(first) {
			x = first[t]
		} else {
			for i, q := range choices {
				x[q.Name] = level(q, bandits[i].draw(g))
			}
			set := points.New(len(xs), len(p.Params))
			for i := range xs {
				encode(set, i, xs[i])
			}
			m, _, err := gp.Fit(ctx, k, set, ys, gp.Options{Inference: "mle", Starts: 3, Seed: seed<<16 + uint64(t)})
			if err != nil {
				return nil, err
			}
			bound(g, m.Predictor(), x, numbers, encode, len(p.Params))
		}
		y, err := p.Value(x)
		if err != nil {
			return nil, err
		}
		xs, ys = append(xs, x), append(ys, y)
		r.Tell(y)
		if t >= len(first) {
			low, high := math.Inf(1), math.Inf(-1)
			for _, v := range ys {
				low, high = math.Min(low, v), math.Max(high, v)
			}
			for _, b := range bandits {
				b.reward((high - y) / math.Max(high-low, 1e-300))
			}
		}
	}
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// bound sets the numbers of x where mean − 2·deviation is least: of 1,000 uniform ones,
// then of five rounds of 200 closer and closer to the best.
func bound(g *rand.Rand, m gp.Predictor, x problems.Point, numbers []*problems.Param, encode func(*points.Set, int, problems.Point), dim int) {
	best, width := math.Inf(1), 0.0
	centre := make([]float64, len(numbers))
	for _, count := range []int{1000, 200, 200, 200, 200, 200} {
		set := points.New(count, dim)
		at := make([][]float64, count)
		for i := range count {
			trial := problems.Point{}
			for name, v := range x {
				trial[name] = v
			}
			at[i] = make([]float64, len(numbers))
			for d, q := range numbers {
				if at[i][d] = g.Float64(); width > 0 {
					at[i][d] = math.Min(1, math.Max(0, centre[d]+width*g.NormFloat64()))
				}
				trial[q.Name] = q.From(at[i][d])
			}
			encode(set, i, trial)
		}
		mean, variance := make([]float64, count), make([]float64, count)
		m.PredictBatch(mean, variance, set)
		for i := range count {
			if v := mean[i] - 2*math.Sqrt(variance[i]); v < best {
				best = v
				copy(centre, at[i])
			}
		}
		width = math.Max(width/3, 1e-4)
		if count == 1000 {
			width = 0.1
		}
	}
	for d, q := range numbers {
		x[q.Name] = q.From(centre[d])
	}
}
