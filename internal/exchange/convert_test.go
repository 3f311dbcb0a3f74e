package exchange

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"bohier/internal/config"
)

// TestConvert converts every space of the archive; NAME.TOOL.want holds the study file and
// all that is said.
func TestConvert(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/spaces.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var out []txtar.File
	cases := 0
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, ".want") {
			continue
		}
		cases++
		tool := strings.TrimPrefix(filepath.Ext(f.Name), ".")
		st := &Study{Form: tool, Space: f.Data}
		if script := Scripts[tool]; script == smac {
			if _, err := exec.LookPath("python3"); err != nil {
				k := slices.IndexFunc(archive.Files, func(g txtar.File) bool { return g.Name == f.Name+".want" })
				out = append(out, f, archive.Files[k])
				continue
			}
			lines, err := script.Run(t.Context(), "", os.LookupEnv, 1<<20, f.Data, f.Name)
			if err == nil {
				st, err = Read(tool, Input{Name: f.Name, Data: lines}, "")
			}
			if err != nil {
				out = append(out, f, txtar.File{Name: f.Name + ".want", Data: []byte("---\n" + err.Error() + "\n")})
				continue
			}
		}
		text, r := st.Convert(f.Name)
		if (text == nil) != (len(r.Errors) > 0) {
			t.Errorf("%s: %d bytes with %d errors", f.Name, len(text), len(r.Errors))
		}
		if text != nil {
			if st, r := config.Parse(f.Name, text, config.Options{}); st == nil {
				t.Errorf("%s: the result does not load: %s", f.Name, r)
			}
		}
		out = append(out, f, txtar.File{Name: f.Name + ".want",
			Data: []byte(string(text) + "---\n" + r.String() + strings.Join(append(st.SpaceNotes, ""), "\n"))})
	}
	if cases < 10 {
		t.Errorf("only %d cases", cases)
	}
	archive.Files = out
	golden(t, "spaces.txtar", string(txtar.Format(archive)))
}
