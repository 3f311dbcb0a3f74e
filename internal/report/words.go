package report

import (
	"embed"
	"encoding/xml"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"text/template"

	"bohier/internal/lists"
	"bohier/internal/study"
	"bohier/internal/text"
)

//go:embed *.tmpl
var templates embed.FS

// prose are the templates of texts for people; their functions take the values behind pointers.
var prose = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"believed": Believed, "brief": Brief, "count": study.Count, "deref": reflect.Indirect, "join": strings.Join,
		"md": markdown, "model": modelWords, "number": Number, "percent": Percent, "plusminus": PlusMinus,
		"replace": strings.ReplaceAll, "right": Table.right, "rounded": Rounded, "rows": rows, "some": some,
		"wrap": func(words string) string { return "    " + strings.Join(text.Wrap(words, 76), "\n    ") },
		"xml": func(s string) string {
			var b strings.Builder
			_ = xml.EscapeText(&b, []byte(s)) // no error of a Builder
			return b.String()
		},
		"cut":  func(s string) []string { return strings.SplitN(s, ": ", 2) },
		"trim": func(s string) string { return strings.TrimRight(s, "\n") },
		"table": func(t Table) string { // after an empty line; nothing without rows
			if len(t.Rows) == 0 {
				return ""
			}
			return "\n" + string(t.Text(false))
		},
	}).ParseFS(templates, "*.tmpl"))
})

// executed is the output of a template.
func executed(name string, of any) string {
	var b strings.Builder
	if err := prose().ExecuteTemplate(&b, name, of); err != nil {
		panic("report: " + err.Error()) // the template fits
	}
	return b.String()
}

// Sheet is a result for people, as NAME.tmpl sets it.
func Sheet(name string, of any) []byte { return []byte(executed(name+".tmpl", of)) }

// sentences are the lines of a template's output, without empty ones.
func sentences(name string, of any) []string {
	lines := strings.Split(executed(name, of), "\n")
	return lists.Only(lines, func(line string) bool { return strings.TrimSpace(line) != "" })
}

// passage is sentences as one text.
func passage(name string, of any) string { return strings.Join(append(sentences(name, of), ""), "\n") }

// rows are lines with a name before the first.
func rows(name string, lines []string) (out string) {
	for _, line := range lines {
		out += fmt.Sprintf("\n%-8s %s", name, line)
		name = ""
	}
	return out
}
