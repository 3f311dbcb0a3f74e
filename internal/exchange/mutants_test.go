package exchange

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"bohier/internal/config"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A seed is a real file of a tool.
type seed struct {
	tool string
	data []byte
}

// seeds are the files of testdata and the spaces of its archive.
func seeds(t testing.TB) (out []seed) {
	for _, s := range sources {
		out = append(out, seed{s.tool, input(t, s.file).Data})
	}
	archive, err := txtar.ParseFile("testdata/spaces.txtar")
	must(t, err)
	for _, f := range archive.Files {
		if tool := strings.TrimPrefix(filepath.Ext(f.Name), "."); tool != "want" {
			out = append(out, seed{tool, f.Data})
		}
	}
	return out
}

// taken reads, converts and fits: each ends with a result or an error, and a study file that is written loads.
func taken(t *testing.T, st *study.Study, tool string, data []byte) {
	_, _ = ReadTable(data, func([]string) (func(int, []string) error, error) {
		return func(int, []string) error { return nil }, nil
	})
	source, err := Read(tool, Input{Name: "f", Data: data}, "")
	if (source == nil) == (err == nil) {
		t.Errorf("%v, %v", source, err)
	}
	if err != nil {
		return
	}
	_, _, _ = source.Fit(st, study.Infeasible)
	text, r := source.Convert("f")
	if (text == nil) != (len(r.Errors) > 0) {
		t.Errorf("%d bytes with %d errors", len(text), len(r.Errors))
	}
	if text != nil {
		if loaded, r := config.Parse("f", text, config.Options{}); loaded == nil {
			t.Errorf("the result does not load: %s\n%s", r, text)
		}
	}
}

func fitting(t testing.TB) *study.Study {
	return studytest.NewStudy(t, studytest.Number("x"), studytest.Category("model", "svm", "forest"))
}

var token = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|[\w.+-]+|\s+|.`)

// TestMutants takes one to three words of a file away, doubles them, or puts others, of the file or of the kinds that
// break readers, in their place. A reader that an index or a missing part can break panics here.
func TestMutants(t *testing.T) {
	n, st := 30, fitting(t)
	if os.Getenv("BOHIER_SOAK") != "" {
		n = 4000
	}
	nasty := []string{"null", "[]", "{}", `""`, "-1", "1e400", "0", "NaN", `"\u0000"`, "[[[[", "9007199254740993", "true",
		":", "~", "!!float 1", "&a", "*a", "-", "|", "ö"}
	draw := rand.New(rand.NewPCG(42, 1))
	for _, s := range seeds(t) {
		words := token.FindAllString(string(s.data), 4000)
		for range n {
			mutant := slices.Clone(words)
			for range 1 + draw.IntN(3) {
				k, other := draw.IntN(len(mutant)), mutant[draw.IntN(len(mutant))]
				switch draw.IntN(4) {
				case 0:
					mutant[k] = ""
				case 1:
					mutant[k] += mutant[k]
				case 2:
					mutant[k] = other
				default:
					mutant[k] = nasty[draw.IntN(len(nasty))]
				}
			}
			text := strings.Join(mutant, "")
			func() {
				defer func() {
					if v := recover(); v != nil {
						t.Fatalf("%s: %v:\n%s", s.tool, v, text)
					}
				}()
				began := time.Now()
				if taken(t, st, s.tool, []byte(text)); time.Since(began) > time.Minute {
					t.Errorf("%s took %v:\n%s", s.tool, time.Since(began), text)
				}
			}()
		}
	}
}

// Files that once broke a reader.
func TestOnceBroken(t *testing.T) {
	for name, s := range map[string]seed{
		"choice without choices": {"configspace",
			[]byte(`{"hyperparameters":[{"name":"a","type":"categorical","default_value":1}]}`)},
		"ordinal without values": {"configspace",
			[]byte(`{"hyperparameters":[{"name":"a","type":"ordinal","default_value":1}]}`)},
		"bound that is null":      {"nni", []byte(`{"seed": {"_type": "randint", "_value": [null, 10]}}`)},
		"constant without value":  {"configspace", []byte(`{"hyperparameters":[{"name":"a","type":"constant"}]}`)},
		"quote in the first cell": {"", []byte("x,f\n5\"10,1\n")},
		"null in place of lists": {"optuna",
			[]byte(`{"import":"optuna","objectives":null,"space":{"a":null},"notes":null}` + "\n" + `{"name":"1","params":{"a":null}}`)},
	} {
		t.Run(name, func(t *testing.T) { taken(t, fitting(t), s.tool, s.data) })
	}
	_, r := (&Study{Form: "configspace",
		Space: []byte(`{"hyperparameters":[{"name":"a","type":"categorical","default_value":1}]}`)}).Convert("f")
	if len(r.Errors) != 1 || r.Errors[0].Message != "a has no list of values" {
		t.Errorf("%v", r)
	}
}

// FuzzRead mutates real files and spaces of every tool.
func FuzzRead(f *testing.F) {
	for _, s := range seeds(f) {
		if len(s.data) <= 1<<14 { // large seeds make slow mutants
			f.Add(s.tool, s.data)
		}
	}
	st := fitting(f)
	f.Fuzz(func(t *testing.T, tool string, data []byte) { taken(t, st, tool, data) })
}
