package main

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/study"
)

// exits lists the exit codes of a command for its help; 0, 1 and 2 are every
// command's.
func exits(codes ...int) map[string]string {
	return map[string]string{"exits": fmt.Sprint(append([]int{0, 1, 2}, codes...))}
}

//go:embed help
var helpTexts embed.FS

// describe gives a command and those below it the text of help/NAME.txt: a sentence,
// examples, and paragraphs about the rest.
func describe(c *cobra.Command) {
	file := func(name string) string {
		text, _ := helpTexts.ReadFile("help/" + name + ".txt")
		return strings.TrimRight(string(text), "\n")
	}
	var rest string
	c.Short, rest, _ = strings.Cut(file(strings.ReplaceAll(strings.TrimPrefix(c.CommandPath(), "bohier "), " ", "-")), "\n\n")
	if examples, ok := strings.CutPrefix(rest, "Examples:\n"); ok {
		c.Example, rest, _ = strings.Cut(examples, "\n\n")
	}
	c.Long = strings.Replace(rest, "{sources}", file("sources"), 1)
	for _, sub := range c.Commands() {
		describe(sub)
	}
}

// help prints what a command does, examples first, exit codes last.
func help(w io.Writer, c *cobra.Command) {
	c.InitDefaultHelpFlag()
	fmt.Fprintln(w, c.Short)
	if c.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", strings.TrimRight(c.Example, "\n"))
	}
	if c.Long != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(c.Long))
	}
	fmt.Fprintf(w, "\nUsage:\n  %s\n", useLine(c))
	if len(c.Aliases) > 0 {
		fmt.Fprintf(w, "  also called %s\n", strings.Join(c.Aliases, ", "))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintln(w, "\nCommands:")
		longest := 0
		for _, sub := range c.Commands() {
			longest = max(longest, len(sub.Name()))
		}
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-*s  %s\n", longest, sub.Name(), sub.Short)
			}
		}
	}
	if c.HasAvailableLocalFlags() {
		fmt.Fprintf(w, "\nFlags:\n%s", c.LocalFlags().FlagUsages())
	}
	if c.HasAvailableInheritedFlags() {
		fmt.Fprintf(w, "\nFlags of every command:\n%s", c.InheritedFlags().FlagUsages())
	}
	fmt.Fprintln(w, "\nExit codes:")
	codes := strings.Fields(strings.Trim(c.Annotations["exits"], "[]"))
	for _, e := range study.Exits {
		if len(codes) == 0 || slices.Contains(codes, e.Code) {
			fmt.Fprintf(w, "  %3s  %s\n", e.Code, e.Meaning)
		}
	}
}

func useLine(c *cobra.Command) string {
	if c.HasAvailableSubCommands() {
		return c.CommandPath() + " COMMAND [flags]"
	}
	return c.UseLine()
}
