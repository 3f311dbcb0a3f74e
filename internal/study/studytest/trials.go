package studytest

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
)

// PlainSpace is two numbers.
func PlainSpace() []space.Parameter { return []space.Parameter{Number("x"), Number("y")} }

// BranchedSpace is a choice that activates a number, or an integer and another choice, or nothing.
func BranchedSpace() []space.Parameter {
	rate := space.Parameter{Name: "rate", Kind: space.Float, Low: 1e-5, High: 1, Scale: space.Log}
	depth := space.Parameter{Name: "depth", Kind: space.Int, Low: 1, High: 9}
	return []space.Parameter{
		Category("kind", "sgd", "tree", "none"), Number("x"),
		When(rate, 0, 0), When(depth, 0, 1), When(Category("split", "gini", "entropy"), 0, 1),
	}
}

// Sampled is n random configurations, always the same, different ones as far as the space has them.
func Sampled(t testing.TB, st *study.Study, n int) []space.Configuration {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 0))
	seen := map[string]bool{}
	out := make([]space.Configuration, 0, n)
	for tries := 0; len(out) < n; tries++ {
		c, err := st.Space.Sample(r, 1)
		if err != nil {
			t.Fatal(err)
		}
		if key := st.Space.Key(c[0]); !seen[key] || tries > 100*n {
			seen[key] = true
			out = append(out, c[0])
		}
	}
	return out
}

// Smooth is a harmless objective on any configuration.
func Smooth(confs []space.Configuration) []float64 {
	y := make([]float64, len(confs))
	for k, c := range confs {
		for i, v := range c.Value {
			if c.Active[i] {
				y[k] += Sq(math.Sin(v)-0.3) + 0.1*math.Sin(float64(i)+5*v)
			}
		}
	}
	return y
}

// Completed turns configurations and values into trials 1, 2, ….
func Completed(confs []space.Configuration, y []float64) []study.Trial {
	out := PendingTrials(confs)
	for k := range out {
		out[k].State = study.Complete
		out[k].Values = study.Values{{Name: "f", Value: y[k]}}
	}
	return out
}

func PendingTrials(confs []space.Configuration) []study.Trial {
	out := make([]study.Trial, len(confs))
	for k, c := range confs {
		out[k] = study.Trial{State: study.Pending, Config: c, Source: "design"}
	}
	return Numbered(out, 1)
}

// Numbered gives trials the numbers from first on.
func Numbered(trials []study.Trial, first int) []study.Trial {
	for k := range trials {
		trials[k].Number = first + k
	}
	return trials
}

// TreeSpace has three branches of different size.
func TreeSpace() []space.Parameter {
	return []space.Parameter{
		Category("k", "a", "b", "c"), Number("x"),
		When(Number("y"), 0, 1), When(Number("z"), 0, 2),
	}
}

func Tree(c space.Configuration) float64 {
	v := Sq(c.Value[1] - 0.4)
	switch c.Value[0] {
	case 1:
		v += Sq(c.Value[2]-0.6) - 0.3
	case 2:
		v += 2 * Sq(c.Value[3]-0.2)
	}
	return v
}

// Bowl has its optimum at k = b, x = 0.3, y = 0.7; moved and scaled by its arguments. A
// configuration that has no y is at its best there.
func Bowl(shift, scale float64) func(c space.Configuration) float64 {
	return func(c space.Configuration) float64 {
		v := Sq(c.Value[1] - 0.3 - shift)
		if c.Value[0] != 1 {
			v += 0.5
		}
		if len(c.Value) > 2 {
			v += Sq(c.Value[2] - 0.7 - shift)
		}
		return scale * v
	}
}

// Believed is the standing of trials of which those in by, by number, are believed to have these values of an only
// objective.
func Believed(st *study.Study, trials []study.Trial, by map[int]study.Estimate) *study.Standing {
	in := &study.Standing{Study: st, Again: map[int]int{}}
	for k := range trials {
		if e, ok := by[trials[k].Number]; ok {
			in.Trials, in.Deviations = append(in.Trials, &trials[k]), append(in.Deviations, e.Std)
			in.Vectors = append(in.Vectors, []float64{st.Objective().Direction.Sign() * e.Mean})
		}
	}
	return in
}
