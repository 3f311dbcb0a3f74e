package main

import (
	"fmt"
	"math"
	"slices"

	"bohier/bench/problems"
)

// A problem has a value at every resource 1…52.
type problem struct {
	spec    *problems.Problem
	optimum float64 // at full resource
	value   func(x map[string]float64, r float64) (float64, error)
	stop    func()
}

// find is a synthetic problem, or one of known that the command serves: a
// configuration a line with "epoch", and its value a line.
func find(name string, known []*problems.Problem, command []string) (*problem, error) {
	if p := synthetic(name); p != nil {
		return p, nil
	}
	i := slices.IndexFunc(known, func(p *problems.Problem) bool { return p.Name == name })
	if i < 0 || len(command) == 0 {
		return nil, fmt.Errorf("there is no problem %q", name)
	}
	ask, stop, err := known[i].Ask(command...)
	if err != nil {
		return nil, err
	}
	return &problem{
		spec: known[i], optimum: known[i].Optimum.Value,
		value: func(x map[string]float64, r float64) (float64, error) {
			object := known[i].Values(x)
			object["epoch"] = r
			return ask(object)
		},
		stop: func() { _ = stop() },
	}, nil
}

var best = [4]float64{0.2, 0.25, 0.3, 0.2}

// bowl is q(x, a): a bowl with ripples, 0 at a.
func bowl(x, a []float64) float64 {
	sum := 0.0
	for i := range x {
		d := x[i] - a[i]
		sum += 4*d*d + (1-math.Cos(4*math.Pi*d))/4
	}
	return sum
}

func syntheticNames() []string {
	return []string{"fid_same", "fid_opposite", "fid_noise", "fid_cross", "fid_cond"}
}

// synthetic are problems whose low levels tell all (fid_same, fid_cond), nothing (fid_noise), the contrary
// (fid_opposite), or favour good starters that end badly (fid_cross). nil: there is none of that name.
func synthetic(name string) *problem {
	p := &problem{spec: &problems.Problem{Name: name, Note: "synthetic", Budget: 50}, stop: func() {}}
	for k := range 4 {
		p.spec.Params = append(p.spec.Params, problems.Param{Name: fmt.Sprint("x", k+1), Kind: problems.Float, High: 1})
	}
	var f func(x []float64, r, e float64) float64
	switch name {
	case "fid_same":
		p.optimum = 2 * math.Pow(0.9, full)
		f = func(x []float64, r, _ float64) float64 { return bowl(x, best[:]) + 2*math.Pow(0.9, r) }
	case "fid_opposite":
		f = func(x []float64, _, e float64) float64 {
			far := 1.0
			for i := range x {
				d := x[i] - 1 + best[i]
				far += 4 * d * d
			}
			return (1-e)*bowl(x, best[:]) + e*far
		}
	case "fid_noise":
		f = func(x []float64, _, e float64) float64 {
			sum := 0.0
			for i, p := range []float64{2, 3, 5, 7} {
				sum += math.Sqrt(p) * x[i]
			}
			_, frac := math.Modf(1000 * sum)
			return (1-e)*bowl(x, best[:]) + 4*e*frac
		}
	case "fid_cross":
		p.optimum = -0.30801
		f = func(x []float64, r, _ float64) float64 {
			return bowl(x, best[:]) + 3*x[0]*math.Pow(0.93, r) - 1.5*x[0]
		}
	case "fid_cond":
		return conditional(p)
	default:
		return nil
	}
	p.value = func(x map[string]float64, r float64) (float64, error) {
		v := []float64{x["x1"], x["x2"], x["x3"], x["x4"]}
		return f(v, r, 1-math.Pow(r/full, 8)), nil
	}
	return p
}

// conditional is fid_same on two branches of three parameters each, of which the one with the optimum starts worse.
func conditional(p *problem) *problem {
	p.spec.Params = []problems.Param{{Name: "branch", Kind: problems.Categorical, Choices: []string{"quick", "slow"}}}
	for _, b := range []string{"quick", "slow"} {
		for k := range 3 {
			p.spec.Params = append(p.spec.Params, problems.Param{Name: fmt.Sprint(b[:1], k+1), Kind: problems.Float, High: 1,
				When: []problems.Cond{{Name: "branch", Op: "in", Values: []string{b}}}})
		}
	}
	p.optimum = 2.5 * math.Pow(0.9, full)
	p.value = func(x map[string]float64, r float64) (float64, error) {
		if x["branch"] == 0 {
			return bowl([]float64{x["q1"], x["q2"], x["q3"]}, best[:3]) + 0.3 + 2*math.Pow(0.9, r), nil
		}
		return bowl([]float64{x["s1"], x["s2"], x["s3"]}, best[1:]) + 2.5*math.Pow(0.9, r), nil
	}
	return p
}
