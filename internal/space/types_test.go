package space

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// typed has a choice with a value of every type, and texts that look like them.
func typed(t testing.TB) *Space {
	t.Helper()
	s, err := New([]Parameter{
		{Name: "n", Kind: Categorical, Values: []string{"16", "3.10", ".5", "1e3"},
			Literals: []Literal{Number, Number, Number, Number}},
		{Name: "m", Kind: Categorical, Values: []string{"null", "True", "true", "[64,64]", `{"a":1,"b":[2]}`, "7"},
			Literals: []Literal{Null, Boolean, Text, Structure, Structure, Text}},
		{Name: "c", Kind: Constant, Values: []string{"[1,2]"}, Literals: []Literal{Structure}},
	}, nil, nil)
	must(t, err)
	return s
}

func TestValuesKeepTheirType(t *testing.T) {
	s := typed(t)
	for _, k := range []struct{ n, m, text, json string }{
		{"16", "null", "16 null", `{"n":16,"m":null,"c":[1,2]}`},
		{"3.10", "True", "3.10 True", `{"n":3.10,"m":true,"c":[1,2]}`},
		{".5", "true", ".5 true", `{"n":0.5,"m":"true","c":[1,2]}`},
		{"1e3", "[64,64]", "1e3 [64,64]", `{"n":1e3,"m":[64,64],"c":[1,2]}`},
		{"16", `{"a":1,"b":[2]}`, `16 {"a":1,"b":[2]}`, `{"n":16,"m":{"a":1,"b":[2]},"c":[1,2]}`},
		{"16", "7", "16 7", `{"n":16,"m":"7","c":[1,2]}`},
	} {
		a, err := s.ParseAssignments([]string{"n=" + k.n, "m=" + k.m})
		must(t, err)
		c, err := s.Assemble(a)
		must(t, err)
		if got := s.FormatValue(0, c.Value[0]) + " " + s.FormatValue(1, c.Value[1]); got != k.text {
			t.Errorf("text %s, not %s", got, k.text)
		}
		if got := string(s.AppendJSON(nil, c)); got != k.json {
			t.Errorf("JSON %s, not %s", got, k.json)
		}
	}
}

// TestFloatsHaveAPoint holds what programs get: some languages take 1 for an integer, and a library may mean another
// thing by it. The journal keeps the shortest form.
func TestFloatsHaveAPoint(t *testing.T) {
	s, err := New([]Parameter{
		{Name: "share", Kind: Float, Low: 0, High: 1e30}, {Name: "count", Kind: Int, Low: 1, High: 9},
		{Name: "size", Kind: Ordinal, Values: []string{"1", "2"}, Literals: []Literal{Number, Number}},
	}, nil, nil)
	must(t, err)
	for share, want := range map[string]string{
		"1": "1.0", "0": "0.0", "0.5": "0.5", "1e21": "1e+21", "1e16": "10000000000000000.0",
	} {
		c, err := s.ParseJSON([]byte(`{"share":` + share + `,"count":1,"size":1}`))
		must(t, err)
		if got := string(s.JSON(c)); got != `{"share":`+want+`,"count":1,"size":1}` {
			t.Errorf("%s is printed as %s", share, got)
		}
		again, err := s.ParseJSON(s.JSON(c))
		if err != nil || !again.Equal(c) || strings.Contains(string(s.AppendJSON(nil, c)), ".0") {
			t.Errorf("%s comes back as %v, %v, and is written as %s", share, again, err, s.AppendJSON(nil, c))
		}
	}
}

// TestTypedValuesAreReadInEveryForm holds what journals written before types, the
// command line and other programs' JSON give for one value.
func TestTypedValuesAreReadInEveryForm(t *testing.T) {
	s := typed(t)
	for _, k := range []struct {
		param string
		want  int
		forms []string
	}{
		{"n", 0, []string{"16", `"16"`, "16.0", "1.6e1"}},
		{"n", 1, []string{"3.10", `"3.10"`, "3.1"}},
		{"n", 2, []string{"0.5", `".5"`, "5e-1"}},
		{"n", 3, []string{"1e3", "1000", `"1e3"`}},
		{"m", 0, []string{"null", `"null"`}},
		{"m", 1, []string{"true", `"True"`}},
		{"m", 2, []string{`"true"`}},
		{"m", 3, []string{"[64,64]", "[ 64, 64.0 ]", `"[64,64]"`, `"[64, 64]"`}},
		{"m", 4, []string{`{"b":[2],"a":1}`, `"{\"a\":1,\"b\":[2]}"`}},
		{"m", 5, []string{`"7"`, "7"}},
	} {
		i, _ := s.Index(k.param)
		for _, form := range k.forms {
			a, err := s.ParsePartial([]byte(`{"` + k.param + `":` + form + `}`))
			if err != nil || a[i] != float64(k.want) {
				t.Errorf("%s: %s is %v, not %d: %v", k.param, form, a[i], k.want, err)
			}
		}
	}
	for text, want := range map[string]int{"true": 2, "True": 1, "[64, 64]": 3, `{"b":[2],"a":1}`: 4} {
		if v, err := s.ParseValue(1, text); err != nil || v != float64(want) {
			t.Errorf("%s is %v, not %d: %v", text, v, want, err)
		}
	}
	for _, bad := range []string{`{"m":[64]}`, `{"m":false}`, `{"n":null}`, `{"n":[16]}`, `{"m":[64,64}`,
		`{"m":{"a":1}}`} {
		if a, err := s.ParsePartial([]byte(bad)); err == nil {
			t.Errorf("%s is read as %v", bad, a)
		}
	}
}

// TestTypesLeaveTheFingerprint holds that a journal over texts fits a space whose values have types now.
func TestTypesLeaveTheFingerprint(t *testing.T) {
	p := []Parameter{{Name: "n", Kind: Categorical, Values: []string{"16", "true"}}}
	before, err := New(p, nil, nil)
	must(t, err)
	p[0].Literals = []Literal{Number, Boolean}
	now, err := New(p, nil, nil)
	must(t, err)
	// The hash of `n categorical ["16" "true"]` and a line break, as it always was.
	const known = "sha256:75001b4b7e082890f57fdc51a6dc21f3eda9d776802cc15f5d22d9de1abeaf2f"
	if now.Fingerprint() != before.Fingerprint() || now.Fingerprint() != known {
		t.Errorf("%s, before %s", now.Fingerprint(), before.Fingerprint())
	}
}

func TestValuesAlikeInJSON(t *testing.T) {
	for _, c := range []struct {
		kind     Kind
		values   []string
		literals []Literal
		want     string
	}{
		{Categorical, []string{".5", "0.5"}, []Literal{Number, Number}, "another value of x is 0.5 in JSON too"},
		{Categorical, []string{"1.10", "1.1"}, []Literal{Number, Number}, "another value of x is 1.1 in JSON too"},
		{Ordinal, []string{"1", "1.0"}, []Literal{Number, Number}, "another value of x is 1 in JSON too"},
		{Categorical, []string{"1e3", "1000"}, []Literal{Number, Number}, "another value of x is 1000 in JSON too"},
		{Categorical, []string{"-0", "0.0"}, []Literal{Number, Number}, "another value of x is 0 in JSON too"},
		{Categorical, []string{"9007199254740993", "9007199254740992"}, []Literal{Number, Number},
			"another value of x is 9007199254740992 in JSON too"},
		{Categorical, []string{"True", "true"}, []Literal{Boolean, Boolean}, "another value of x is true in JSON too"},
		{Categorical, []string{`{"a":1,"b":2}`, `{"b":2,"a":1.0}`}, []Literal{Structure, Structure},
			`another value of x is {"a":1,"b":2} in JSON too`},
		{Categorical, []string{"16", "16"}, []Literal{Number, Text}, `"16" is already a value of x`},
		{Categorical, []string{"16", "17"}, []Literal{Number}, "x has types for 1 of 2 values"},
		{Categorical, []string{"[1", "17"}, []Literal{Structure, Text}, `value "[1" is not JSON`},
	} {
		p := Parameter{Name: "x", Kind: c.kind, Values: c.values, Literals: c.literals}
		if wrong := p.Check(); len(wrong) != 1 || wrong[0].Msg != c.want {
			t.Errorf("%q as %v: %v, want %q", c.values, c.literals, wrong, c.want)
		}
	}
}

// drawTyped makes a value of any type as its text.
func drawTyped(t *rapid.T, depth int) (string, Literal) {
	l := Literal(rapid.IntRange(0, 4).Draw(t, "type"))
	switch l {
	case Number:
		return rapid.SampledFrom([]string{"0", "-1", "16", "+5", "3.10", ".5", "-.25", "1.", "1e3", "1E-5", "1.e2",
			"9007199254740993", "1e300"}).Draw(t, "number"), l
	case Boolean:
		return rapid.SampledFrom([]string{"true", "false", "True", "FALSE"}).Draw(t, "bool"), l
	case Null:
		return "null", l
	case Structure:
		if depth == 0 {
			return "[]", l
		}
		var parts []string
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			v, inner := drawTyped(t, depth-1)
			parts = append(parts, string(JSONValue(v, inner)))
		}
		if rapid.Bool().Draw(t, "mapping") {
			for k := range parts {
				parts[k] = strconv.Quote("k"+strconv.Itoa(k)) + ":" + parts[k]
			}
			return "{" + strings.Join(parts, ",") + "}", l
		}
		return "[" + strings.Join(parts, ",") + "]", l
	}
	return rapid.SampledFrom([]string{"a", "16", "true", "null", "[1]", "{", `q"q`, "<é>", " ", "0.5"}).Draw(t, "text"),
		Text
}

// TestTypedValuesRoundTrip: whatever the values, JSON reads back as the configuration it came from, in this spelling
// and in that of another program; so do the texts, whatever type JSON gives them.
func TestTypedValuesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Parameter{Name: "x", Kind: Categorical}
		for range rapid.IntRange(1, 8).Draw(t, "values") {
			v, l := drawTyped(t, 2)
			p.Values, p.Literals = append(p.Values, v), append(p.Literals, l)
			if p.Check() != nil {
				p.Values, p.Literals = p.Values[:len(p.Values)-1], p.Literals[:len(p.Literals)-1]
			}
		}
		if len(p.Values) == 0 {
			t.Skip("no values")
		}
		s, err := New([]Parameter{p}, nil, nil)
		must(t, err)
		cs, err := s.Sample(rand.New(rand.NewPCG(1, 2)), 5)
		must(t, err)
		for _, c := range cs {
			data := s.AppendJSON(nil, c)
			if again, err := s.ParseJSON(data); err != nil || !again.Equal(c) {
				t.Fatalf("%s: %v %v", data, again, err)
			}
			text := s.FormatValue(0, c.Value[0])
			if a, err := s.ParseAssignments([]string{"x=" + text}); err != nil || a[0] != c.Value[0] {
				t.Fatalf("x=%s: %v %v", text, a, err)
			}
			old, err := json.Marshal(map[string]string{"x": text}) // as journals had it
			must(t, err)
			if again, err := s.ParseJSON(old); err != nil || !again.Equal(c) {
				t.Fatalf("%s: %v %v", old, again, err)
			}
		}
	})
}
