package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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
