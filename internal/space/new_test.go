package space

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestNewRefuses(t *testing.T) {
	nan, big := math.NaN(), 1e301
	five := 5.0
	cat := func(p Parameter) Parameter { p.Name, p.Kind = "x", Categorical; return p }
	num := func(p Parameter) Parameter {
		p.Name = "x"
		if p.Low == 0 && p.High == 0 {
			p.Low, p.High = 1, 2
		}
		return p
	}
	many := make([]string, MaxValues+1)
	for k := range many {
		many[k] = strings.Repeat("a", 1+k%50) + string(rune('0'+k/50%10)) + string(rune('0'+k/500))
	}
	for _, k := range []struct {
		p    Parameter
		want string
	}{
		{Parameter{Name: "x=1"}, "cannot hold ="},
		{Parameter{Name: ""}, "cannot be empty"},
		{Parameter{Name: "and"}, "reserved"},
		{Parameter{Name: strings.Repeat("x", 257)}, "at most 256"},
		{num(Parameter{Low: 2, High: 2}), "both 2"},
		{num(Parameter{Low: 3, High: 2}), "above high"},
		{num(Parameter{Low: nan, High: 2}), "finite"},
		{num(Parameter{Low: 0, High: math.Inf(1)}), "finite"},
		{num(Parameter{Low: -1.5e308, High: 1.5e308}), "too far apart"},
		{num(Parameter{Kind: Int, Low: 0.5, High: 2}), "whole number"},
		{num(Parameter{Kind: Int, Low: 0, High: 1 << 54}), "within"},
		{num(Parameter{Kind: Int, Low: 0, High: 9, Step: 0.5}), "whole number"},
		{num(Parameter{Low: 0, High: 2, Scale: Log}), "low above 0"},
		{num(Parameter{Low: 0, High: 2, Scale: ReverseLog}), "low above 0"},
		{num(Parameter{Low: 1e-5, High: big, Scale: Log}), "too far apart"},
		{num(Parameter{Low: 0, High: 0.5, Scale: Logit}), "logit"},
		{num(Parameter{Low: 0.5, High: 1, Scale: Logit}), "logit"},
		{num(Parameter{Scale: 9}), "unknown scale"},
		{num(Parameter{Step: 0.1, Precision: 2}), "exclude"},
		{num(Parameter{Step: -1}), "step"},
		{num(Parameter{Step: 3}), "step"},
		{num(Parameter{Step: nan}), "step"},
		{num(Parameter{Step: 1e-14}), "too small"},
		{num(Parameter{Precision: 13}), "precision"},
		{num(Parameter{Discrete: true}), "only an int"},
		{num(Parameter{Kind: Int, Low: 1, High: 20000, Discrete: true}), "at most"},
		{num(Parameter{Kind: Int, Low: 1, High: 200, Discrete: true, Precision: 1}), "step, not a precision"},
		{num(Parameter{Default: &five}), "default of x: 5 is outside [1, 2]"},
		{num(Parameter{Prior: &Prior{Mode: 5, Strength: "weak"}}), "prior of x: 5 is outside"},
		{num(Parameter{Prior: &Prior{Mode: 1, Strength: "huge"}}), "strength"},
		{num(Parameter{Kind: 17}), "unknown kind"},
		{cat(Parameter{}), "no values"},
		{cat(Parameter{Values: many}), "at most 10000"},
		{cat(Parameter{Values: []string{"a", "a"}}), "already a value"},
		{cat(Parameter{Values: []string{"a", "b"}, Positions: []float64{1, 2}}), "only an ordinal"},
		{Parameter{Name: "x", Kind: Ordinal, Values: []string{"a", "b"}, Positions: []float64{1}}, "list of 2 numbers"},
		{Parameter{Name: "x", Kind: Ordinal, Values: []string{"a", "b"}, Positions: []float64{2, 1}}, "must increase"},
		{Parameter{Name: "x", Kind: Ordinal, Values: []string{"a", "b"}, Positions: []float64{1, math.Inf(1)}}, "finite"},
		{Parameter{Name: "x", Kind: Ordinal, Values: []string{"a", "b"}, Positions: []float64{nan, 1}}, "finite"},
		{Parameter{Name: "x", Kind: Bool, Values: []string{"no", "yes"}}, "false and true"},
		{Parameter{Name: "x", Kind: Constant}, "one value"},
		{cat(Parameter{Values: []string{"a", "b", "c"}, Graph: graphOf(edge(0, 1, 1))}), "not connected"},
		{cat(Parameter{Values: []string{"a", "b"}, Graph: graphOf(edge(0, 0, 1))}), "two different values"},
		{cat(Parameter{Values: []string{"a", "b"}, Graph: graphOf(edge(0, 2, 1))}), "does not exist"},
		{cat(Parameter{Values: []string{"a", "b"}, Graph: graphOf(edge(2, 0, 1))}), "does not exist"},
		{cat(Parameter{Values: []string{"a", "b"}, Graph: graphOf(edge(0, -1, 1))}), "does not exist"},
		{cat(Parameter{Values: []string{"a", "b"}, Graph: graphOf(edge(-1, 0, 1))}), "does not exist"},
		{cat(Parameter{Values: []string{"a", "b"}, Graph: graphOf(edge(0, 1, 0))}), "weight"},
		{cat(Parameter{Values: []string{"a", "b"}, Graph: graphOf(edge(0, 1, 1), edge(1, 0, 1))}), "twice"},
	} {
		if _, err := New([]Parameter{k.p}, nil, nil); err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%+v: %v, not %s", k.p, err, k.want)
		}
	}
	if _, err := New(nil, nil, nil); err == nil {
		t.Error("an empty space")
	}
	x := Parameter{Name: strings.Repeat("x", MaxName), High: 1}
	if _, err := New([]Parameter{x}, nil, nil); err != nil {
		t.Errorf("the longest name: %v", err)
	}
	x.Name = "x"
	if _, err := New([]Parameter{x, x}, nil, nil); err == nil || !strings.Contains(err.Error(), "declared twice") {
		t.Errorf("%v", err)
	}
	if _, err := New([]Parameter{x}, []Clause{{nil, "text"}}, nil); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("%v", err)
	}
	// Several mistakes are reported together.
	bad := Parameter{Name: "y", Low: 2, High: 1}
	if _, err := New([]Parameter{{Name: "in", High: 1}, bad}, nil, nil); err == nil ||
		!strings.Contains(err.Error(), "reserved") || !strings.Contains(err.Error(), "above high") {
		t.Errorf("%v", err)
	}
}

func TestCycle(t *testing.T) {
	on := func(i int) Expr { return Compare{Gt, Ref{i}, Const(0.5)} }
	p := func(name string, e Expr) Parameter { return Parameter{Name: name, High: 1, Condition: e} }
	_, err := New([]Parameter{p("free", nil), p("a", on(3)), p("b", And{on(0), on(1)}), p("c", on(2)), p("tail", on(1))},
		nil, nil)
	var cycle *CycleError
	if !errors.As(err, &cycle) {
		t.Fatal(err)
	}
	slices.Sort(cycle.Params)
	if !slices.Equal(cycle.Params, []int{1, 2, 3}) || !strings.Contains(err.Error(), "a → c → b → a") {
		t.Errorf("%v %v", cycle.Params, err)
	}
	if _, err := New([]Parameter{p("self", on(0))}, nil, nil); !errors.As(err, &cycle) ||
		err.Error() != "conditions form a cycle: self → self" {
		t.Errorf("%v", err)
	}
}

func TestOrderAndAncestors(t *testing.T) {
	on := func(i int) Expr { return Compare{Gt, Ref{i}, Const(0.5)} }
	p := func(name string, e Expr) Parameter { return Parameter{Name: name, High: 1, Condition: e} }
	s, err := New([]Parameter{p("d", Or{on(1), on(2)}), p("b", on(3)), p("c", on(3)), p("a", nil)}, nil, nil)
	must(t, err)
	if !slices.Equal(s.Order(), []int{3, 1, 2, 0}) || !slices.Equal(s.Ancestors(0), []int{1, 2, 3}) ||
		!slices.Equal(s.Parents(0), []int{1, 2}) {
		t.Errorf("%v %v %v", s.Order(), s.Ancestors(0), s.Parents(0))
	}
}

func TestInfeasibleNamesTheClause(t *testing.T) {
	x := Parameter{Name: "x", High: 1}
	s, err := New([]Parameter{x}, []Clause{{Compare{Ge, Ref{0}, Const(0)}, "x >= 0"}},
		[]Clause{{Compare{Gt, Ref{0}, Const(-1)}, "x > -1"}})
	must(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	_, err = s.Sample(r, 1)
	var none *InfeasibleError
	if !errors.As(err, &none) || len(none.Involved) != 1 || none.Involved[0] != 0 || none.Feasible != 0 ||
		none.Tried == 0 {
		t.Errorf("%v", err)
	}
	if _, err := s.DesignPoint("halton", 1, 0); !errors.As(err, &none) {
		t.Errorf("design: %v", err)
	}
	if _, err := sampleBranches(s, r, 1); !errors.As(err, &none) {
		t.Errorf("branches: %v", err)
	}
	if n, finite := s.Size(); finite || !math.IsInf(n, 1) {
		t.Errorf("size %v %v", n, finite)
	}
	if _, err := s.DesignPoint("hatlon", 1, 0); err == nil || !strings.Contains(err.Error(), `did you mean "halton"`) {
		t.Errorf("%v", err)
	}
}

// One part in a thousand is feasible, and everything still works.
func TestNarrowFeasibleRegion(t *testing.T) {
	s, err := New([]Parameter{{Name: "x", High: 1}, {Name: "y", High: 1}}, nil,
		[]Clause{{Compare{Le, Binary{'+', Ref{0}, Ref{1}}, Const(0.045)}, "x + y <= 0.045"}})
	must(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	if f := s.FeasibleFraction(r, 200000); !(math.Abs(f-0.045*0.045/2) <= 3e-4) {
		t.Errorf("feasible fraction %v", f)
	}
	cs, err := s.Sample(r, 20)
	must(t, err)
	design, err := designed(s, "halton", 20, 1)
	must(t, err)
	for _, c := range append(cs, design...) {
		must(t, s.Validate(c))
	}
}

// Where next to nothing is feasible, configurations are drawn where a condition leaves some.
func TestSampleOfASliver(t *testing.T) {
	y := Parameter{Name: "y", High: 1, Condition: Compare{Le, Ref{0}, Const(1e-9)}}
	s, err := New([]Parameter{{Name: "x", High: 1}, y}, nil, []Clause{{ActiveOf{1}, "active(y)"}})
	must(t, err)
	cs, err := s.Sample(rand.New(rand.NewPCG(1, 2)), 2)
	must(t, err)
	for _, c := range cs {
		must(t, s.Validate(c))
	}
}

func TestNeverAndAlwaysActive(t *testing.T) {
	k := Parameter{Name: "k", Kind: Categorical, Values: []string{"a", "b"}}
	p := func(name string, e Expr) Parameter { return Parameter{Name: name, High: 1, Condition: e} }
	s, err := New([]Parameter{k,
		p("never", And{In{0, []float64{0}}, In{0, []float64{1}}}),
		p("always", Or{In{0, []float64{0}}, In{0, []float64{1}}}),
		p("some", In{0, []float64{0}}),
		p("orphan", ActiveOf{1}),
	}, nil, nil)
	must(t, err)
	if never, always := s.Settled(); !slices.Equal(never, []int{1, 4}) || !slices.Equal(always, []int{2}) {
		t.Errorf("never %v, always %v", never, always)
	}
}

// More activity patterns than can be enumerated: branches are discovered and all else works.
func TestManyBranches(t *testing.T) {
	var params []Parameter
	for k := range 14 {
		params = append(params,
			Parameter{Name: "f" + string(rune('a'+k)), Kind: Bool, Values: []string{"false", "true"}},
			Parameter{Name: "x" + string(rune('a'+k)), High: 1, Condition: In{2 * k, []float64{1}}})
	}
	s, err := New(params, nil, nil)
	must(t, err)
	if s.whole().exact || len(s.Branches()) < 1000 {
		t.Errorf("%v %d", s.whole().exact, len(s.Branches()))
	}
	r := rand.New(rand.NewPCG(1, 2))
	cs, err := sampleBranches(s, r, 100)
	must(t, err)
	design, err := designed(s, "halton", 50, 1)
	must(t, err)
	for _, c := range append(cs, design...) {
		must(t, s.Validate(c))
	}
	if n, finite := s.Size(); finite || !math.IsInf(n, 1) {
		t.Errorf("size %v", n)
	}
	fixed, err := s.Complete(Assignment{1: 0.5, 3: 0.25}, r)
	must(t, err)
	if fixed.Value[0] != 1 || fixed.Value[2] != 1 {
		t.Errorf("%v", fixed)
	}
}

// Conditions that compare two parameters with each other.
func TestConditionsBetweenParameters(t *testing.T) {
	for _, kind := range []Kind{Float, Int} {
		s, err := New([]Parameter{
			{Name: "a", Kind: kind, Low: 0, High: 9}, {Name: "b", Kind: kind, Low: 0, High: 9},
			{Name: "c", High: 1, Condition: Compare{Lt, Ref{0}, Ref{1}}},
		}, nil, nil)
		must(t, err)
		if len(s.Branches()) != 2 || s.whole().exact != (kind == Int) {
			t.Errorf("%v: %v %v", kind, s.Branches(), s.whole().exact)
		}
		r := rand.New(rand.NewPCG(1, 2))
		d := NewDomain(s, nil)
		q := d.Sample(r, 100)
		for k := range 100 {
			must(t, s.Validate(s.Decode(q, k)))
		}
		design, err := designed(s, "halton", 30, 1)
		must(t, err)
		for _, c := range design {
			must(t, s.Validate(c))
		}
	}
}

// Sizes worked out by hand.
func TestSize(t *testing.T) {
	s, err := New([]Parameter{
		{Name: "a", Kind: Categorical, Values: []string{"x", "y"}},
		{Name: "b", Kind: Int, Low: 1, High: 3, Condition: In{0, []float64{0}}},
	}, nil, nil)
	must(t, err)
	if n, finite := s.Size(); n != 4 || !finite || len(s.Enumerate(10)) != 4 {
		t.Errorf("%v %v", n, finite)
	}
	if s.Enumerate(3) != nil {
		t.Error("more than the limit")
	}
	big := Parameter{Kind: Int, Low: 0, High: 1<<40 - 1}
	var params []Parameter
	for k, name := range []string{"p", "q"} {
		big.Name = name
		if k == 1 {
			big.High = 1<<13 - 1
		}
		params = append(params, big)
	}
	s, err = New(params, nil, nil)
	must(t, err)
	if n, finite := s.Size(); n != 1<<53 || !finite {
		t.Errorf("%v %v", n, finite)
	}
}

func TestGraphs(t *testing.T) {
	for _, k := range []struct {
		name string
		g    Graph
		m, n int
	}{
		{"complete", Complete(5), 5, 10}, {"path", Path(5), 5, 4}, {"cycle", Cycle(5), 5, 5}, {"star", Star(5), 5, 4},
		{"groups", Groups([][]int{{0, 1, 2}, {3, 4}}), 5, 5}, {"cycle of two", Cycle(2), 2, 1},
	} {
		if len(k.g.Edges) != k.n || k.g.Apart(k.m) >= 0 {
			t.Errorf("%s: %v", k.name, k.g)
		}
	}
	if (graphOf(edge(0, 1, 1), edge(2, 3, 1))).Apart(4) != 2 || (Graph{}).Apart(1) != -1 || (Graph{}).Apart(2) != 1 {
		t.Error("connectedness")
	}
}

// Changing any field of any parameter or any clause changes the fingerprint.
func TestFingerprint(t *testing.T) {
	half := 0.5
	base := func() ([]Parameter, []Clause, []Clause) {
		return []Parameter{
			{Name: "x", Kind: Float, Low: 0.25, High: 0.75},
			{Name: "n", Kind: Int, Low: 1, High: 9},
			{Name: "o", Kind: Ordinal, Values: []string{"a", "b", "c"}},
			{Name: "k", Kind: Categorical, Values: []string{"a", "b", "c"}, Condition: Compare{Gt, Ref{0}, Const(0.5)}},
			{Name: "c", Kind: Constant, Values: []string{"1"}},
		}, []Clause{{Compare{Gt, Ref{0}, Const(0.7)}, "x > 0.7"}}, nil
	}
	print := func(change func(p []Parameter, f, r *[]Clause)) string {
		p, f, r := base()
		change(p, &f, &r)
		s, err := New(p, f, r)
		must(t, err)
		return s.Fingerprint()
	}
	same := func([]Parameter, *[]Clause, *[]Clause) {}
	seen := map[string]int{print(same): -1}
	if again := print(same); again != print(same) || !strings.HasPrefix(print(same), "sha256:") || len(print(same)) != 71 {
		t.Error("not a fingerprint")
	}
	if print(same) != print(func(p []Parameter, f, r *[]Clause) { (*f)[0].Text = "0.7 < x" }) {
		t.Error("the spelling of a clause matters")
	}
	if print(same) != print(func(p []Parameter, f, r *[]Clause) {
		p[0].Default, p[0].Prior = &half,
			&Prior{0.5, "weak"}
	}) {
		t.Error("a default or a prior matters")
	}
	for k, change := range []func(p []Parameter, f, r *[]Clause){
		func(p []Parameter, f, r *[]Clause) { p[0].Name = "y" },
		func(p []Parameter, f, r *[]Clause) { p[1].Kind = Float },
		func(p []Parameter, f, r *[]Clause) { p[0].Low = 0.125 },
		func(p []Parameter, f, r *[]Clause) { p[0].High = 0.8 },
		func(p []Parameter, f, r *[]Clause) { p[0].Scale = Log },
		func(p []Parameter, f, r *[]Clause) { p[0].Scale = Logit },
		func(p []Parameter, f, r *[]Clause) { p[0].Scale = ReverseLog },
		func(p []Parameter, f, r *[]Clause) { p[0].Step = 0.125 },
		func(p []Parameter, f, r *[]Clause) { p[0].Precision = 3 },
		func(p []Parameter, f, r *[]Clause) { p[2].Values = []string{"a", "b", "d"} },
		func(p []Parameter, f, r *[]Clause) { p[2].Values = []string{"a, b", "c"} },
		func(p []Parameter, f, r *[]Clause) { p[2].Values = []string{"a", "c", "b"} },
		func(p []Parameter, f, r *[]Clause) { p[2].Positions = []float64{1, 2, 4} },
		func(p []Parameter, f, r *[]Clause) { p[2].Positions = []float64{1, 2, 5} },
		func(p []Parameter, f, r *[]Clause) { p[1].Discrete = true },
		func(p []Parameter, f, r *[]Clause) { p[3].Graph = Path(3) },
		func(p []Parameter, f, r *[]Clause) { p[3].Graph = Star(3) },
		func(p []Parameter, f, r *[]Clause) { p[3].Graph = Path(3); p[3].Graph.Edges[0].Weight = 2 },
		func(p []Parameter, f, r *[]Clause) { p[4].Literals = []Literal{Number} },
		func(p []Parameter, f, r *[]Clause) { p[4].Values = []string{"2"} },
		func(p []Parameter, f, r *[]Clause) { p[3].Condition = nil },
		func(p []Parameter, f, r *[]Clause) { p[3].Condition = Compare{Ge, Ref{0}, Const(0.5)} },
		func(p []Parameter, f, r *[]Clause) { *f = nil },
		func(p []Parameter, f, r *[]Clause) { *f, *r = nil, *f },
		func(p []Parameter, f, r *[]Clause) { (*f)[0].Expr = Compare{Gt, Ref{0}, Const(0.6)} },
		func(p []Parameter, f, r *[]Clause) { slices.Reverse(p[1:3]) },
	} {
		fp := print(change)
		if old, dup := seen[fp]; dup {
			t.Errorf("changes %d and %d have one fingerprint", k, old)
		}
		seen[fp] = k
	}
}

func TestLevelPositions(t *testing.T) {
	s, err := New([]Parameter{
		{Name: "o", Kind: Ordinal, Values: []string{"a", "b", "c"}},
		{Name: "p", Kind: Ordinal, Values: []string{"a", "b", "c"}, Positions: []float64{10, 20, 50}},
		{Name: "d", Kind: Int, Low: 1, High: 9, Step: 2, Discrete: true},
		{Name: "k", Kind: Categorical, Values: []string{"a", "b"}},
		{Name: "n", Kind: Int, Low: 1, High: 9},
	}, nil, nil)
	must(t, err)
	levels := []int{3, 3, 5, 2, 0}
	for i, want := range [][]float64{{0, 0.5, 1}, {0, 0.25, 1}, {0, 0.25, 0.5, 0.75, 1}, nil, nil} {
		if got := s.LevelPositions(i); !slices.Equal(got, want) || s.Params()[i].Levels() != levels[i] {
			t.Errorf("%s: %d levels at %v, want %d at %v", s.Params()[i].Name, s.Params()[i].Levels(), got, levels[i], want)
		}
	}
}
