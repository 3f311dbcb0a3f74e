package space

import "testing"

func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{
		"a": "a", "Z": "Z", "z9": "z9", "x0": "x0", "_": "_", "A_b": "A_b", "lr_10": "lr_10",
		"": `""`, "9": `"9"`, "0x": `"0x"`, "a-b": `"a-b"`, "a b": `"a b"`, "é": `"é"`, "a[": `"a["`, "a`": "\"a`\"",
		"@": `"@"`, "{": `"{"`, "a/": `"a/"`, "a:": `"a:"`, "👨\u200d👧": "\"👨\u200d👧\"", "and": `"and"`, "not": `"not"`,
	} {
		if got := Quoted(word); got != want {
			t.Errorf("%q is written %s, want %s", word, got, want)
		}
	}
}
