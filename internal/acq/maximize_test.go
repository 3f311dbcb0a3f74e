package acq_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/acq"
	"bohier/internal/points"
)

// optimizers are the values of Options.Optimizer.
var optimizers = []string{"hybrid", "de"}

var toys = map[string]*toy{
	"numbers": {params: []toyParam{number(-1, 0), number(-1, 0), number(-1, 0)}},
	"mixed": {params: []toyParam{
		number(-1, 0), number(-1, 0), choice(4, -1, 0), choice(3, -1, 0), integer(5, -1, 0), integer(300, -1, 0),
	}},
	"conditional": {params: []toyParam{
		choice(3, -1, 0), number(0, 0), number(0, 0), number(0, 1), choice(4, 0, 1), number(4, 2), integer(8, 0, 2),
		number(-1, 0),
	}},
	"choices": {params: []toyParam{choice(5, -1, 0), choice(3, 0, 1), choice(3, 0, 2), choice(4, -1, 0), choice(6, 3, 3)}},
	"constrained": {
		params: []toyParam{number(-1, 0), number(-1, 0), choice(3, -1, 0), integer(7, -1, 0)},
		valid: func(q *points.Set, i int) bool {
			return q.At(0, i)+q.At(1, i) <= 1 && !(q.At(2, i) == 1 && q.At(3, i) > 0.5)
		},
	},
}

// bumps is a random sum of bumps on a toy: tops of different heights and widths
// at random points, in the logarithm like log expected improvement.
func bumps(t *toy, seed uint64) field {
	r := rand.New(rand.NewPCG(seed, 1))
	tops := t.Sample(r, 12)
	height := make([]float64, tops.Len())
	width := make([]float64, tops.Len())
	for k := range height {
		height[k] = r.Float64()
		width[k] = 0.05 + 0.4*r.Float64()
	}
	return field{t, func(q *points.Set, i int) float64 {
		sum := 1e-12
		for k := range height {
			d := 0.0
			for c, p := range t.params {
				a, b := q.Active(c, i), tops.Active(c, k)
				switch {
				case !a && !b:
				case a != b:
					d += 0.5
				case p.levels > 0:
					if q.At(c, i) != tops.At(c, k) {
						d++
					}
				default:
					x := (q.At(c, i) - tops.At(c, k)) / width[k]
					d += x * x
				}
			}
			sum += height[k] * math.Exp(-d)
		}
		return math.Log(sum)
	}}
}

func maximize(t *testing.T, a acq.Acquisition, d acq.Domain, o acq.Options) ([]acq.Candidate, acq.Stats) {
	t.Helper()
	if o.Rand == nil {
		o.Rand = rand.New(rand.NewPCG(3, 4))
	}
	found, stats, err := acq.Maximize(context.Background(), a, d, o)
	must(t, err)
	return found, stats
}

func TestCandidatesAreFit(t *testing.T) {
	for name, d := range toys {
		for _, optimizer := range optimizers {
			for seed := range uint64(4) {
				a := bumps(d, seed)
				r := rand.New(rand.NewPCG(seed, 9))
				incumbents := d.Sample(r, 3)
				found, _ := maximize(t, a.fork, d, acq.Options{Rand: r, Incumbents: incumbents, Optimizer: optimizer, Keep: 7,
					DEEvaluations: 2000})
				if len(found) == 0 || len(found) > 7 {
					t.Fatalf("%s, %s: %d candidates", name, optimizer, len(found))
				}
				for k, f := range found {
					if why := d.check(f.Point, 0); why != "" {
						t.Errorf("%s, %s: candidate %d %s", name, optimizer, k, why)
					}
					if v := a.value(f.Point, 0); v != f.Score {
						t.Errorf("%s, %s: candidate %d has score %v, not %v", name, optimizer, k, v, f.Score)
					}
					if f.Tried {
						t.Errorf("%s, %s: candidate %d is tried without Avoid", name, optimizer, k)
					}
					for j := range k {
						if found[j].Score < f.Score {
							t.Errorf("%s, %s: candidates %d and %d are out of order", name, optimizer, j, k)
						}
						if found[j].Point.Equal(0, f.Point, 0) {
							t.Errorf("%s, %s: candidates %d and %d are equal", name, optimizer, j, k)
						}
					}
				}
			}
		}
	}
}

func TestSameResultWhateverWorkers(t *testing.T) {
	for name, d := range toys {
		for _, optimizer := range optimizers {
			a := bumps(d, 5)
			run := func(workers int) ([]acq.Candidate, acq.Stats) {
				return maximize(t, a.fork, d, acq.Options{Workers: workers, Keep: 5, Optimizer: optimizer, DEEvaluations: 1500})
			}
			one, s1 := run(1)
			for _, w := range []int{2, 5, 16} {
				many, sw := run(w)
				if s1 != sw {
					t.Errorf("%s, %s: stats %+v with %d workers, %+v with one", name, optimizer, sw, w, s1)
				}
				same(t, name+" "+optimizer, one, many)
			}
		}
	}
}

func same(t *testing.T, what string, a, b []acq.Candidate) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%s: %d and %d candidates", what, len(a), len(b))
	}
	for k := range a {
		if a[k].Score != b[k].Score || !a[k].Point.Equal(0, b[k].Point, 0) {
			t.Errorf("%s: candidate %d scores %v and %v, or lies elsewhere", what, k, a[k].Score, b[k].Score)
		}
	}
}

// TestReplay: a search stopped by its context is repeated by Cut.
func TestReplay(t *testing.T) {
	d := toys["conditional"]
	base := bumps(d, 2)
	for _, optimizer := range optimizers {
		for _, limit := range []int{1, 500, 1200, 2200} {
			ctx, cancel := context.WithCancel(context.Background())
			calls := 0
			a := field{d, func(q *points.Set, i int) float64 {
				if calls++; calls == limit {
					cancel()
				}
				return base.value(q, i)
			}}
			seed := func() *rand.Rand { return rand.New(rand.NewPCG(8, 8)) }
			stopped, stats, err := acq.Maximize(ctx, a.fork, d, acq.Options{Rand: seed(), Keep: 3, Optimizer: optimizer})
			if err != nil || len(stopped) == 0 || !stats.Stopped {
				t.Fatalf("%s stopped after %d: %v, %+v", optimizer, limit, err, stats)
			}
			again, replay := maximize(t, base.fork, d,
				acq.Options{Rand: seed(), Keep: 3, Cut: stats.Steps, Workers: 3, Optimizer: optimizer})
			if replay.Steps != stats.Steps {
				t.Errorf("%s stopped after %d: %d steps, replayed %d", optimizer, limit, stats.Steps, replay.Steps)
			}
			same(t, fmt.Sprintf("%s stopped after %d, replayed", optimizer, limit), stopped, again)
			cancel()
		}
	}
}

// TestAvoid: in a space of 63 configurations with all but one avoided,
// that one is found; with all avoided, the best of them comes back, marked.
func TestAvoid(t *testing.T) {
	d := &toy{params: []toyParam{choice(3, -1, 0), choice(4, 0, 1), integer(6, -1, 0)}}
	a := bumps(d, 1)
	r := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		free := d.Sample(r, 1)
		all := false
		avoid := func(q *points.Set, i int) bool { return all || !q.Equal(i, free, 0) }
		found, _ := maximize(t, a.fork, d, acq.Options{Rand: r, Avoid: avoid, Keep: 4})
		if len(found) != 1 || found[0].Tried || !found[0].Point.Equal(0, free, 0) {
			t.Fatalf("the only free point is not what was found: %+v", found)
		}
		all = true
		found, _ = maximize(t, a.fork, d, acq.Options{Rand: r, Avoid: avoid, Keep: 4})
		if len(found) != 4 || !found[0].Tried {
			t.Fatalf("with everything tried: %+v", found)
		}
		if best := bruteForce(a.fork, d, 1); found[0].Score < best-1e-12 {
			t.Errorf("the best tried point is %v, not %v", found[0].Score, best)
		}
	}
}

func TestMaximizeErrors(t *testing.T) {
	d := toys["mixed"]
	r := rand.New(rand.NewPCG(1, 1))
	never := &toy{params: d.params, valid: func(*points.Set, int) bool { return false }}
	for _, optimizer := range optimizers {
		if _, _, err := acq.Maximize(context.Background(), bumps(d, 1).fork, never,
			acq.Options{Rand: r, Optimizer: optimizer}); err == nil {
			t.Errorf("%s: no error without a valid point", optimizer)
		}
	}
}

// TestBadScores: not-a-number and infinite scores neither win nor crash.
func TestBadScores(t *testing.T) {
	d := toys["mixed"]
	base := bumps(d, 1)
	a := field{d, func(q *points.Set, i int) float64 {
		switch {
		case q.At(0, i) < 0.3:
			return math.NaN()
		case q.At(1, i) < 0.3:
			return math.Inf(-1)
		}
		return base.value(q, i)
	}}
	for _, optimizer := range optimizers {
		found, _ := maximize(t, a.fork, d, acq.Options{Optimizer: optimizer})
		if v := found[0].Score; math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("%s: the best score is %v", optimizer, v)
		}
	}
}

// TestSteps: journals hold after how many steps a deadline stopped a search, so that a change of their number is a choice:
// suggestions of earlier versions under a deadline do not come out again.
func TestSteps(t *testing.T) {
	for name, steps := range map[string]int{"numbers": 190, "mixed": 184, "conditional": 189, "choices": 31} {
		d, o := toys[name], acq.Options{Keep: 3, Candidates: 3000}
		base := bumps(d, 2)
		steep := field{d, func(q *points.Set, i int) float64 { return 30 * base.value(q, i) }}
		if _, stats := maximize(t, steep.fork, d, o); stats.Steps != steps {
			t.Errorf("%s: %d steps, not %d as always", name, stats.Steps, steps)
		}
	}
}
