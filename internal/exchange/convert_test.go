package exchange

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"bohier/internal/config"
)

// TestConvert converts every space of the archive; NAME.TOOL.want holds the study file and all that is said.
func TestConvert(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/spaces.txtar")
	must(t, err)
	var out []txtar.File
	cases := 0
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, ".want") {
			continue
		}
		cases++
		st := &Study{Form: strings.TrimPrefix(filepath.Ext(f.Name), "."), Space: f.Data}
		text, r := st.Convert(f.Name)
		if (text == nil) != (len(r.Errors) > 0) {
			t.Errorf("%s: %d bytes with %d errors", f.Name, len(text), len(r.Errors))
		}
		if text != nil {
			if st, r := config.Parse(f.Name, text, config.Options{}); st == nil {
				t.Errorf("%s: the result does not load: %s", f.Name, r)
			}
		}
		out = append(out, f, txtar.File{Name: f.Name + ".want", Data: []byte(string(text) + "---\n" + r.String())})
	}
	if cases < 10 {
		t.Errorf("only %d cases", cases)
	}
	archive.Files = out
	golden(t, "spaces.txtar", string(txtar.Format(archive)))
}
