package report

import (
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
func (p Page) Markdown() []byte { return []byte(executed("markdown.tmpl", p)) }

// markdown takes what Markdown or HTML would read as markup literally.
func markdown(s string) string {
	return markup.Replace(text.Visible(strings.Join(strings.Fields(s), " ")))
}

var markup = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "]",
	`\]`, "&", "&amp;", "#", `\#`)
