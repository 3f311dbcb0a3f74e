package config

import (
	"flag"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden messages under testdata/messages")

var hasKey = func(key string) *regexp.Regexp { return regexp.MustCompile(`(?m)^ *"?` + key + `"?:`) }

// complete appends the two required sections where a case leaves them out, so
// that each case shows only what it is about.
func complete(text string) string {
	if !hasKey("objectives?").MatchString(text) {
		text += "objective: {direction: minimize}\n"
	}
	if !hasKey("(space|parameters)").MatchString(text) {
		text += "space: {x: [a, b]}\n"
	}
	return text
}

// gated is what messages are tested with.
var gated = Options{Words: map[string][]string{
	"kernels": {"auto", "matern52", "matern32", "se", "rq", "arc", "ico", "icocor", "imp", "imparc",
		"box", "const", "flat", "modlap", "moddif", "modnn", "modkernel", "prodlap", "proddif", "addlap", "adddif",
		"hmodlap", "mix"},
	"bases":        {"se", "exp", "matern32", "matern52", "rq"},
	"acquisitions": {"ei", "logei", "lcb", "logehvi", "parego"},
	"designs":      {"auto", "halton", "random", "uniform"},
}}

// TestMessages reads the pairs NAME.yaml, NAME.want of every archive under testdata/messages: a study file and all that
// is said about it. A case whose name starts with "ok" must load.
func TestMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/messages/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	cases := 0
	for _, file := range files {
		comment, sections := readArchive(t, file)
		want := map[string]string{}
		for _, s := range sections {
			if name, ok := strings.CutSuffix(s.name, ".want"); ok {
				want[name] = s.text
			}
		}
		var out []entry
		for _, s := range sections {
			name, isCase := strings.CutSuffix(s.name, ".yaml")
			if !isCase {
				continue
			}
			cases++
			text := s.text
			if !strings.HasPrefix(name, "whole-") {
				text = complete(text)
			}
			st, r := Parse(s.name, []byte(text), gated)
			got := r.String()
			out = append(out, s, entry{name + ".want", got})
			if (st == nil) != (len(r.Errors) > 0) {
				t.Errorf("%s: study %v with %d errors", name, st, len(r.Errors))
			}
			if strings.HasPrefix(name, "ok") != (st != nil) {
				t.Errorf("%s: loads: %v\n%s", name, st != nil, got)
			}
			if !*update {
				if d := cmp.Diff(want[name], got); d != "" {
					t.Errorf("%s: %s (-want +got):\n%s", filepath.Base(file), name, d)
				}
			}
		}
		if *update {
			writeArchive(t, file, comment, out)
		}
	}
	if cases < 100 {
		t.Errorf("only %d cases", cases)
	}
}
