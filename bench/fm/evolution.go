package fm

import (
	"context"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"bohier/bench/problems"
	"bohier/bench/runs"
)

func random(name string, seed uint64) *rand.Rand {
	h := fnv.New64a()
	_, _ = io.WriteString(h, name) // a hash takes everything
	return rand.New(rand.NewPCG(h.Sum64(), seed))
}

// uniform draws a point, numbers with a log scale uniformly in the logarithm.
func uniform(g *rand.Rand, p *problems.Problem) problems.Point {
	x := problems.Point{}
	for i := range p.Params {
		q := &p.Params[i]
		if q.Kind == problems.Float {
			x[q.Name] = q.From(g.Float64())
		} else {
			x[q.Name] = level(q, g.IntN(len(q.Choices)))
		}
	}
	return x
}

// level is what a Point holds of the k-th choice.
func level(q *problems.Param, k int) float64 {
	if q.Kind == problems.Ordinal {
		return float64(k + 1) // the choices of this study are 1, 2, …
	}
	return float64(k)
}

// The settings of regularised evolution (Real et al. 2019) in the paper.
const (
	population = 50
	sample     = 15
	spread     = 0.01 // standard deviation of a mutation, in the range of a number
)

// evolve is regularised evolution: after 50 random points, each further one is the best
// of 15 drawn with replacement from the latest 50, with one choice and one number
// changed. An input pair of the architecture keeps one of its inputs.
func evolve(_ context.Context, p *problems.Problem, seed uint64, n int) (*runs.Run, error) {
	began := time.Now()
	g := random(p.Name, seed+1000)
	first := initial(p, seed)
	r := &runs.Run{Problem: p.Name, Seed: seed, N: n}
	var xs []problems.Point
	var ys []float64
	for k := range n {
		var x problems.Point
		switch {
		case k < len(first):
			x = first[k]
		case k < population:
			x = uniform(g, p)
		default:
			best := -1
			for range sample {
				if i := k - population + g.IntN(population); best < 0 || ys[i] < ys[best] {
					best = i
				}
			}
			x = mutate(g, p, xs[best])
		}
		y, err := p.Value(x)
		if err != nil {
			return nil, err
		}
		xs, ys = append(xs, x), append(ys, y)
		r.Tell(y)
	}
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

func mutate(g *rand.Rand, p *problems.Problem, x problems.Point) problems.Point {
	out := problems.Point{}
	var numbers, choices []*problems.Param
	for i := range p.Params {
		q := &p.Params[i]
		out[q.Name] = x[q.Name]
		if q.Kind == problems.Float {
			numbers = append(numbers, q)
		} else {
			choices = append(choices, q)
		}
	}
	if len(numbers) > 0 {
		q := numbers[g.IntN(len(numbers))]
		out[q.Name] = q.From(math.Min(1, math.Max(0, q.To(x[q.Name])+spread*g.NormFloat64())))
	}
	if len(choices) > 0 {
		q := choices[g.IntN(len(choices))]
		now := 0
		for k := range q.Choices {
			if level(q, k) == x[q.Name] {
				now = k
			}
		}
		next := (now + 1 + g.IntN(len(q.Choices)-1)) % len(q.Choices)
		for tries := 0; p.Name == "architecture" && len(q.Choices) > 2 && !shares(q.Choices[now], q.Choices[next]) && tries < 100; tries++ {
			next = (now + 1 + g.IntN(len(q.Choices)-1)) % len(q.Choices)
		}
		out[q.Name] = level(q, next)
	}
	return out
}

// shares reports whether two pairs of inputs, written "a,b", have one in common; what is
// no pair always does.
func shares(a, b string) bool {
	p, ok1 := inputs(a)
	q, ok2 := inputs(b)
	return !ok1 || !ok2 || p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1]
}
