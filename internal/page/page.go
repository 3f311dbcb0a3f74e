// Package page makes the report of a study that people pass on: one HTML file that
// loads nothing, works without its script, in the dark, on paper and on a phone.
//
// The page is filled in by html/template, which escapes whatever it is given; texts
// are made visible first (package text). Pictures are SVG of package plot, the only
// markup taken as it is. The script (page.js) adds tips, sorting, filters, brushing
// and zoom to what is there; it has no data of its own but the page.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strconv"
	"sync"

	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/text"
)

// A Page is a report. Empty parts are left out.
type Page struct {
	Study   string
	Verdict Verdict
	Cards   []Card
	Best    *Configuration
	Figures []Figure
	Trials  report.Table // the first column is the trial's id
	Numbers []int        // of the trials, by row
	States  []string     // of the trials, by row
	Left    string       // what the table leaves out, in a sentence
	Example string       // of words to filter the table by
	Details []report.Section
	Refresh int    // seconds after which the page looks for a newer one; 0: never
	Made    string // when and by what
}

// A Verdict is what a reader takes away: a number, and sentences about it.
type Verdict struct {
	Name, Value string
	Sentences   []string
}

// A Card is one figure with its name.
type Card struct {
	Name, Value, Note string
	Share             float64 // of a bar, 0 to 1
	Bar               bool
}

// A Configuration is parameters and their values, and how to run it.
type Configuration struct {
	Title  string
	Names  []string
	Values []string
	JSON   string
}

// A Figure is a picture with its question. Narrow, if there is one, replaces Wide
// on small screens; the panels of Wide are set side by side where they fit.
type Figure struct {
	Title, Question, Note string
	Try                   string // what a reader with the script can do
	Wide                  plot.Figure
	Narrow                *plot.Figure
	Span                  int // of three columns
	Scroll                bool
	Brush                 bool // axes select trials
}

//go:embed page.html
var source string

//go:embed page.css
var style string

//go:embed page.js
var script string

// layout is parsed when a page is first drawn.
var layout = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"visible": text.Visible,
		"percent": func(v float64) string { return strconv.FormatFloat(100*min(max(v, 0), 1), 'f', 1, 64) },
		"panels":  panels,
		"svg":     func(f plot.Figure) template.HTML { return template.HTML(f.Inline()) }, // #nosec: plot escapes
		"numeric": func(t report.Table, c int) bool { return c < len(t.Right) && t.Right[c] },
		"add":     func(a, b int) int { return a + b },
	}).Parse(source))
})

// panels are the panels of a figure as figures of their own, so that a page can set
// them one below the other.
func panels(f plot.Figure) []plot.Figure {
	var out []plot.Figure
	for _, p := range f.Panels {
		one := f
		one.Columns, one.Panels = 1, []plot.Panel{p}
		if p.Title != "" {
			one.Title += ": " + p.Title
		}
		out = append(out, one)
	}
	return out
}

// HTML draws the page. A policy in its head forbids it to load anything, and every
// script but its own.
func (p Page) HTML() ([]byte, error) {
	sum := sha256.Sum256([]byte(script))
	var b bytes.Buffer
	err := layout().Execute(&b, struct {
		Page
		Style  template.CSS
		Script template.JS
		Policy string
	}{
		p, template.CSS(plot.Style(plot.Auto) + style), template.JS(script), // #nosec: our own
		"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'",
	})
	return b.Bytes(), err
}
