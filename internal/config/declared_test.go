package config

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A plain key is declared in its row and used as a field of its section. Reading with its
// default and its error, printing, the schema and the reference come of the row.
func TestAKeyIsDeclaredOnce(t *testing.T) {
	table, all := keys, sections
	defer func() { keys, sections = table, all }()
	own, _ := parseKeys(`
paint | mapping
    a section of a test
    > paint: {coats: «1|0»}
paint.colour | word | words red blue | default blue
    which
    colour
    > paint: {colour: «red|lead»}
paint.coats | also layers | whole number from 1 to 9 | default 2
    how many coats
    > paint: {coats: «1|0»}
paint.drying_time | time
    how long it dries
    > paint: {drying_time: «1h|5»}
paint.gloss | number above 0
    how much light it returns
    > paint: {gloss: «1|0»}
paint.matt | true or false | default true
    whether it shines
    > paint: {matt: «true|2»}
paint.shades | list of texts
    which shades
    > paint: {shades: «[dark]|dark»}
paint.thinner | none, or number from 0 | default none
    how much of it
    > paint: {thinner: «0|-1»}
`)
	keys = append(keys[:len(keys):len(keys)], own...)
	sections = vocabulary(keys)
	type paint struct {
		Colour     string
		Coats      int
		DryingTime time.Duration
		Gloss      *float64
		Matt       bool
		Shades     []string
		Thinner    float64
	}
	read := func(text string) (p paint, l *loader) {
		l = newLoader("t.yaml", Options{})
		l.object(l.document([]byte(text)), "paint").fill(&p)
		return p, l
	}
	p, l := read("layers: 3\ndrying_time: 90m\ngloss: 0.5\nshades: [dark, light]\nthinner: 0\n")
	if len(l.errs) > 0 || p.Colour != "blue" || p.Coats != 3 || p.DryingTime != 90*time.Minute || p.Gloss == nil ||
		*p.Gloss != 0.5 || !p.Matt ||
		!slices.Equal(p.Shades, []string{"dark", "light"}) || p.Thinner != 0 {
		t.Errorf("read %+v, %v", p, l.errs)
	}
	text := encode(printSection("paint", p, nil))
	if want := "{coats: 3, drying_time: 1h30m, gloss: 0.5, shades: [dark, light], thinner: 0}\n"; string(text) != want {
		t.Errorf("printed %q", text)
	}
	zero := 0.0
	text = encode(printSection("paint", paint{Colour: "blue", Coats: 2, Gloss: &zero, Matt: true, Thinner: -1}, nil))
	if string(text) != "{gloss: 0}\n" {
		t.Errorf("printed %q: a number that is given is no default", text)
	}
	for text, want := range map[string]string{
		"colour: bleu":   `paint.colour cannot be "bleu"` + "|" + `did you mean "blue"? valid: red, blue`,
		"coats: 12":      "coats must be from 1 to 9, not 12|",
		"gloss: -1":      "gloss must be above 0, not -1|",
		"drying_time: 5": `drying_time must be a time, not "5"|examples: 90s, 30m, 2h, 1h30m, 2d`,
		"cotas: 1":       `paint has no key "cotas"|did you mean "coats"? keys: colour, coats, drying_time, gloss, matt, shades, thinner`,
		"shades: dark":   "shades must be a list of texts, not a single value|shades: [dark]",
		"thinner: -1":    "thinner must be at least 0, not -1|",
		"shades: [[a]]":  "an entry of shades must be a text, not a list|shades: [dark]",
	} {
		if _, l := read(text); len(l.errs) != 1 || l.errs[0].Message+"|"+l.errs[0].Hint != want || l.errs[0].Line != 1 {
			t.Errorf("%s: %+v, want %s", text, l.errs, want)
		}
	}
	schema, err := json.Marshal((&schemaWriter{Options{}}).section("paint"))
	if err != nil || !bytes.Contains(schema, []byte(`"enum":["red","blue"]`)) ||
		!bytes.Contains(schema, []byte(`"layers":{`)) {
		t.Errorf("the schema is %s, %v", schema, err)
	}
	shown := false
	for _, k := range Reference(Options{}) {
		shown = shown || k.Path == "paint.colour" && k.Value == "red, blue" && k.Default == "blue" && k.Wrong == "lead"
	}
	if !shown {
		t.Error("the reference does not show paint.colour")
	}
}

// The path of a key stands in one place of the package: in its row of the table.
func TestPathsOfKeysStandInOnePlace(t *testing.T) {
	var sources strings.Builder
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		sources.Write(text)
		return err
	})
	must(t, err)
	checked := 0
	for i := range keys {
		k := &keys[i]
		if sections[k.path] != nil || !strings.Contains(k.path, ".") {
			continue // a section is named where it is read
		}
		checked++
		if n := strings.Count(sources.String(), strconv.Quote(k.path)); n != 0 {
			t.Errorf("%s stands in %d places", k.path, n)
		}
		if n := strings.Count(keyTable, "\n"+k.path+" | "); n != 1 {
			t.Errorf("%s has %d rows", k.path, n)
		}
	}
	if checked < 100 {
		t.Errorf("%d keys", checked)
	}
}
