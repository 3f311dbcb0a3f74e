package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"bohier/internal/study"
)

// TestExitCodesPage holds that the page lists what help prints, with the commands that end with each code.
func TestExitCodesPage(t *testing.T) {
	const page = "../../docs/reference/exit-codes.md"
	by := map[string][]string{}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, code := range strings.Fields(strings.Trim(c.Annotations["exits"], "[]")) {
			if name := strings.TrimPrefix(c.CommandPath(), "bohier "); c.Runnable() && !c.Hidden &&
				!strings.HasPrefix(name, "plot ") {
				by[code] = append(by[code], "`"+name+"`")
			}
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(&globals{}))
	var b bytes.Buffer
	b.WriteString(exitHead)
	for _, e := range study.Exits {
		names := by[e.Code]
		slices.Sort(names)
		list := strings.Join(slices.Compact(names), ", ")
		if slices.Contains([]string{"0", "1", "2"}, e.Code) {
			list = "every command"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", e.Code, e.Meaning, list)
	}
	b.WriteString(exitTail)
	goldenFile(t, page, b.Bytes())
}

const exitHead = `# Exit codes

` + "`bohier help COMMAND`" + ` ends with those of the command. With ` + "`-o json`" + ` an error is an object on
standard error, with code and hint ([error](error.schema.json)). The study file is judged first, then the arguments,
then the journal; names of metrics are judged with the journal.

| code | meaning | commands |
|---|---|---|
`

const exitTail = `
## In a script

` + "```sh" + `
bohier check 2>/dev/null || [ $? -eq 2 ]    # no study file here
` + "```" + `

| you want to | after |
|---|---|
| run the same again | 5, 7, 8, 130 (` + "`add`, `enqueue`, `observe --replicate`" + `: with ` + "`--key`" + `) |
| look at the result | 3 of ` + "`suggest`" + `, 0 of ` + "`run`" + ` |
| mend the cause first | 2, 6, 9, 11 |
| decide | 10: no is an answer, of ` + "`gate`, `verdict`, `observe --ask`" + ` |
| go on or not | 0 of ` + "`status --over`" + `: there is work left; 3 and 11: it is over |
`
