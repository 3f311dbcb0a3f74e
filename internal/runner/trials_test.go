package runner

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
)

// plainSpace is two numbers; branchedSpace a choice that activates a number, or
// an integer and another choice, or nothing.
func plainSpace() []space.Parameter { return []space.Parameter{number("x"), number("y")} }

func branchedSpace() []space.Parameter {
	rate := space.Parameter{Name: "rate", Kind: space.Float, Low: 1e-5, High: 1, Scale: space.Log}
	depth := space.Parameter{Name: "depth", Kind: space.Int, Low: 1, High: 9}
	return []space.Parameter{
		category("kind", "sgd", "tree", "none"), number("x"),
		when(rate, 0, 0), when(depth, 0, 1), when(category("split", "gini", "entropy"), 0, 1),
	}
}

// sampled is n random configurations, always the same, different ones as far as
// the space has them.
func sampled(t testing.TB, st *study.Study, n int) []space.Configuration {
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

// smooth is a harmless objective on any configuration.
func smooth(confs []space.Configuration) []float64 {
	y := make([]float64, len(confs))
	for k, c := range confs {
		for i, v := range c.Value {
			if c.Active[i] {
				y[k] += square(math.Sin(v)-0.3) + 0.1*math.Sin(float64(i)+5*v)
			}
		}
	}
	return y
}

// completed turns configurations and values into trials 1, 2, ….
func completed(confs []space.Configuration, y []float64) []study.Trial {
	out := pendingTrials(confs)
	for k := range out {
		out[k].State = study.Complete
		out[k].Values = map[string]float64{"f": y[k]}
	}
	return out
}

func failed(confs []space.Configuration, why study.Failure) []study.Trial {
	out := pendingTrials(confs)
	for k := range out {
		out[k].State, out[k].Failure = study.Failed, why
	}
	return out
}

func pendingTrials(confs []space.Configuration) []study.Trial {
	out := make([]study.Trial, len(confs))
	for k, c := range confs {
		out[k] = study.Trial{State: study.Pending, Config: c, Source: "design"}
	}
	return numbered(out, 1)
}

// numbered gives trials the numbers from first on.
func numbered(trials []study.Trial, first int) []study.Trial {
	for k := range trials {
		trials[k].Number = first + k
	}
	return trials
}

// sameConfig is n times the same configuration.
func sameConfig(c space.Configuration, n int) []space.Configuration {
	out := make([]space.Configuration, n)
	for k := range out {
		out[k] = c
	}
	return out
}
