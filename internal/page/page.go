// Package page makes the report of a study that people pass on: one HTML file that
// loads nothing, works without its script, in the dark, on paper and on a phone.
//
// Its markup is page.html, whose function t makes a text visible (package text) and escapes it.
// Pictures are SVG of package plot, the only markup taken as it is. The script (page.js) adds tips,
// sorting, filters, brushing and zoom to what is there; it has no data of its own but the page.
package page

import (
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
