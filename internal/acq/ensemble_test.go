package acq_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/acq"
	"bohier/internal/points"
)

// A quadric is a surrogate in closed form: mean Σ(x−a)², variance
// floor + Σ b·x over active unit coordinates, and a shift per choice.
type quadric struct {
	toy   *toy
	a, b  []float64
	shift float64
	step  float64     // of the mean from one belief to the next
	q     *points.Set // of LoadBatch
}

func (m *quadric) Predict(q *points.Set, i int) (mean, variance float64) {
	variance = 0.05
	for c, p := range m.toy.params {
		if !q.Active(c, i) {
			continue
		}
		x := q.At(c, i)
		if p.levels > 0 {
			mean += m.shift * x
			continue
		}
		mean += (x - m.a[c]) * (x - m.a[c])
		variance += m.b[c] * x
	}
	return mean, variance
}

// predict has means that rise by a step from belief to belief.
func (m *quadric) predict(means [][]float64, variance []float64, q *points.Set) {
	for i := range variance {
		var mean float64
		mean, variance[i] = m.Predict(q, i)
		for f := range means {
			means[f][i] = mean + m.step*float64(f)
		}
	}
}

// Open knows the variance to within a factor.
func (m *quadric) Open(means [][]float64, bound []float64, q *points.Set) func([]float64, []int, float64) {
	variance := make([]float64, q.Len())
	m.predict(means, variance, q)
	for i, v := range variance {
		bound[i] = 3 * v
	}
	return func(bound []float64, at []int, share float64) {
		for k, i := range at {
			bound[k] = variance[i] * (3 - 2*share)
		}
	}
}

func (m *quadric) LoadBatch(means [][]float64, variance []float64, q *points.Set) {
	m.q = q.Clone()
	m.predict(means, variance, q)
}

func (m *quadric) PullBatch(_ int, dx [][]float64, dmean, dvar []float64) {
	for i, d := range dx {
		if d == nil {
			continue
		}
		for _, c := range m.toy.Smooth(m.q, i) {
			d[c] += dmean[i]*2*(m.q.At(c, i)-m.a[c]) + dvar[i]*m.b[c]
		}
	}
}

func newQuadric(t *toy, r *rand.Rand) *quadric {
	n := len(t.params)
	m := &quadric{toy: t, a: make([]float64, n), b: make([]float64, n), shift: r.NormFloat64() / 3, step: 0.1}
	for c := range m.a {
		m.a[c], m.b[c] = r.Float64(), r.Float64()
	}
	return m
}

func head(t testing.TB, name string, incumbent float64) acq.Head {
	t.Helper()
	h, err := acq.NewHead(name, incumbent, 0)
	must(t, err)
	return h
}

// TestEnsemble compares with direct averaging over fantasies, each with a mean and an
// incumbent of its own, of products of improvement, feasibility and cost.
func TestEnsemble(t *testing.T) {
	d := toys["conditional"]
	r := rand.New(rand.NewPCG(4, 2))
	const fantasies, rho = 4, 0.5
	for _, name := range []string{"ei", "lcb", "logei"} {
		log := name[:2] == "lo"
		model, constraint, cost := newQuadric(d, r), newQuadric(d, r), newQuadric(d, r)
		var incumbents []float64
		var members []acq.Member
		for range fantasies {
			at := r.NormFloat64() / 4
			incumbents = append(incumbents, at)
			member := acq.Member{{Head: head(t, name, at), Surrogate: func() acq.Surrogate { return model }}}
			if log {
				member = append(member,
					acq.Term{Head: acq.Feasibility(0.3, 0, 1), Surrogate: func() acq.Surrogate { return constraint }},
					acq.Term{Head: acq.LogCost(rho, 2), Surrogate: func() acq.Surrogate { return cost }})
			}
			members = append(members, member)
		}
		plain := map[string]string{"logei": "ei"}[name]
		if plain == "" {
			plain = name
		}
		direct := func(q *points.Set, i int) float64 {
			sum := 0.0
			for f, incumbent := range incumbents {
				more := 0.1 * float64(f)
				mean, vari := model.Predict(q, i)
				v, _, _ := head(t, plain, incumbent).Score(mean+more, vari)
				if log {
					mean, vari := constraint.Predict(q, i)
					mean += more
					v *= math.Erfc(-(0.3-mean)/math.Sqrt(2*vari)) / 2
					mean, _ = cost.Predict(q, i)
					v /= math.Pow(math.Exp(2*(mean+more)), rho)
				}
				sum += v / fantasies
			}
			if log {
				return math.Log(sum)
			}
			return sum
		}
		scorer := acq.Members(members...)()
		q := d.Sample(r, 40)
		batch := acq.Scores(scorer, q)
		dx := make([]float64, q.Dim())
		for i := range batch {
			want := direct(q, i)
			if !(math.Abs(batch[i]-want) <= 1e-12*math.Max(1, math.Abs(want))) {
				t.Errorf("%s: point %d: %v in a batch, %v directly", name, i, batch[i], want)
			}
			for c := range dx {
				dx[c] = 99 // Score overwrites
			}
			if v := score(scorer, dx, q, i); v != score(scorer, nil, q, i) || math.Abs(v-batch[i]) > 1e-13 {
				t.Errorf("%s: point %d: %v alone, %v in a batch", name, i, v, batch[i])
			}
			f := field{d, direct}
			fd := make([]float64, q.Dim())
			score(f, fd, q, i)
			for c := range dx {
				if !(math.Abs(dx[c]-fd[c]) <= 1e-7*(1+math.Abs(fd[c]))) {
					t.Errorf("%s: ∂/∂x%d = %v, by differences %v", name, c, dx[c], fd[c])
				}
			}
		}
	}
}

// TestEnsembleFar: the average of log heads survives members whose exponential underflows.
func TestEnsembleFar(t *testing.T) {
	d := toys["numbers"]
	m := newQuadric(d, rand.New(rand.NewPCG(1, 1)))
	s := func() acq.Surrogate { return m }
	scorer := acq.Members(
		acq.Member{{Head: head(t, "logei", -900), Surrogate: s}},
		acq.Member{{Head: head(t, "logei", -901), Surrogate: s}},
	)()
	one := acq.Members(acq.Member{{Head: head(t, "logei", -900), Surrogate: s}})()
	q := d.Sample(rand.New(rand.NewPCG(2, 2)), 1)
	dx, dx1 := make([]float64, 3), make([]float64, 3)
	got, want := score(scorer, dx, q, 0), score(one, dx1, q, 0)-math.Log(2)
	if math.Abs(got-want) > 1e-9*math.Abs(want) || math.IsInf(got, 0) {
		t.Errorf("score %v, want %v", got, want)
	}
	for c := range dx {
		if math.Abs(dx[c]-dx1[c]) > 1e-9*math.Abs(dx1[c]) || dx[c] == 0 {
			t.Errorf("gradient %v, want %v", dx, dx1)
		}
	}
}

func TestEnsemblePanics(t *testing.T) {
	s := func() acq.Surrogate { return nil }
	ei, logei := acq.Alone(head(t, "ei", 0)), acq.Alone(head(t, "logei", 0))
	for name, make := range map[string]func(){
		"none":  func() { acq.Ensemble(nil, s) },
		"empty": func() { acq.Ensemble([]acq.Joint{ei}) },
		"mixed": func() { acq.Ensemble([]acq.Joint{ei, logei}, s) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			make()
		}()
	}
}
