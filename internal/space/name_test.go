package space

import (
	"testing"
)

func TestCheckName(t *testing.T) {
	for _, name := range []string{"x", "größe", "скорость", "温度", "Temperature (°C)", "lr rate", "T, K [1/s]", "1",
		"null", "a.b:c/d", "x₁", "👨\u200d👩\u200d👧", "نیم\u200cفاصله"} {
		if err := CheckName(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"":                 "a name cannot be empty",
		"a=b":              "a name cannot hold =",
		`a"b`:              `a name cannot hold "`,
		"a'b":              "a name cannot hold '",
		"a`b":              "a name cannot hold `",
		`a\b`:              `a name cannot hold \`,
		"{a}":              "a name cannot hold {",
		"a\nb":             "a name cannot hold the character U+000A",
		"a\u00a0b":         "a name cannot hold the character U+00A0",
		"a\u202eb":         "a name cannot hold the character U+202E",
		"a\xff":            "a name cannot hold the character U+FFFD",
		" a":               "a name cannot begin or end with a blank",
		"gro\u0308\u00dfe": "a name must be in composed form (NFC)",
	} {
		if err := CheckName(name); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
}

func TestVariable(t *testing.T) {
	for name, want := range map[string]string{
		"lr": "lr", "lr rate": "lr_rate", "a.b-c": "a_b_c", "größe": "gru00f6u00dfe", "温度": "u6e29u5ea6",
		"T (°C)": "T__u00b0C_", "😀": "u1f600",
	} {
		if got := Variable(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestNameOf(t *testing.T) {
	for source, want := range map[string]string{
		"classifier:__choice__": "classifier:__choice__", "lr rate": "lr rate", "gro\u0308ße": "größe", "a=b{c}": "a_b_c_",
		"and": "p_and", "x-a": "p_x-a", "": "p_", " a ": "a", "a\tb": "a_b",
	} {
		if got := NameOf(source); got != want || CheckName(got) != nil {
			t.Errorf("%q is named %q, want %q", source, got, want)
		}
	}
}
