package main

import (
	"embed"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/config"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/text"
)

//go:embed help
var helpTexts embed.FS

func helpText(name string) string {
	text, _ := helpTexts.ReadFile("help/" + name + ".txt")
	return strings.TrimRight(string(text), "\n")
}

// helpTable are the lines of help/NAME.txt: "gone", what is in the place of words and flags that were, or
// "printed", which kind of object each command prints with -o json.
func helpTable(name string) iter.Seq2[string, string] {
	return func(yield func(words, text string) bool) {
		for line := range strings.Lines(helpText(name)) {
			if words, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); !yield(words, text) {
				return
			}
		}
	}
}

// describe gives a command what help/NAME.txt has of it: a sentence, examples, paragraphs about the
// rest, and at the end what it takes (declare), which begins with its usage.
func (g *globals) describe(c *cobra.Command, name string) {
	text, declared, _ := strings.Cut(helpText(strings.ReplaceAll(name, " ", "-")), "\n\nusage ")
	for line := range strings.SplitSeq("usage "+declared, "\n") {
		g.declare(c, line)
	}
	var rest string
	c.Short, rest, _ = strings.Cut(text, "\n\n")
	if examples, ok := strings.CutPrefix(rest, "Examples:\n"); ok {
		c.Example, rest, _ = strings.Cut(examples, "\n\n")
	}
	c.Long = strings.Replace(rest, "{sources}", helpText("sources"), 1)
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
	codes := strings.Fields(c.Annotations["exits"])
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

// helpStudy prints what the study file's keys mean: all of them, or the keys that a word names:
// a path, its beginning or its end, or another spelling.
func helpStudy(w io.Writer, args []string) error {
	keys := config.Reference(options())
	if len(args) > 1 {
		return usage("usage: bohier help study [KEY]", "unexpected argument %q", args[1])
	}
	if len(args) == 1 {
		named := slices.DeleteFunc(slices.Clone(keys), func(k config.Key) bool { return !names(k, args[0]) })
		if len(named) == 0 {
			var all []string
			for _, k := range keys {
				all = append(all, k.Path, lastPart(k.Path))
			}
			hint := "`bohier help study` lists all keys"
			if near, ok := space.Nearest(args[0], all); ok {
				hint = fmt.Sprintf("did you mean %q? %s", near, hint)
			}
			return usage(hint, "the study file has no key %q", args[0])
		}
		keys = named
	} else {
		fmt.Fprintln(w, "The keys of the study file; `bohier help study KEY` shows one of them, or a section.")
		fmt.Fprintln(w, "NAME stands for a name that you choose, such as that of a parameter.")
	}
	for _, k := range keys {
		fmt.Fprintf(w, "\n%s", k.Path)
		if len(k.Also) > 0 {
			fmt.Fprintf(w, " (also %s)", strings.Join(k.Also, ", "))
		}
		if k.Default != "" {
			k.Value += "; default " + k.Default
		} else if k.Required {
			k.Value += "; required"
		}
		fmt.Fprintf(w, "\n%s%s", wrapped(k.Value), wrapped(k.Text))
		if len(args) == 1 {
			fmt.Fprintf(w, "\n      %s\n\n", strings.ReplaceAll(k.Example, "\n", "\n      "))
			fmt.Fprint(w, wrapped(fmt.Sprintf("%s is refused: %s.", k.Wrong, k.Error)))
			fmt.Fprintf(w, "    Since %s.\n", config.Since)
		}
	}
	return nil
}

// wrapped is a text in indented lines of at most 80 columns.
func wrapped(words string) string {
	const indent = "    "
	return indent + strings.Join(text.Wrap(words, 80-len(indent)), "\n"+indent) + "\n"
}

// names reports whether a word that somebody types means a key: as its path or a
// section around it, with any name for NAME, or as its last part.
func names(k config.Key, word string) bool {
	if word == lastPart(k.Path) || slices.Contains(k.Also, word) {
		return true
	}
	typed, path := strings.Split(word, "."), strings.Split(k.Path, ".")
	if len(typed) > len(path) || typed[0] != path[0] {
		return false
	}
	for i, part := range typed {
		if part != path[i] && path[i] != "NAME" {
			return false
		}
	}
	return true
}

func lastPart(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
