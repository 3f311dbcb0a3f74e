package main

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/spf13/cobra"

	"bohier/internal/report"
	"bohier/internal/study"
	"bohier/internal/text"
)

//go:embed sheets
var sheetTexts embed.FS

// sheets are the templates of what people read.
var sheets = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"count": study.Count, "exits": exitsOf, "join": strings.Join, "longest": longest, "number": number,
		"replace": strings.ReplaceAll, "rounded": report.Rounded, "rows": rows, "wrap": wrapped,
		"cut":     func(s string) []string { return strings.SplitN(s, ": ", 2) },
		"percent": func(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) },
		"share":   func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) },
		"trim":    func(s string) string { return strings.TrimRight(s, "\n") },
		"yes":     func(v bool) string { return map[bool]string{true: "yes", false: "no"}[v] },
		"deref": func(v *float64) float64 {
			if v == nil {
				return 0
			}
			return *v
		},
		"table": func(t report.Table) string { // after an empty line; nothing without rows
			if len(t.Rows) == 0 {
				return ""
			}
			return "\n" + string(t.Text(false))
		},
	}).ParseFS(sheetTexts, "sheets/*.tmpl"))
})

// sheet is a result for people, as the template of the name sets it.
func sheet(name string, of any) []byte {
	var b bytes.Buffer
	if err := sheets().ExecuteTemplate(&b, name+".tmpl", of); err != nil {
		panic(err) // the template fits
	}
	return b.Bytes()
}

// rows are lines with a name before the first.
func rows(name string, lines []string) (out string) {
	for _, line := range lines {
		out += fmt.Sprintf("\n%-8s %s", name, line)
		name = ""
	}
	return out
}

// wrapped is a text in indented lines of at most 80 columns.
func wrapped(words string) string {
	const indent = "    "
	return indent + strings.Join(text.Wrap(words, 80-len(indent)), "\n"+indent)
}

// longest is the length of the longest name of commands.
func longest(commands []*cobra.Command) (n int) {
	for _, c := range commands {
		n = max(n, len(c.Name()))
	}
	return n
}

// exitsOf are the exit codes of a command.
func exitsOf(c *cobra.Command) (list []study.Exit) {
	codes := strings.Fields(c.Annotations["exits"])
	for _, e := range study.Exits {
		if len(codes) == 0 || slices.Contains(codes, e.Code) {
			list = append(list, e)
		}
	}
	return list
}

// goal says how far a trial goes on, if it does.
func goal(to **float64) string {
	if to == nil || *to == nil {
		return ""
	}
	return " to " + report.Number(**to)
}
