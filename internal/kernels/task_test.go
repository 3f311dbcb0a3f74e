package kernels_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// kPoints is two points that differ in the first coordinate.
func kPoints(d int, u, v float64) *points.Set {
	x := points.New(2, d)
	for c := range d {
		x.Col(c)[0], x.Col(c)[1] = 0.5, 0.5
	}
	x.Col(0)[0], x.Col(0)[1] = u, v
	return x
}

func TestTask(t *testing.T) {
	coords := []kernels.Coord{{Name: "x"}, {Name: "y", Conditional: true}}
	inner := mustKernel(t, kernels.Spec{Name: "arc", ARD: true}, coords)
	const tasks = 3
	between := func(beta float64, same bool) float64 {
		if same {
			return 1.0/tasks + (1-1.0/tasks)/(1+beta*tasks)
		}
		return 1.0/tasks - 1.0/tasks/(1+beta*tasks)
	}
	k := kernels.Task(inner, 2, tasks)
	params := k.Params()
	if last := params[len(params)-1].Name; last != "task.beta" || len(params) != len(inner.Params())+1 {
		t.Fatalf("hyperparameters end with %s", last)
	}
	r := rand.New(rand.NewPCG(3, 3))
	theta := Theta(r, params)
	x := points.New(9, 3)
	for i := range 9 {
		x.Set(0, i, r.Float64(), true)
		x.Set(1, i, r.Float64(), i%2 == 0)
		x.Set(2, i, float64(i%tasks), true)
	}
	plain, joint := block(inner, theta[:len(theta)-1], x, x), block(k, theta, x, x)
	for i := range plain {
		for j := range plain {
			want := plain[i][j] * between(theta[len(theta)-1], i%tasks == j%tasks)
			if !(math.Abs(joint[i][j]-want) <= 1e-14) {
				t.Errorf("k(%d, %d) = %v, want %v", i, j, joint[i][j], want)
			}
		}
	}
	for seed := range uint64(5) { // the contract, the study being a choice like another
		r := rand.New(rand.NewPCG(seed, 4))
		s := RandomSpace(r, Kinds{Numeric: true, Discrete: true})
		n := len(s.Coords) - 1
		for s.Coords[n].Levels == 0 {
			s = RandomSpace(r, Kinds{Numeric: true, Discrete: true})
			n = len(s.Coords) - 1
		}
		inner := mustKernel(t, kernels.Spec{Name: "modlap", ARD: true}, s.Coords[:n])
		c := Contract(t, r, kernels.Task(inner, n, s.Coords[n].Levels), s, 15, Options{})
		if c.Theta == 0 || c.Points == 0 {
			t.Error("nothing checked")
		}
	}
}
