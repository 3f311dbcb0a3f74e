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
		"brief": Brief, "count": study.Count, "deref": reflect.Indirect, "join": strings.Join, "model": modelWords,
		"number": Number, "ordinal": ordinal, "plusminus": PlusMinus, "rounded": Rounded, "some": some,
		"xml": func(s string) string {
			var b strings.Builder
			_ = xml.EscapeText(&b, []byte(s)) // no error of a Builder
			return b.String()
		},
		"percent": func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) },
	}).ParseFS(templates, "*.tmpl"))
})

// sentences are what a template says of something, a line each, without empty ones.
func sentences(name string, of any) (lines []string) {
	var b strings.Builder
	if err := prose().ExecuteTemplate(&b, name, of); err != nil {
		panic("report: " + err.Error()) // the template fits
	}
	for line := range strings.SplitSeq(b.String(), "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// passage is sentences as one text.
func passage(name string, of any) string { return strings.Join(append(sentences(name, of), ""), "\n") }
