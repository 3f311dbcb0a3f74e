package config

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"bohier/internal/space"
)

// exprStudy is a study whose last parameter carries a condition, and whose clause may hold arithmetic.
const exprStudy = `objective: {direction: minimize}
space:
  k: [a, b, "c d", "3.10"]
  o: {type: ordinal, values: [low, mid, high]}
  f: {type: bool}
  n: {type: int, low: -8, high: 8}
  x.y: {type: float, low: -1, high: 1}
  z: [u, v]
  w: {type: ordinal, values: [0.1, 2, 4]}
`

// genExpr draws conditions over the parameters of exprStudy.
func genExpr(depth int, arithmetic bool) *rapid.Generator[space.Expr] {
	return rapid.Custom(func(t *rapid.T) space.Expr {
		top := 8
		if depth == 0 {
			top = 5
		}
		many := func() []space.Expr {
			return rapid.SliceOfN(genExpr(depth-1, arithmetic), 2, 3).Draw(t, "operands")
		}
		op := space.Op(rapid.IntRange(0, 5).Draw(t, "op"))
		switch rapid.IntRange(0, top).Draw(t, "kind") {
		case 0:
			return space.ActiveOf{Param: rapid.IntRange(0, 4).Draw(t, "param")}
		case 1:
			return space.In{Param: 0, Values: []float64{float64(rapid.IntRange(0, 3).Draw(t, "v")), 2}}
		case 2:
			return space.Compare{Op: op % 2, Left: space.Ref{Param: 0}, Right: space.Const(rapid.IntRange(0, 3).Draw(t, "v"))}
		case 3:
			return space.Compare{Op: op, Left: space.Ref{Param: 1}, Right: space.Const(rapid.IntRange(0, 2).Draw(t, "v"))}
		case 4:
			return space.Compare{Op: op, Left: space.Ref{Param: 3}, Right: space.Const(rapid.IntRange(-8, 8).Draw(t, "v"))}
		case 5:
			if !arithmetic {
				return space.Compare{Op: space.Eq, Left: space.Ref{Param: 2}, Right: space.Const(1)}
			}
			return space.Compare{Op: op, Left: genSum(2).Draw(t, "left"), Right: genSum(2).Draw(t, "right")}
		case 6:
			return space.Not{X: genExpr(depth-1, arithmetic).Draw(t, "operand")}
		case 7:
			return space.And(many())
		}
		return space.Or(many())
	})
}

func genSum(depth int) *rapid.Generator[space.Sum] {
	return rapid.Custom(func(t *rapid.T) space.Sum {
		if depth == 0 {
			if i := rapid.IntRange(3, 5).Draw(t, "param"); i < 5 {
				return space.Ref{Param: i}
			}
			return space.NumberOf{Param: 6, Numbers: []float64{0.1, 2, 4}}
		}
		if f := rapid.SampledFrom([]space.Func{"", "", space.Min, space.Max, space.Abs}).Draw(t, "function"); f == space.Abs {
			return space.Apply{Func: f, Args: []space.Sum{genSum(depth-1).Draw(t, "argument")}}
		} else if f != "" {
			return space.Apply{Func: f, Args: rapid.SliceOfN(genSum(depth-1), 1, 3).Draw(t, "arguments")}
		}
		right := genSum(depth-1).Draw(t, "right")
		if rapid.Bool().Draw(t, "constant") {
			right = space.Const(rapid.Float64Range(-1e6, 1e6).Draw(t, "c"))
		}
		return space.Binary{Op: "+-*/%"[rapid.IntRange(0, 4).Draw(t, "sign")], Left: genSum(depth-1).Draw(t, "left"),
			Right: right}
	})
}

// TestFormattedConditionsParseToTheSame: what space.Format writes means the
// same when read; what that writes is the same for ever after.
func TestFormattedConditionsParseToTheSame(t *testing.T) {
	base, r := Parse("t.yaml", []byte(exprStudy), Options{})
	if base == nil {
		t.Fatal(r)
	}
	rapid.Check(t, func(t *rapid.T) {
		e := genExpr(3, true).Draw(t, "condition")
		text := base.Space.Format(e)
		st, r := Parse("t.yaml", []byte(exprStudy+"forbidden: ["+quotedText(text)+"]\n"), Options{})
		if st == nil {
			t.Fatalf("%s\n%s", text, r)
		}
		got := st.Space.Forbidden()[0].Expr
		again := st.Space.Format(got)
		st, r = Parse("t.yaml", []byte(exprStudy+"forbidden: ["+quotedText(again)+"]\n"), Options{})
		if st == nil {
			t.Fatalf("%s\n%s", again, r)
		}
		if third := st.Space.Format(st.Space.Forbidden()[0].Expr); again != third {
			t.Fatalf("%s becomes %s and then %s", text, again, third)
		}
		c := space.NewConfiguration(7)
		for i := range c.Value {
			c.Active[i] = rapid.Bool().Draw(t, "active")
			if c.Active[i] {
				c.Value[i] = float64(rapid.IntRange(0, 1).Draw(t, "value"))
			}
		}
		if got.Eval(c) != e.Eval(c) {
			t.Fatalf("%s is %v, read again %v", text, e.Eval(c), got.Eval(c))
		}
	})
}

// quotedText is a text as it stands in YAML.
func quotedText(s string) string { return string(quoted(s)) }

// TestNeverActiveAgreesWithEnumeration compares the static check with trying every configuration of the parents.
func TestNeverActiveAgreesWithEnumeration(t *testing.T) {
	base, _ := Parse("t.yaml", []byte(exprStudy), Options{})
	never, always := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		e := genExpr(2, false).Draw(t, "condition")
		switch rapid.IntRange(0, 7).Draw(t, "extreme") { // rare among drawn expressions
		case 0:
			e = space.And{e, space.Not{X: e}}
		case 1:
			e = space.Or{e, space.Not{X: e}}
		}
		text := base.Space.Format(e)
		source := strings.Replace(exprStudy, "z: [u, v]", "z: {type: bool, active_if: "+quotedText(text)+"}", 1)
		st, r := Parse("t.yaml", []byte(source), Options{})
		can, must := false, true
		c := space.NewConfiguration(7)
		for i := range c.Active {
			c.Active[i] = true
		}
		for k := range 4 {
			for o := range 3 {
				for f := range 2 {
					for n := -8; n <= 8; n++ {
						c.Value[0], c.Value[1], c.Value[2], c.Value[3] = float64(k), float64(o), float64(f), float64(n)
						if e.Eval(c) == space.True {
							can = true
						} else {
							must = false
						}
					}
				}
			}
		}
		if (st != nil) != can {
			t.Fatalf("%s: can be active %v\n%s", text, can, r)
		}
		if said := strings.Contains(r.String(), "always holds"); can && said != must {
			t.Fatalf("%s: always holds %v\n%s", text, must, r)
		}
		if !can {
			never++
		} else if must {
			always++
		}
	})
	if never == 0 || always == 0 {
		t.Errorf("never active %d times, always %d times", never, always)
	}
}

func FuzzExpr(f *testing.F) {
	for _, s := range []string{"k == a", "1 < n <= 5", `"x.y" > 0.5 and not (f or o >= mid)`, "k in [a, \"c d\"]",
		"active(n) and n * 2 + 1 <= -3", "((((", "- - - 1", "k == 'a", "a.b", "n > 1e999", "not not not f",
		"min(n, max(w % 2, -1)) <= abs(n)", "sum(n, w) in [1, 2]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		l := newLoader("t.yaml", Options{})
		if l.study(l.document([]byte(exprStudy))) == nil {
			t.Fatalf("%v", l.errs)
		}
		l.lines, l.chars, l.warns = []string{source}, nil, nil
		x := l.expression(&yaml.Node{Kind: yaml.ScalarNode, Value: source, Line: 1, Column: 1})
		if (x == nil) != (len(l.errs) > 0) {
			t.Fatalf("%q: %v with %d errors", source, x, len(l.errs))
		}
		for _, e := range l.errs {
			if e.Message == "" || e.Column < 1 || e.Column > len([]rune(source))+1 {
				t.Fatalf("%q: %+v", source, e)
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, archive := range []string{"yaml", "space", "conditions", "sections"} {
		sections := fuzzSeeds("testdata/messages/" + archive + ".txtar")
		for _, s := range sections {
			f.Add([]byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		st, r := Parse("f.yaml", data, Options{})
		if (st == nil) != (len(r.Errors) > 0) {
			t.Fatalf("study %v, %d errors", st != nil, len(r.Errors))
		}
		_ = r.String()
		if st == nil {
			return
		}
		text := Print(st)
		again, r := Parse("f.yaml", text, Options{})
		if again == nil {
			t.Fatalf("the printed study does not load: %s\n%s", r, text)
		}
		if twice := Print(again); string(twice) != string(text) {
			t.Fatalf("printed twice:\n%s\n%s", text, twice)
		}
	})
}
