package report

import (
	"bytes"
	"fmt"
	"html"
	"slices"
	"strings"

	"bohier/internal/plot"
	"bohier/internal/text"
)

// A Page is a report as sections of sentences, tables and pictures. Values are
// data: Markdown and HTML draw it, and equal pages give equal bytes.
type Page struct {
	Title    string
	Sections []Section
}

// A Section is shown in the order of its fields.
type Section struct {
	Title   string
	Text    []string // paragraphs
	Table   *Table
	Figures []plot.Figure
}

// Markdown draws the page without its pictures (CommonMark with the tables of
// GitHub).
func (p Page) Markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n", markdown(p.Title))
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n", markdown(s.Title))
		for _, t := range s.Text {
			fmt.Fprintf(&b, "\n%s\n", markdown(t))
		}
		if s.Table == nil {
			continue
		}
		b.WriteByte('\n')
		row := func(cells []string) {
			b.WriteByte('|')
			for _, c := range cells {
				fmt.Fprintf(&b, " %s |", markdown(c))
			}
			b.WriteByte('\n')
		}
		row(s.Table.Head)
		b.WriteByte('|')
		for c := range s.Table.Head {
			b.WriteString(" ---")
			if s.Table.right(c) {
				b.WriteByte(':')
			}
			b.WriteString(" |")
		}
		b.WriteByte('\n')
		for _, cells := range s.Table.Rows {
			row(cells)
		}
	}
	return b.Bytes()
}

// markdown takes what Markdown or HTML would read as markup literally.
func markdown(s string) string {
	return markup.Replace(text.Visible(strings.Join(strings.Fields(s), " ")))
}

var markup = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "]", `\]`, "&", "&amp;", "#", `\#`)

// escapeHTML is a text within a page.
func escapeHTML(s string) string {
	return html.EscapeString(string(text.VisibleText([]byte(s), false)))
}

// HTML draws the page as one file without scripts, fonts or anything to load.
func (p Page) HTML() []byte {
	var b bytes.Buffer
	title := escapeHTML(p.Title)
	fmt.Fprintf(&b, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>
:root { color-scheme: light dark; }
body { font-family: sans-serif; line-height: 1.4; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 0.15rem 0.8rem 0.15rem 0; border-bottom: 1px solid #8884; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
svg { max-width: 100%%; height: auto; }
</style>
</head>
<body>
<h1>%s</h1>
`, title, title)
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "<h2>%s</h2>\n", escapeHTML(s.Title))
		for _, t := range s.Text {
			fmt.Fprintf(&b, "<p>%s</p>\n", escapeHTML(t))
		}
		if s.Table != nil {
			s.Table.html(&b)
		}
		for _, f := range s.Figures {
			b.Write(f.Inline())
		}
	}
	b.WriteString("</body>\n</html>\n")
	return b.Bytes()
}

func (t *Table) html(b *bytes.Buffer) {
	rows := make([][]string, len(t.Rows))
	for k := range rows {
		rows[k] = slices.Clone(t.Rows[k])
	}
	for c := range t.Head {
		if t.right(c) {
			alignPoint(rows, c)
		}
	}
	row := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for c, cell := range cells {
			class := ""
			if t.right(c) {
				class = ` class="n"`
				if whole := strings.TrimRight(cell, " "); whole != cell { // as wide as the digits that others have there
					cell = whole + strings.Repeat("\u2007", len(cell)-len(whole))
				}
			}
			fmt.Fprintf(b, "<%s%s>%s</%s>", tag, class, escapeHTML(cell), tag)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("<table>\n<thead>\n")
	row("th", t.Head)
	b.WriteString("</thead>\n<tbody>\n")
	for _, cells := range rows {
		row("td", cells)
	}
	b.WriteString("</tbody>\n</table>\n")
}
