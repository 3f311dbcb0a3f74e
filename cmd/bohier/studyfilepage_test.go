package main

import (
	"bytes"
	"fmt"
	"strings"

	"bohier/internal/config"
)

// studyFilePage is the reference as a page of Markdown: the sections of the file, then the keys of each.
func studyFilePage() []byte {
	var b bytes.Buffer
	b.WriteString(pageHead)
	all := config.Reference(options())
	var groups []string
	b.WriteString(tableHead)
	for _, k := range all {
		group, _, below := strings.Cut(k.Path, ".")
		if below {
			if len(groups) == 0 || groups[len(groups)-1] != group {
				groups = append(groups, group)
			}
			continue
		}
		b.WriteString(row(k))
	}
	for _, group := range groups {
		title := "`" + group + "`"
		if group == "CONDITION" {
			title = "Conditions as mappings"
		}
		fmt.Fprintf(&b, "\n## %s\n%s", title, tableHead)
		for _, k := range all {
			if strings.HasPrefix(k.Path, group+".") {
				b.WriteString(row(k))
			}
		}
	}
	return b.Bytes()
}

const tableHead = "\n| key | value | default | meaning |\n|---|---|---|---|\n"

// row is a key as a row of a table.
func row(k config.Key) string {
	name, def := "`"+k.Path+"`", k.Default
	if len(k.Also) > 0 {
		name += " (also `" + strings.Join(k.Also, "`, `") + "`)"
	}
	switch {
	case def != "":
		def = "`" + def + "`"
	case k.Required:
		def = "required"
	}
	cell := strings.NewReplacer("|", `\|`, "*", `\*`, "<", `\<`).Replace
	code := func(text string) string {
		return "`` " + strings.ReplaceAll(strings.ReplaceAll(text, "|", `\|`), "\n", " `` <br> `` ") + " ``"
	}
	return fmt.Sprintf("| %s | %s | %s | %s<br>%s<br>%s is refused: %s |\n", name, cell(k.Value), def, cell(k.Text),
		code(k.Example), code(k.Wrong), cell(k.Error))
}

const pageHead = `# The study file

Every key, as ` + "`bohier help study`" + ` and ` + "`bohier schema`" + ` know it. A path is written with dots;
NAME stands for a name that you choose, such as that of a parameter. Keys that start
with ` + "`x-`" + ` are ignored, so that YAML anchors have a place. Every key is there since
the first version. Each has an example and one of the errors that it can give; the others
say as exactly where and what is wrong.

A small study:

` + "```yaml" + `
objective: {name: loss, direction: minimize}
space:
  lr: {type: float, low: 1e-5, high: 1.0, scale: log}
  layers: {type: int, low: 1, high: 8}
  activation: [relu, gelu, tanh]
` + "```" + `
`
