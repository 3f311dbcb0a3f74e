package report

import (
	"embed"
	"encoding/xml"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"text/template"

	"bohier/internal/study"
)

//go:embed *.tmpl
var templates embed.FS

// prose are the templates of sentences; their functions take what pointers point to.
var prose = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"believed": Believed, "brief": Brief, "count": study.Count, "deref": reflect.Indirect, "join": strings.Join,
		"md": markdown, "model": modelWords,
		"number": Number, "ordinal": ordinal, "plusminus": PlusMinus, "right": Table.right, "rounded": Rounded, "some": some,
		"xml": func(s string) string {
			var b strings.Builder
			_ = xml.EscapeText(&b, []byte(s)) // no error of a Builder
			return b.String()
		},
		"percent": func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) },
	}).ParseFS(templates, "*.tmpl"))
})

// executed is what a template makes of something.
func executed(name string, of any) string {
	var b strings.Builder
	if err := prose().ExecuteTemplate(&b, name, of); err != nil {
		panic("report: " + err.Error()) // the template fits
	}
	return b.String()
}

// sentences are what a template says of something, a line each, without empty ones.
func sentences(name string, of any) (lines []string) {
	for line := range strings.SplitSeq(executed(name, of), "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// passage is sentences as one text.
func passage(name string, of any) string { return strings.Join(append(sentences(name, of), ""), "\n") }
