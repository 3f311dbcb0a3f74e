package config_test

import (
	"testing"

	"bohier/internal/config"
	"bohier/internal/space"
)

func TestConditionMeansTheSameInBothSpellings(t *testing.T) {
	const head = "objective: {direction: minimize}\nspace:\n  k: [a, b, c]\n  n: {type: int, low: 1, high: 8}\n  o: " +
		"{type: ordinal, values: [low, mid, high]}\n  y: {type: bool, active_if: "
	pairs := [][2]string{
		{`{k: a}`, `"k == a"`},
		{`{k: [a, b]}`, `"k in [a, b]"`},
		{`{n: {gt: 2, le: 5}}`, `"n > 2 and n <= 5"`},
		{`{k: a, n: {ne: 3}}`, `"k == a and n != 3"`},
		{`{any: [{k: a}, {n: {lt: 3}}]}`, `"k == a or n < 3"`},
		{`{not: {k: {not_in: [a, b]}}}`, `"not k not in [a, b]"`},
		{`"mid < o"`, `{o: {gt: mid}}`},
		{`"high >= o and a == k"`, `{o: {le: high}, k: a}`},
		{`"1 < n <= 5 and k not in [b]"`, `[n > 1, {n: {le: 5}, k: {not_in: [b]}}]`},
		{`[{k: a}, "n > 2"]`, `"k == a and n > 2"`},
	}
	for _, p := range pairs {
		var text [2]string
		for i, c := range p {
			st, r := config.Parse("t.yaml", []byte(head+c+"}\n"), config.Options{})
			if st == nil {
				t.Fatalf("%s: %s", c, r)
			}
			text[i] = st.Space.Format(st.Space.Param(3).Condition)
		}
		if text[0] != text[1] {
			t.Errorf("%s is %s, %s is %s", p[0], text[0], p[1], text[1])
		}
	}
}

func TestQuotedValues(t *testing.T) {
	const file = `objective: {direction: minimize}
space:
  k: ['a"b', "it's", 'back\slash', plain]
  y:
    type: bool
    active_if: k in ["a\"b", 'it\'s', "back\\slash"]
`
	st, r := config.Parse("t.yaml", []byte(file), config.Options{})
	if st == nil {
		t.Fatal(r)
	}
	if got := st.Space.Param(1).Condition.(space.In).Values; len(got) != 3 || got[0] != 0 || got[1] != 1 || got[2] != 2 {
		t.Errorf("values %v", got)
	}
}
