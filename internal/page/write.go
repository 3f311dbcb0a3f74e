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

// HTML draws the page. A policy in its head forbids it to load anything, and every
// script but its own.
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
