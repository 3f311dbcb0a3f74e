// Package page makes the report of a study that people pass on: one HTML file that
// loads nothing, works without its script, in the dark, on paper and on a phone.
//
// Its markup is page.html, whose function t makes a text visible (package text) and escapes it.
// Pictures are SVG of package plot, the only markup taken as it is. The script (page.js) adds tips, sorting, filters,
// brushing and zoom to the page; it has no data of its own but the page.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"slices"
	"strconv"
	"sync"
	"text/template"

	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/text"
)

// A Page is a report. Empty parts are left out.
type Page struct {
	Study   string
	Verdict Verdict
	Cards   []report.Card
	Best    *Configuration
	Figures []Figure
	Trials  report.Table // the first column is the trial's id
	Numbers []int        // of the trials, by row
	States  []string     // of the trials, by row
	Left    string       // the omitted rows, in a sentence
	Details []report.Section
	Refresh int    // seconds after which the page looks for a newer one; 0: never
	Made    string // time and program
}

// A Verdict is the conclusion for a reader: a number, and sentences about it.
type Verdict struct {
	Name, Value string
	Sentences   []string
}

// A Configuration is parameters and their values, and how to run it.
type Configuration struct {
	Title  string
	Names  []string
	Values []string
	JSON   string
}

// A Figure is a picture with its question, Span of three columns wide and so high: its panels are
// set side by side where they fit. On small screens one panel alone is drawn anew, if it has a
// height there; else a wide one scrolls. One that shows nothing is left out.
type Figure struct {
	Span            int
	Title, Question string
	Plot            plot.Figure
	Height, Narrow  int // in pixels
}

// Picture is a figure.
func Picture(span int, title, question string, f plot.Figure, height, narrow int) Figure {
	return Figure{span, title, question, f, height, narrow}
}

//go:embed page.html
var markup string

//go:embed page.css
var style string

//go:embed page.js
var script string

// column is the width of a column of pictures in pixels.
const column = 410

// page is the template of HTML.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"t":      func(s string) string { return html.EscapeString(text.Visible(s)) },
		"policy": policy, "wide": wide, "narrow": narrow,
		"style":   func() string { return plot.Style() + style },
		"script":  func() string { return script },
		"percent": func(share float64) string { return strconv.FormatFloat(100*min(max(share, 0), 1), 'f', 1, 64) },
		"shown": func(list []Figure) []Figure {
			return slices.DeleteFunc(slices.Clone(list), func(f Figure) bool { return len(f.Plot.Panels) == 0 })
		},
		"brush":  func(f Figure) bool { return f.Plot.Panels[0].Parallel != nil },
		"rows":   func(t report.Table, numbers []int, states []string) rows { return rows{t, numbers, states} },
		"number": func(t rows, c int) bool { return c < len(t.Right) && t.Right[c] },
	}).Parse(markup))
})

// rows are a table of the page, of trials with their numbers and states.
type rows struct {
	report.Table
	Numbers []int
	States  []string
}

// HTML draws the page. A policy in its head forbids it to load anything, and every script but its own.
func (p Page) HTML() []byte {
	var b bytes.Buffer
	if err := page().Execute(&b, p); err != nil {
		panic("page: " + err.Error()) // the template fits
	}
	return b.Bytes()
}

func policy() string {
	sum := sha256.Sum256([]byte(script))
	return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// wide draws a panel of a figure in its columns.
func wide(f Figure, panel int) string {
	return f.draw(panel, f.Span*column/min(len(f.Plot.Panels), f.Span), f.Height)
}

// narrow draws the only panel of a figure for a small screen.
func narrow(f Figure) string { return f.draw(0, column, f.Narrow) }

func (f Figure) draw(panel, width, height int) string {
	one, p := f.Plot, f.Plot.Panels[panel]
	one.Columns, one.Width, one.Height, one.Panels = 1, width, height, []plot.Panel{p}
	if p.Title != "" {
		one.Title += ": " + p.Title
	}
	return string(one.Inline())
}
