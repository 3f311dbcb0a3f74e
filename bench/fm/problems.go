package fm

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"bohier/bench/problems"
)

// Learned are the problems that train models of scikit-learn and XGBoost; learn.py serves them.
var Learned = []string{"nusvr", "xgboost"}

// Synthetic are the problems that need nothing else.
var Synthetic = []string{"func2c", "func3c", "ackley5c"}

func number(name string, low, high float64, log bool) problems.Param {
	return problems.Param{Name: name, Kind: problems.Float, Low: low, High: high, Log: log}
}

func choice(name string, choices ...string) problems.Param {
	return problems.Param{Name: name, Kind: problems.Categorical, Choices: choices}
}

func find(name string) (*problems.Problem, error) {
	switch name {
	case "nusvr": // Table 2
		return &problems.Problem{
			Name: name, Budget: 200, Note: "root mean squared error of NuSVR on Boston housing, five splits 70 : 30",
			Params: []problems.Param{
				choice("kernel", "linear", "poly", "rbf", "sigmoid"), choice("gamma", "scale", "auto"),
				choice("shrinking", "on", "off"),
				number("C", 1e-4, 10, true), number("tol", 1e-6, 1, true), number("nu", 1e-6, 1, true),
			},
		}, nil
	case "xgboost": // Table 3
		return &problems.Problem{
			Name: name, Budget: 200, Note: "error of XGBoost on scikit-learn's digits, a substitute for Fashion-MNIST",
			Params: []problems.Param{
				{Name: "max_depth", Kind: problems.Ordinal, Choices: strings.Fields("1 2 3 4 5 6 7 8 9 10")},
				choice("booster", "gbtree", "dart"), choice("grow_policy", "depthwise", "lossguide"),
				choice("objective", "multi:softmax", "multi:softprob"),
				number("eta", 1e-6, 1, true), number("gamma", 1e-4, 10, true), number("subsample", 1e-3, 1, true),
				number("lambda", 0, 5, false),
			},
		}, nil
	}
	return problems.Get(name)
}

//go:embed designs.json
var designsFile []byte

// designs are the authors' initial points: by problem and run, in rows of the continuous coordinates (logarithms to
// base 10 where the scale is log), the ordinal and the nominal ones.
var designs = func() map[string]struct {
	Runs []struct{ X [][]float64 }
} {
	var raw map[string]json.RawMessage
	out := map[string]struct{ Runs []struct{ X [][]float64 } }{}
	if err := json.Unmarshal(designsFile, &raw); err != nil {
		panic(err)
	}
	for name, text := range raw {
		if name == "source" {
			continue
		}
		d := out[name]
		if err := json.Unmarshal(text, &d); err != nil {
			panic(err)
		}
		out[name] = d
	}
	return out
}()

// initial are the ten points that run number seed begins with: the authors' where they
// are published, for runs 0 to 4, and uniform ones else.
func initial(p *problems.Problem, seed uint64) []problems.Point {
	d, ok := designs[p.Name]
	if !ok || seed >= uint64(len(d.Runs)) {
		g := random(p.Name, seed)
		out := make([]problems.Point, 10)
		for i := range out {
			out[i] = uniform(g, p)
		}
		return out
	}
	var out []problems.Point
	for _, row := range d.Runs[seed].X {
		x, k := problems.Point{}, 0
		for _, kind := range []problems.Kind{problems.Float, problems.Ordinal, problems.Categorical} {
			for i := range p.Params {
				q := &p.Params[i]
				if q.Kind != kind {
					continue
				}
				v := row[k]
				switch {
				case kind == problems.Float && q.Log:
					v = math.Pow(10, v)
				case kind == problems.Ordinal:
					v++ // the authors count from 0, the choices are 1, 2, …
				}
				if kind == problems.Float {
					v = min(max(v, q.Low), q.High) // float32 may round beyond an end
				}
				x[q.Name] = v
				k++
			}
		}
		out = append(out, x)
	}
	return out
}

func random(name string, seed uint64) *rand.Rand {
	h := fnv.New64a()
	_, _ = io.WriteString(h, name) // a hash takes everything
	return rand.New(rand.NewPCG(h.Sum64(), seed))
}

// uniform draws a point, numbers with a log scale uniformly in the logarithm.
func uniform(g *rand.Rand, p *problems.Problem) problems.Point {
	x := problems.Point{}
	for i := range p.Params {
		switch q := &p.Params[i]; q.Kind {
		case problems.Float:
			x[q.Name] = q.From(g.Float64())
		case problems.Ordinal:
			x[q.Name] = float64(1 + g.IntN(len(q.Choices))) // the choices of this study are 1, 2, …
		default:
			x[q.Name] = float64(g.IntN(len(q.Choices)))
		}
	}
	return x
}

// lines are the section of a study file that begins with the points.
func lines(p *problems.Problem, points []problems.Point) string {
	var b strings.Builder
	fmt.Fprintf(&b, "initial:\n  count: %d\n  points:\n", len(points))
	for _, x := range points {
		text, err := json.Marshal(p.Values(x))
		if err != nil {
			panic(err) // numbers and text
		}
		fmt.Fprintf(&b, "    - %s\n", text)
	}
	return b.String()
}
