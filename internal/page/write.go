package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/text"
)

// markup is HTML of this package: constants become it, texts of a study do not.
type markup string

type writer struct{ bytes.Buffer }

// put writes markup, with a text in place of every {}: visible, escaped, and thus good for
// elements and for attributes in quotes.
func (w *writer) put(m markup, texts ...string) {
	rest := string(m)
	for _, t := range texts {
		before, after, _ := strings.Cut(rest, "{}")
		w.WriteString(before)
		w.WriteString(html.EscapeString(text.Visible(t)))
		rest = after
	}
	w.WriteString(rest)
}

// some puts a text that may be missing.
func (w *writer) some(m markup, text string) {
	if text != "" {
		w.put(m, text)
	}
}

// HTML draws the page. A policy in its head forbids it to load anything, and every
// script but its own.
func (p Page) HTML() []byte {
	var w writer
	refresh := ""
	if p.Refresh > 0 {
		refresh = strconv.Itoa(p.Refresh)
	}
	sum := sha256.Sum256([]byte(script))
	w.put("<!DOCTYPE html>\n<html lang=\"en\"")
	w.some(` data-refresh="{}"`, refresh)
	w.put(`>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{} – bohier report</title>
<link rel="icon" href="data:,">
`, "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'", p.Study)
	w.some("<noscript><meta http-equiv=\"refresh\" content=\"{}\"></noscript>\n", refresh)
	w.put("<style>" + markup(plot.Style()+style) + `</style>
</head>
<body>
<a class="skip" href="#trials">Skip to the trials</a>
<header>
`)
	w.put("<h1>{}</h1>\n<div class=\"verdict\">\n", p.Study)
	if p.Verdict.Value != "" {
		w.put("<p class=\"headline\"><span>{}</span> <b>{}</b></p>\n", p.Verdict.Name, p.Verdict.Value)
	}
	w.put("<ul>")
	for _, s := range p.Verdict.Sentences {
		w.put("<li>{}</li>", s)
	}
	w.put("</ul>\n</div>\n</header>\n<main>\n<section class=\"cards\" aria-label=\"Key figures\">\n")
	for _, c := range p.Cards {
		w.put(`<div class="card"><span class="name">{}</span><span class="value">{}</span>`, c.Name, c.Value)
		if c.Bar {
			w.put(`<span class="bar" aria-hidden="true"><i style="width:{}%"></i></span>`,
				strconv.FormatFloat(100*min(max(c.Share, 0), 1), 'f', 1, 64))
		}
		w.some(`<span class="note">{}</span>`, c.Note)
		w.put("</div>\n")
	}
	w.put("</section>\n")
	if p.Best != nil {
		w.best(*p.Best)
	}
	shown := slices.DeleteFunc(slices.Clone(p.Figures), func(f Figure) bool { return len(f.Plot.Panels) == 0 })
	if len(shown) > 0 {
		w.put("<section aria-label=\"Pictures\" class=\"figures\">\n")
		for _, f := range shown {
			w.figure(f)
		}
		w.put("</section>\n")
	}
	if len(p.Trials.Rows) > 0 {
		w.trials(p)
	}
	if len(p.Details) > 0 {
		w.put("<section class=\"details\"><h2>Details</h2>\n")
		for _, d := range p.Details {
			w.details(d)
		}
		w.put("</section>\n")
	}
	w.put("</main>\n<footer>{}</footer>\n<div id=\"tip\" role=\"status\" hidden></div>\n<script>", p.Made)
	w.put(markup(script) + "</script>\n</body>\n</html>\n")
	return w.Bytes()
}

func (w *writer) best(c Configuration) {
	w.put("<section class=\"best\"><h2>{}</h2>\n<dl>", c.Title)
	for k, name := range c.Names {
		w.put("<div><dt>{}</dt><dd>{}</dd></div>", name, c.Values[k])
	}
	w.put("</dl>\n<details><summary>as JSON</summary><pre tabindex=\"0\">{}</pre></details>\n</section>\n", c.JSON)
}

func (w *writer) figure(f Figure) {
	n := len(f.Plot.Panels)
	brush := f.Plot.Panels[0].Parallel != nil
	w.put(`<figure class="span{}`, strconv.Itoa(f.Span))
	if brush {
		w.put(" brush")
	}
	w.put("\">\n<figcaption><h2>{}</h2><p>{}", f.Title, f.Question)
	if brush { // without the script there is nothing to drag
		w.put(` <span class="try">Drag along an axis to pick trials.</span>`)
	}
	w.some(` <span>{}</span>`, f.Plot.Note)
	w.put("</p></figcaption>\n")
	draw := func(p plot.Panel, width, height int) {
		one := f.Plot
		one.Columns, one.Width, one.Height, one.Panels = 1, width, height, []plot.Panel{p}
		if p.Title != "" {
			one.Title += ": " + p.Title
		}
		w.put(markup(one.Inline()))
	}
	switch {
	case f.Narrow > 0 && n == 1:
		w.put(`<div class="wide">`)
		draw(f.Plot.Panels[0], f.Span*column, f.Height)
		w.put(`</div><div class="narrow">`)
		draw(f.Plot.Panels[0], column, f.Narrow)
		w.put("</div>\n</figure>\n")
		return
	case f.Span > 1 && n == 1:
		w.put(`<div class="scroll" tabindex="0">`)
	default:
		w.put(`<div class="panels">`)
	}
	for _, p := range f.Plot.Panels {
		draw(p, f.Span*column/min(n, f.Span), f.Height)
	}
	w.put("</div>\n</figure>\n")
}

func (w *writer) trials(p Page) {
	w.put(`<section class="trials">
<h2 id="trials">Trials</h2>
<p class="tools"><label>Filter <input type="search" placeholder="{}" aria-describedby="how"></label> <button type="button" class="clear">Clear</button> <output aria-live="polite">{} trials</output></p>
<p id="how" class="tools hint">Words that a row has to contain, or a column with &lt;, &gt; or = and a value. A heading sorts; a row or a point shows its trial everywhere.</p>
`, p.Example, strconv.Itoa(len(p.Trials.Rows)))
	w.some("<p class=\"hint\">{}</p>\n", p.Left)
	w.put("<div class=\"scroll table\" tabindex=\"0\">\n")
	w.table(p.Trials, func(r int) {
		w.put(`<tr data-t="{}" class="{}">`, strconv.Itoa(p.Numbers[r]), p.States[r])
	})
	w.put("</section>\n")
}

func (w *writer) details(d report.Section) {
	w.put("<details><summary>{}</summary>\n", d.Title)
	for _, t := range d.Text {
		w.put("<p>{}</p>\n", t)
	}
	if d.Table != nil {
		w.put("<div class=\"scroll\" tabindex=\"0\">")
		w.table(*d.Table, func(int) { w.put("<tr>") })
	}
	w.put("</details>\n")
}

// table puts a table and ends the element that it scrolls in; row begins a row.
func (w *writer) table(t report.Table, row func(int)) {
	cell := func(tag markup, c int, text string) {
		if c < len(t.Right) && t.Right[c] {
			tag += ` class="n"`
		}
		w.put("<"+tag+">{}", text)
	}
	w.put("<table><thead><tr>")
	for c, name := range t.Head {
		cell(`th scope="col"`, c, name)
	}
	w.put("</tr></thead>\n<tbody>\n")
	for r, cells := range t.Rows {
		row(r)
		for c, text := range cells {
			cell("td", c, text)
		}
		w.put("\n")
	}
	w.put("</tbody></table></div>\n")
}
