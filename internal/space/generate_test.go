package space

import (
	"fmt"
	"math"
	"math/rand/v2"

	"pgregory.net/rapid"

	_ "bohier/internal/seeded"
)

// drawNumber makes a random Float or Int with any scale and grid that is legal.
func drawNumber(t *rapid.T, name string) Parameter {
	p := Parameter{Name: name, Kind: rapid.SampledFrom([]Kind{Float, Int}).Draw(t, "kind")}
	p.Scale = rapid.SampledFrom([]Scale{Linear, Log, Logit, ReverseLog}).Draw(t, "scale")
	if p.Kind == Int {
		if p.Scale == Logit {
			p.Scale = Linear
		}
		p.Low = float64(rapid.IntRange(-50, 50).Draw(t, "low"))
		if p.Scale != Linear {
			p.Low = float64(rapid.SampledFrom([]int{1, 2, 7, 100}).Draw(t, "low"))
		}
		p.High = p.Low + float64(rapid.SampledFrom([]int{1, 2, 5, 30, 1000, 1000000, 1 << 49, 1<<53 - 101}).Draw(t, "width"))
		if p.Scale == Linear && rapid.Bool().Draw(t, "far") { // as far out as whole numbers are exact
			if p.Low, p.High = MaxInt-(p.High-p.Low), MaxInt; rapid.Bool().Draw(t, "negative") {
				p.Low, p.High = -p.High, -p.Low
			}
		}
		switch rapid.IntRange(0, 3).Draw(t, "grid") {
		case 1:
			if p.Scale == Linear || p.High < 1e12 {
				p.Step = float64(rapid.IntRange(1, int(min(p.High-p.Low, 9))).Draw(t, "step"))
			}
		case 2:
			p.Precision = rapid.IntRange(1, 4).Draw(t, "precision")
		case 3:
			p.Discrete = p.High-p.Low <= 1000
		}
		return p
	}
	switch p.Scale {
	case Linear:
		p.Low = rapid.SampledFrom([]float64{-1e6, -5, -1.0 / 3, 0, 1e-9, 0.1, 1e8}).Draw(t, "low")
		p.High = p.Low + rapid.SampledFrom([]float64{1e-2, 1, 15, 1.0 / 3 * 100, 1e9}).Draw(t, "width")
		if size := max(math.Abs(p.Low), math.Abs(p.High)); rapid.Bool().Draw(t, "narrow") {
			size *= rapid.SampledFrom([]float64{1, 1e-275, 1e15}).Draw(t, "size")
			p.Low = size
			p.High = size * (1 + rapid.SampledFrom([]float64{1e-15, 1e-14, 1e-9, 1e-6, 10}).Draw(t, "part"))
			if rapid.Bool().Draw(t, "negative") {
				p.Low, p.High = -p.High, -p.Low
			}
		}
	case Log, ReverseLog:
		p.Low = rapid.SampledFrom([]float64{1e-12, 1e-5, 1.0 / 3, 1, 1e5}).Draw(t, "low")
		p.High = p.Low * rapid.SampledFrom([]float64{1 + 1e-14, 1 + 1e-9, 1 + 1e-6, 1.00001, 1.5, 10, 1e4, 1e12}).Draw(t,
			"ratio")
	case Logit:
		p.Low = rapid.SampledFrom([]float64{1e-9, 0.001, 1.0 / 3}).Draw(t, "low")
		p.High = rapid.SampledFrom([]float64{0.5, 0.9, 0.999999}).Draw(t, "high")
	}
	switch rapid.IntRange(0, 3).Draw(t, "grid") {
	case 1:
		p.Step = (p.High - p.Low) / rapid.SampledFrom([]float64{1, 2, 3.7, 10, 100}).Draw(t, "steps")
		if !p.fine() {
			p.Step = powerOfTen(-p.decimals())
		}
		if p.steps() < 1 || !p.fine() {
			p.Step = 0
		}
	case 2:
		p.High = max(p.High, p.Low+2*powerOfTen(-p.decimals()))
		p.Precision = rapid.IntRange(1, 5).Draw(t, "precision")
	}
	return p
}

func drawParameter(t *rapid.T, name string) Parameter {
	switch rapid.IntRange(0, 9).Draw(t, "type") {
	case 0, 1, 2, 3, 4:
		return drawNumber(t, name)
	case 5:
		return Parameter{Name: name, Kind: Bool, Values: []string{"false", "true"}}
	case 6:
		return Parameter{Name: name, Kind: Constant, Values: []string{"3.2"},
			Literals: []Literal{Literal(rapid.IntRange(0, 1).Draw(t, "literal"))}}
	}
	p := Parameter{Name: name, Kind: Categorical}
	if rapid.Bool().Draw(t, "ordered") {
		p.Kind = Ordinal
	}
	m := rapid.IntRange(1, 6).Draw(t, "levels")
	for k := range m {
		p.Values = append(p.Values, fmt.Sprintf("v%d", k))
	}
	if m > 1 && rapid.Bool().Draw(t, "graph") {
		p.Graph = rapid.SampledFrom([]func(int) Graph{Complete, Path, Cycle, Star}).Draw(t, "edges")(m)
	}
	return p
}

// drawAtom makes a condition on one earlier parameter.
func drawAtom(t *rapid.T, params []Parameter) Expr {
	i := rapid.IntRange(0, len(params)-1).Draw(t, "parent")
	p := &params[i]
	switch {
	case p.Kind == Constant || rapid.IntRange(0, 9).Draw(t, "atom") == 0:
		return ActiveOf{Param: i}
	case p.Choice():
		n := rapid.IntRange(1, len(p.Values)).Draw(t, "chosen")
		e := In{Param: i}
		for k := range n {
			e.Values = append(e.Values, float64(k))
		}
		return e
	}
	r := newCodec(p)
	at := r.value(rapid.Float64Range(0, 1).Draw(t, "threshold"))
	e := Compare{Op: Op(rapid.IntRange(0, 5).Draw(t, "op")), Left: Ref{i}, Right: Const(at)}
	if rapid.Bool().Draw(t, "mirrored") {
		e.Left, e.Right = e.Right, e.Left
	}
	return e
}

func drawCondition(t *rapid.T, params []Parameter, depth int) Expr {
	if depth == 0 {
		return drawAtom(t, params)
	}
	switch rapid.IntRange(0, 5).Draw(t, "node") {
	case 0:
		return And{drawCondition(t, params, depth-1), drawCondition(t, params, depth-1)}
	case 1:
		return Or{drawCondition(t, params, depth-1), drawCondition(t, params, depth-1)}
	case 2:
		return Not{drawCondition(t, params, depth-1)}
	}
	return drawAtom(t, params)
}

// drawSpace makes a random conditional space whose dependencies may run against
// the order of declaration; constrained ones may turn out infeasible.
func drawSpace(t *rapid.T, constrained bool) *Space {
	n := rapid.IntRange(1, 7).Draw(t, "params")
	var params []Parameter
	for i := range n {
		p := drawParameter(t, fmt.Sprintf("p%d", i))
		if i > 0 && p.Kind != Constant && rapid.IntRange(0, 2).Draw(t, "conditional") > 0 {
			p.Condition = drawCondition(t, params, 2)
		}
		params = append(params, p)
	}
	var forbidden, require []Clause
	if constrained {
		e := drawCondition(t, params, 2)
		forbidden = append(forbidden, Clause{Expr: And{e, drawAtom(t, params)}, Text: "generated clause"})
		i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j")
		require = append(require, Clause{Expr: Compare{Op: Ne, Left: Binary{'+', Ref{i}, Ref{j}}, Right: Const(1)},
			Text: "generated relation"})
	}
	if rapid.Bool().Draw(t, "reversed") {
		params, forbidden, require = reversed(params, forbidden, require)
	}
	s, err := New(params, forbidden, require)
	if err != nil {
		t.Fatalf("generated space: %v", err)
	}
	return s
}

// reversed declares the same space backwards.
func reversed(params []Parameter, forbidden, require []Clause) ([]Parameter, []Clause, []Clause) {
	n := len(params)
	out := make([]Parameter, n)
	for i, p := range params {
		p.Condition = renumber(p.Condition, n)
		out[n-1-i] = p
	}
	clauses := func(list []Clause) (out []Clause) {
		for _, c := range list {
			out = append(out, Clause{Expr: renumber(c.Expr, n), Text: c.Text})
		}
		return out
	}
	return out, clauses(forbidden), clauses(require)
}

func renumber(e Expr, n int) Expr {
	switch e := e.(type) {
	case And:
		out := make(And, len(e))
		for k := range e {
			out[k] = renumber(e[k], n)
		}
		return out
	case Or:
		out := make(Or, len(e))
		for k := range e {
			out[k] = renumber(e[k], n)
		}
		return out
	case Not:
		return Not{renumber(e.X, n)}
	case ActiveOf:
		return ActiveOf{n - 1 - e.Param}
	case In:
		return In{n - 1 - e.Param, e.Values}
	case Compare:
		return Compare{e.Op, renumberSum(e.Left, n), renumberSum(e.Right, n)}
	}
	return nil
}

func renumberSum(x Sum, n int) Sum {
	switch x := x.(type) {
	case Ref:
		return Ref{n - 1 - x.Param}
	case Binary:
		return Binary{x.Op, renumberSum(x.Left, n), renumberSum(x.Right, n)}
	}
	return x
}

func drawRand(t *rapid.T) *rand.Rand {
	return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
}

func must(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
