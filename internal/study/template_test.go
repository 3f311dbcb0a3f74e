package study_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/study"
)

func TestArgvExpand(t *testing.T) {
	values := map[string]string{"lr": "0.1", "name": "a b", "x.y": "1", "lr rate": "2", "T [°C]": "3", "größe": "4"}
	value := func(n string) (string, bool) { v, ok := values[n]; return v, ok }
	for _, c := range []struct {
		in, want []string
	}{
		{[]string{"train", "--lr={lr}"}, []string{"train", "--lr=0.1"}},
		{[]string{"{name}"}, []string{"a b"}},                       // a value never splits
		{[]string{"[--name {name}]"}, []string{"--name", "a b"}},    // nor in a group
		{[]string{"p", "{gone}", "--g={gone}-{lr}"}, []string{"p"}}, // dropped
		{[]string{"[--g {gone} --lr {lr}]", "q"}, []string{"q"}},    // dropped together
		{[]string{`{"a":{lr}}`}, []string{`{"a":0.1}`}},             // braces
		{[]string{"{print $1}", "{", "}{", "{}", "{1}", "{lr", "{{lr}}"},
			[]string{"{print $1}", "{", "}{", "{}", "{1}", "{lr", "{0.1}"}},
		{[]string{"[1,2]"}, []string{"[1,2]"}},                             // no placeholder: literal
		{[]string{"[[{lr},{x.y}]]"}, []string{"[0.1,1]"}},                  // doubled brackets
		{[]string{"", "a  b"}, []string{"", "a  b"}},                       // nothing else is touched
		{[]string{"{lr}{lr}", "{x.y}"}, []string{"0.10.1", "1"}},           // repeated
		{[]string{"[--g {gone}]", "[--lr {lr}]"}, []string{"--lr", "0.1"}}, // groups are independent
		{[]string{"{lr rate}", "{T [°C]}", "{größe}", "{gro\u0308ße}"}, []string{"2", "3", "4", "4"}},
		{[]string{"[--T {T [°C]} --lr={lr rate}]", "{l r}"}, []string{"--T", "3", "--lr=2", "{l r}"}},
	} {
		if diff := cmp.Diff(c.want, study.ParseArgv(c.in, []string{"lr rate", "T [°C]", "größe"}).Expand(value)); diff != "" {
			t.Errorf("%q: %s", c.in, diff)
		}
	}
}

func TestTemplateNames(t *testing.T) {
	a := study.ParseArgv([]string{"x{a}{ b}", "[--c {c} {a}]"}, nil)
	if diff := cmp.Diff([]string{"a", "c", "a"}, a.Names()); diff != "" {
		t.Error(diff)
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add("a{b}{{c}}{")
	f.Fuzz(func(t *testing.T, text string) {
		back, ok := study.ParseTemplate(text,
			[]string{"a b"}).Expand(func(name string) (string, bool) { return "{" + name + "}", true })
		if !ok || back != text {
			t.Errorf("putting the placeholders back gives %q, want %q", back, text)
		}
	})
}
