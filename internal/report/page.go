package report

import (
	"bytes"
	"fmt"
	"strings"

	"bohier/internal/text"
)

// A Page is a report as sections of sentences and tables; equal pages give equal
// bytes. The report as HTML, with pictures, is package page.
type Page struct {
	Title    string
	Sections []Section
}

// A Section is shown in the order of its fields.
type Section struct {
	Title string
	Text  []string // paragraphs
	Table *Table
}

// Markdown draws the page (CommonMark with the tables of
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

var markup = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "]",
	`\]`, "&", "&amp;", "#", `\#`)
