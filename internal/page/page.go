// Package page makes the report of a study that people pass on: one HTML file that
// loads nothing, works without its script, in the dark, on paper and on a phone.
//
// Markup is written by put alone, which makes every text visible (package text) and escapes
// it. Pictures are SVG of package plot, the only markup taken as it is. The script (page.js) adds tips, sorting,
// filters, brushing
// and zoom to what is there; it has no data of its own but the page.
package page

import (
	_ "embed"

	"bohier/internal/plot"
	"bohier/internal/report"
)

// A Page is a report. Empty parts are left out.
type Page struct {
	Study   string
	Verdict Verdict
	Cards   []report.Fact
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

//go:embed page.css
var style string

//go:embed page.js
var script string

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
