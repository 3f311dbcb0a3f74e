package space

import (
	"errors"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample space with every kind of parameter
func mixed(t testing.TB) *Space {
	t.Helper()
	s, err := New([]Parameter{
		{Name: "kernel", Kind: Categorical, Values: []string{"linear", "rbf", "poly"}},
		{Name: "C", Kind: Float, Low: 1e-3, High: 1e3, Scale: Log},
		{Name: "degree", Kind: Int, Low: 2, High: 6, Condition: In{0, []float64{2}}},
		{Name: "batch", Kind: Ordinal, Values: []string{"16", "32", "64"}},
		{Name: "shrink", Kind: Bool, Values: []string{"false", "true"}},
		{Name: "version", Kind: Constant, Values: []string{"3.10"}, Literals: []Literal{Text}},
		{Name: "seed", Kind: Constant, Values: []string{"7"}, Literals: []Literal{Number}},
		{Name: "rate", Kind: Float, Low: 0, High: 1, Step: 0.1},
	}, []Clause{{And{In{0, []float64{1}}, Compare{Gt, Ref{1}, Const(100)}}, "kernel == rbf and C > 100"}},
		[]Clause{{Compare{Le, Binary{'*', Ref{2}, Ref{1}}, Const(600)}, "degree * C <= 600"}})
	must(t, err)
	return s
}

func TestAppendJSON(t *testing.T) {
	s := mixed(t)
	const text = `{"kernel":"poly","C":0.00123456789012345,"degree":3,"batch":"32","shrink":true,"version":"3.10","seed":7,"rate":0.3}`
	c, err := s.ParseJSON([]byte(text))
	must(t, err)
	if got := string(s.AppendJSON(nil, c)); got != text {
		t.Errorf("%s\nnot %s", got, text)
	}
	for text, same := range map[string]bool{
		`{"kernel":"poly","C":0.0012345678901235,"degree":3,"batch":"32","shrink":true,"version":"3.10","seed":7,"rate":0.3}`: true,
		`{"kernel":"poly","C":0.0012345678901234,"degree":3,"batch":"32","shrink":true,"version":"3.10","seed":7,"rate":0.3}`: false,
		`{"kernel":"poly","C":0.0012345678901235,"degree":2,"batch":"32","shrink":true,"version":"3.10","seed":7,"rate":0.3}`: false,
		`{"kernel":"rbf","C":0.0012345678901235,"batch":"32","shrink":true,"version":"3.10","seed":7,"rate":0.3}`:             false,
	} {
		if d, err := s.ParseJSON([]byte(text)); err != nil || (s.Key(c) == s.Key(d)) != same {
			t.Errorf("same key as %s: %v, %v", text, !same, err)
		}
	}
	if s.BranchKey(c) != "degree" {
		t.Errorf("branch %q", s.BranchKey(c))
	}
}

func TestParseJSONAccepts(t *testing.T) {
	s := mixed(t)
	want, err := s.ParseJSON([]byte(`{"kernel":"linear","C":20,"batch":"32","shrink":false,"rate":0.3}`))
	must(t, err)
	for _, text := range []string{
		` { "rate" : 0.3 , "C" : 2e1, "kernel":"linear","shrink":false,"batch":"32" } ` + "\n",
		`{"kernel":"linear","C":20,"batch":32,"shrink":false,"rate":0.3}`,          // the number a text means
		`{"kernel":"linear","C":20,"batch":3.2e1,"shrink":false,"rate":0.3}`,       // in any spelling
		`{"kernel":"linear","C":20,"batch":"32","shrink":"false","rate":0.3}`,      // a bool's text
		`{"kernel":"l\u0069near","C":20.0,"batch":"32","shrink":false,"rate":0.3}`, // escapes
		`{"kernel":"linear","C":20,"batch":"32","shrink":false,"rate":0.30000000000000004}`,
		`{"kernel":"linear","C":20,"batch":"32","shrink":false,"rate":0.3,"version":"3.10","seed":7}`,
	} {
		c, err := s.ParseJSON([]byte(text))
		if err != nil || !c.Equal(want) {
			t.Errorf("%s: %v %v", text, c, err)
		}
	}
}

func TestParseJSONRefuses(t *testing.T) {
	s := mixed(t)
	whole := `{"kernel":"linear","C":20,"batch":"32","shrink":false,"rate":0.3}`
	for _, k := range []struct{ old, new, want string }{
		{`"C":20`, `"C":2000`, "C: 2000 is outside [0.001, 1000]"},
		{`"C":20`, `"C":"20"`, `C: "20" is not a JSON number`},
		{`"C":20`, `"C":null`, "C: null is no value"},
		{`"C":20`, `"C":[20]`, "C: a value is a number, a string or a boolean"},
		{`"C":20`, `"C":1e999`, "C: 1e999 is too large a number"},
		{`"C":20`, `"C":nan`, "JSON: column 24: want a value"},
		{`"C":20`, `"C":020`, "JSON: column 24: want a number"},
		{`"C":20`, `"C":20,"C":20`, "C: given twice"},
		{`"C":20,`, ``, "C: active but not given"},
		{`"C":20`, `"c":20`, `no parameter "c"; did you mean "C"? parameters: kernel, C, degree, batch, shrink, version, seed, rate`},
		{`"linear"`, `"liner"`, `kernel: "liner" is not a value; did you mean "linear"? values: linear, rbf, poly`},
		{`"linear"`, `"zzzzzz"`, `kernel: "zzzzzz" is not a value; values: linear, rbf, poly`},
		{`"linear"`, `"poly"`, "degree: active but not given"},
		{`"rate":0.3`, `"rate":0.3,"degree":3`, "degree: given but inactive (active if kernel in [poly])"},
		{`"linear"`, `"poly","degree":2.5`, "degree: 2.5 is off the grid (whole numbers); the nearest value is 3"},
		{`"rate":0.3`, `"rate":0.35`, ""}, // as it may have been measured
		{`"linear","C":20`, `"rbf","C":200`, "the configuration is forbidden: kernel == rbf and C > 100"},
		{`"linear","C":20`, `"poly","degree":6,"C":200`,
			"the configuration violates require: degree * C <= 600; its left side is 1200"},
		{`"linear","C":20`, `"poly","degree":6,"C":100.0000000001`,
			"the configuration violates require: degree * C <= 600; its left side is 600.0000000006"},
		{`"rate":0.3`, `"version":"3.1","rate":0.3`, ""}, // 3.1 is 3.10 as a number
		{`"rate":0.3`, `"version":"3.2","rate":0.3`, "version: is the constant 3.10, not 3.2"},
		{`"batch":"32"`, `"batch":33`, `batch: "33" is not a value; did you mean "32"? values: 16, 32, 64`},
		{`}`, ``, "JSON: column 65: want '}'"},
		{`}`, `}}`, "JSON: column 66: something follows the value"},
		{`{`, `[`, "a configuration is a JSON object"},
		{whole, ``, "a configuration is a JSON object"},
		{`"linear"`, `"lin`, `kernel: "lin," is not a value`},
		{`0.3}`, `0.3,"rat`, "JSON: column 66: unfinished string"},
		{`"linear"`, "\"lin\near\"", `JSON: column 15: control character in a string`},
	} {
		text := strings.Replace(whole, k.old, k.new, 1)
		_, err := s.ParseJSON([]byte(text))
		switch {
		case k.want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case k.want != "" && (err == nil || !strings.HasPrefix(err.Error(), k.want)):
			t.Errorf("%s\n  %v\n  not %s", text, err, k.want)
		}
	}
}

func TestRecordedSettings(t *testing.T) {
	got := RecordedSettings([]byte(`{"kernel":"sigm\u006fid","C":5000,"on":true,"deep":[1, {"a": 2}],"none":null}`))
	want := []Setting{{"kernel", "sigmoid", []byte(`"sigmoid"`)}, {"C", "5000", []byte("5000")},
		{"on", "true", []byte("true")},
		{"deep", `[1,{"a":2}]`, []byte(`[1,{"a":2}]`)}, {"none", "null", []byte("null")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := RecordedSettings([]byte(`{"C":1,"D":`)); got != nil {
		t.Errorf("broken JSON has the settings %v", got)
	}
}

func TestParseAssignments(t *testing.T) {
	s := mixed(t)
	a, err := s.ParseAssignments([]string{"kernel=poly", "C=1e2", "shrink=true", "batch=16"})
	must(t, err)
	if len(a) != 4 || a[0] != 2 || a[1] != 100 || a[4] != 1 || a[3] != 0 {
		t.Errorf("%v", a)
	}
	for _, k := range []struct{ text, want string }{
		{"kernel", `"kernel": write name=value`},
		{"kernl=poly", `no parameter "kernl"; did you mean "kernel"?`},
		{"C=0x10", `C: "0x10" is not a number`},
		{"C=1_0", `C: "1_0" is not a number`},
		{"C=inf", `C: "inf" is not a number`},
		{"shrink=maybe", `shrink: "maybe" is not a value`},
	} {
		if _, err := s.ParseAssignments([]string{k.text}); err == nil || !strings.HasPrefix(err.Error(), k.want) {
			t.Errorf("%s: %v", k.text, err)
		}
	}
}

// An assignment is written in the space's order and read back, and with the values of choices as texts.
func TestAppendPartial(t *testing.T) {
	s := mixed(t)
	a := Assignment{7: 0.3, 0: 2, 4: 1, 3: 1, 6: 0}
	if got, want := string(s.PartialJSON(a)),
		`{"kernel":"poly","batch":"32","shrink":true,"seed":7,"rate":0.3}`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	delete(a, 6) // nobody has to give a constant
	if again, err := s.ParsePartial(s.PartialJSON(a)); err != nil || !maps.Equal(again, a) {
		t.Errorf("%v, %v", again, err)
	}
	n, err := New([]Parameter{
		{Name: "n", Kind: Ordinal, Values: []string{"16", "32"}, Literals: []Literal{Number, Number}},
		{Name: "b", Kind: Bool, Values: []string{"false", "true"}},
	}, nil, nil)
	must(t, err)
	if got, want := string(n.PartialTexts(Assignment{0: 1, 1: 1})), `{"n":"32","b":true}`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// A configuration is assembled from the values of its active parameters, ends of their
// ranges included; others are dropped. One that breaks a rule is whole, too.
func TestAssemble(t *testing.T) {
	s := mixed(t)
	for _, k := range []struct {
		a    Assignment
		want string
	}{
		{Assignment{0: 0, 1: 1e-3, 2: 5, 3: 0, 4: 0, 7: 1}, `{"kernel":"linear","C":0.001,"batch":"16","shrink":false,"version":"3.10","seed":7,"rate":1}`},
		{Assignment{0: 2, 1: 1e3, 2: 2, 3: 2, 4: 1, 7: 0},
			`{"kernel":"poly","C":1000,"degree":2,"batch":"64","shrink":true,"version":"3.10","seed":7,"rate":0}`},
		{Assignment{0: 2, 1: 1, 3: 2, 4: 1, 7: 0}, `degree: active but not given`},
		{Assignment{0: 0, 1: 1e-4, 3: 0, 4: 0, 7: 1}, `C: 0.0001 is outside [0.001, 1000]`},
		{Assignment{0: 0, 1: 1001, 3: 0, 4: 0, 7: 1}, `C: 1001 is outside [0.001, 1000]`},
	} {
		c, err := s.Assemble(k.a)
		got := string(s.AppendJSON(nil, c))
		if _, rule := errors.AsType[RuleError](err); err != nil && !rule {
			got = err.Error()
		}
		if got != k.want {
			t.Errorf("%v: %s, not %s", k.a, got, k.want)
		}
	}
}

func TestCompleteRefuses(t *testing.T) {
	s := mixed(t)
	for _, k := range []struct {
		a    Assignment
		want string
	}{
		{Assignment{0: 0, 2: 3}, "degree is inactive with kernel=linear (active if kernel in [poly])"},
		{Assignment{1: 2e3}, "C: 2000 is outside"},
		{Assignment{0: 1, 1: 500}, "no configuration with kernel=rbf, C=500 that satisfies the constraints was found in " +
			"20000 draws; in the way: forbidden: kernel == rbf and C > 100"},
		{Assignment{2: 6, 1: 900}, "no configuration with C=900, degree=6 that satisfies the constraints was found in "},
	} {
		_, err := s.Complete(k.a, rand.New(rand.NewPCG(1, 2)))
		if err == nil || !strings.HasPrefix(err.Error(), k.want) {
			t.Errorf("%v: %v", k.a, err)
		}
	}
}

func FuzzParseJSON(f *testing.F) {
	s := mixed(f)
	f.Add([]byte(`{"kernel":"linear","C":20,"batch":"32","shrink":false,"rate":0.3}`))
	f.Add([]byte(`{"kernel":"p\u006fly","degree":3, "C":1e-2 }`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := s.ParseJSON(data); err == nil {
			again, err := s.ParseJSON(s.AppendJSON(nil, c))
			if err != nil || !again.Equal(c) {
				t.Fatalf("%q: %v %v", data, again, err)
			}
		}
		RecordedSettings(data)
	})
}
