package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFrom converts every space of the archive; NAME.TOOL.want holds the study
// file and, as comments, all that is said.
func TestFrom(t *testing.T) {
	const file = "testdata/from/spaces.txtar"
	comment, sections := readArchive(t, file)
	want := map[string]string{}
	for _, s := range sections {
		want[s.name] = s.text
	}
	var out []entry
	cases := 0
	for _, s := range sections {
		if strings.HasSuffix(s.name, ".want") {
			continue
		}
		cases++
		text, r := From(Foreign{Format: strings.TrimPrefix(filepath.Ext(s.name), "."), Name: s.name, Data: []byte(s.text)})
		if (text == nil) != (len(r.Errors) > 0) {
			t.Errorf("%s: %d bytes with %d errors", s.name, len(text), len(r.Errors))
		}
		if text != nil {
			if st, r := Parse(s.name, text, Options{}); st == nil {
				t.Errorf("%s: the result does not load: %s", s.name, r)
			}
		}
		got := string(text) + "---\n" + r.String()
		out = append(out, s, entry{s.name + ".want", got})
		if d := cmp.Diff(want[s.name+".want"], got); d != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", s.name, d)
		}
	}
	if cases < 10 {
		t.Errorf("only %d cases", cases)
	}
	if *update {
		writeArchive(t, file, comment, out)
	}
}

func TestFromUnknownFormat(t *testing.T) {
	text, r := From(Foreign{Format: "optunna", Name: "f"})
	if text != nil || len(r.Errors) != 1 || !strings.Contains(r.String(), `did you mean "optuna"`) {
		t.Errorf("%s %s", text, r)
	}
}
