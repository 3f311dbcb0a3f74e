package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bohier/internal/lazy"
)

// format is the value of -o.
type format struct {
	name     string
	template string   // of "template=…"
	allowed  []string // the first is the default
	chosen   *string  // where errors learn of the choice
}

// addFormat gives a command its -o flag; the first name is the default.
func (g *globals) addFormat(c *cobra.Command, names ...string) {
	c.Flags().VarP(&format{name: names[0], allowed: names, chosen: &g.output}, "output", "o",
		"`FORMAT`: "+strings.Join(names, ", "))
	g.completes(c, "output", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// completes offers a shell the values of a flag. cobra keeps every completion for ever, so that
// a process that makes the commands anew for each request registers none.
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

// choice is the value of a flag that accepts one of some words.
type choice struct {
	value *string
	words []string
}

// oneOf adds a flag that accepts one of some words; the first is the default.
func (g *globals) oneOf(c *cobra.Command, f *pflag.FlagSet, value *string, name, help string, words ...string) {
	*value = words[0]
	g.optionalOneOf(c, f, value, name, help, words...)
}

// optionalOneOf adds a flag that accepts one of some words and has no default.
func (g *globals) optionalOneOf(c *cobra.Command, f *pflag.FlagSet, value *string, name, help string, words ...string) {
	f.Var(choice{value, words}, name, help)
	g.completes(c, name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// String is the word chosen.
func (c choice) String() string { return *c.value }

// Type names the value in help.
func (c choice) Type() string { return strings.Join(c.words, "|") }

// Set accepts one of the words.
func (c choice) Set(text string) error {
	if !slices.Contains(c.words, text) {
		last := len(c.words) - 1
		return usage("write "+strings.Join(c.words[:last], ", ")+" or "+c.words[last], "unknown value %q", text)
	}
	*c.value = text
	return nil
}

// negative is a number that a flag parser takes for flags.
var negative = lazy.Regexp(`(?i)^-(\.?[0-9]|inf|nan)`)

// numbersAreNoFlags lets `observe 7 -0.5` be written as it is: the bare value
// becomes "=-0.5", a value without a name, unless a flag before it takes it.
func numbersAreNoFlags(root *cobra.Command, args []string) []string {
	c, _, err := root.Find(args)
	if err != nil || c.Name() != "observe" {
		return args
	}
	out := slices.Clone(args)
	for i, a := range args {
		if a == "--" {
			break
		}
		if negative().MatchString(a) && (i == 0 || !takesValue(c, args[i-1])) {
			out[i] = "=" + a
		}
	}
	return out
}

// takesValue reports whether the argument is a flag whose value follows.
func takesValue(c *cobra.Command, arg string) bool {
	name, isLong := strings.CutPrefix(arg, "--")
	f := c.Flag(name)
	if short, ok := strings.CutPrefix(arg, "-"); ok && !isLong && len(short) == 1 {
		if f = c.Flags().ShorthandLookup(short); f == nil {
			f = c.InheritedFlags().ShorthandLookup(short)
		}
	} else if !isLong {
		return false
	}
	return f != nil && f.NoOptDefVal == ""
}
