package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// format is the value of -o.
type format struct {
	name     string
	template string   // of "template=…"
	allowed  []string // the first is the default
	chosen   *string  // where errors learn of the choice
}

// addFormat gives a command its -o flag; the first name is the default.
func (g *globals) addFormat(c *cobra.Command, f *format, names ...string) {
	f.name, f.allowed, f.chosen = names[0], names, &g.output
	c.Flags().VarP(f, "output", "o", "`FORMAT`: "+strings.Join(names, ", "))
	g.completes(c, "output", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// completes offers a shell the values of a flag. What cobra learns here it keeps for ever,
// so that a process that makes the commands anew for each request tells it nothing.
func (g *globals) completes(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if g.kept == nil {
		_ = c.RegisterFlagCompletionFunc(flag, f)
	}
}

// String is the choice as written.
func (f *format) String() string { return f.name }

// Type names the value in help.
func (f *format) Type() string { return "FORMAT" }

// Set accepts one of the command's formats.
func (f *format) Set(text string) error {
	*f.chosen = text
	name, template, isTemplate := strings.Cut(text, "=")
	for _, a := range f.allowed {
		if a == "template=…" && isTemplate && name == "template" {
			f.name, f.template = name, template
			return nil
		}
		if a == text {
			f.name = text
			return nil
		}
	}
	return usage("formats: "+strings.Join(f.allowed, ", "), "unknown format %q", text)
}
