package problems

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomPoint is a random configuration as a map of values.
func (p *Problem) randomPoint(r *rand.Rand) map[string]any {
	x, known := Point{}, map[string]*Param{}
	for i := range p.Params {
		q := &p.Params[i]
		if known[q.Name] = q; !active(q, known, x) {
			continue
		}
		switch q.Kind {
		case Float:
			x[q.Name] = q.From(r.Float64())
		case Int:
			x[q.Name] = q.Low + math.Floor(r.Float64()*(q.High-q.Low+1))
		default:
			x[q.Name] = q.choice(q.Choices[r.IntN(len(q.Choices))])
		}
	}
	return p.Values(x)
}

// A family's optimum has the value on record, no point and no neighbour of the optimum is
// below it, a seed gives the same problem twice, and seeds differ.
func TestFamilies(t *testing.T) {
	const points = 60
	held := 0
	for _, f := range Families() {
		if f.Held {
			held++
		}
		for seed := uint64(1); seed <= 2; seed++ {
			p, again, other := f.Problem(seed), f.Problem(seed), f.Problem(seed+1)
			if p.Front == nil {
				y, err := p.Eval(p.Optimum.At)
				if err != nil || math.Abs(y-p.Optimum.Value) > 1e-9 {
					t.Errorf("%s: the optimum has the value %v, not %v: %v", p.Name, y, p.Optimum.Value, err)
				}
			}
			r, differ := rand.New(rand.NewPCG(seed, 1)), 0
			for k := range points {
				x := p.randomPoint(r)
				if k%3 == 0 && p.Front == nil { // the optimum but for one parameter
					name := p.Params[r.IntN(len(p.Params))].Name
					if _, active := p.Optimum.At[name]; active && len(p.Params[0].When) == 0 && !p.Conditional() {
						for n, w := range p.Optimum.At {
							if n != name {
								x[n] = w
							}
						}
					}
				}
				y, err := p.Eval(x)
				if err != nil || y < p.Optimum.Value-1e-9 {
					t.Fatalf("%s at %v: %v, below %v: %v", p.Name, x, y, p.Optimum.Value, err)
				}
				if z, err := again.Eval(x); z != y {
					t.Fatalf("%s is %v and %v at one point: %v", p.Name, y, z, err)
				}
				if z, err := other.Eval(x); err != nil || z != y {
					differ++
				}
			}
			if 3*differ < points {
				t.Errorf("%s: seeds %d and %d differ at %d of %d points", f.Name, seed, seed+1, differ, points)
			}
		}
	}
	if n := len(Families()); 3*held < n || 2*held > n {
		t.Errorf("%d of %d families are held out", held, n)
	}
}
