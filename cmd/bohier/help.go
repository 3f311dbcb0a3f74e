package main

import (
	"embed"
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bohier/docs"
	"bohier/internal/config"
	"bohier/internal/lists"
	"bohier/internal/report"
	"bohier/internal/space"
	"bohier/internal/study"
)

//go:embed help
var helpTexts embed.FS

func helpText(name string) string {
	text, _ := helpTexts.ReadFile("help/" + name + ".txt")
	return strings.TrimRight(string(text), "\n")
}

// helpTable are the lines of help/NAME.txt: "gone", the replacements of removed words and flags, or "printed", the kind
// of object that each command prints with -o json.
func helpTable(name string) iter.Seq2[string, string] {
	return func(yield func(words, text string) bool) {
		for line := range strings.Lines(helpText(name)) {
			if words, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); !yield(words, text) {
				return
			}
		}
	}
}

// describe gives a command the texts of help/NAME.txt: a sentence, examples, paragraphs about the rest, and at the end
// its arguments and flags (declare), which begin with its usage.
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
	c.Long = strings.TrimSpace(strings.Replace(rest, "{sources}", helpText("sources"), 1))
}

// help prints what a command does, examples first, exit codes last.
func (s streams) help(c *cobra.Command) error {
	c.InitDefaultHelpFlag()
	width := 0 // of the longest name
	for _, sub := range c.Commands() {
		width = max(width, len(sub.Name()))
	}
	return s.deliver(report.Sheet("help", struct {
		*cobra.Command
		Width int
		Exits []study.Exit
	}{c, width, exitsOf(c)}))
}

// exitsOf are the exit codes of a command.
func exitsOf(c *cobra.Command) []study.Exit {
	codes := strings.Fields(c.Annotations["exits"])
	return lists.Only(study.Exits, func(e study.Exit) bool { return len(codes) == 0 || slices.Contains(codes, e.Code) })
}

// helpStudy prints the meaning of the study file's keys: all of them, or the keys that a word names: a path, its
// beginning or its end, or another spelling.
func helpStudy(s streams, args []string) error {
	keys := config.Reference(options())
	if len(args) > 1 {
		return usage("usage: bohier help study [KEY]", "unexpected argument %q", args[1])
	}
	if len(args) == 1 {
		named := lists.Only(keys, func(k config.Key) bool { return names(k, args[0]) })
		if len(named) == 0 {
			var all []string
			for _, k := range keys {
				all = append(all, k.Path, lastPart(k.Path))
			}
			return usage(space.DidYouMean(args[0], all, "`bohier help study` lists all keys"), "the study file has no key %q", args[0])
		}
		keys = named
	}
	return s.deliver(report.Sheet("keys", map[string]any{"keys": keys, "whole": len(args) == 1}))
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
	fits := func(part, of string) bool { return part == of || of == "NAME" }
	return slices.EqualFunc(typed, path[:len(typed)], fits)
}

func lastPart(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

func runSchema(s call, of []string) error {
	if len(of) == 0 {
		return s.write(config.Schema(options()))
	}
	word, known := strings.Join(of, " "), []string(nil) // the name of a command, or of the object that it prints
	for command, output := range helpTable("printed") {
		command, _, _ = strings.Cut(command, " --")
		known = append(known, command, output)
		if command == word {
			word = output
		}
	}
	text, err := docs.Schemas.ReadFile("reference/" + word + ".schema.json")
	if err != nil {
		return usage(space.DidYouMean(word, known, "docs/reference/json.md lists all"), "no command prints %q as JSON", word)
	}
	return s.write(text)
}

// version is set by the linker for releases; otherwise the build's own record of the commit is shown.
var version = ""

func runVersion(s call, _ []string) error {
	v, commit := versionName(), ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				commit = setting.Value
			}
		}
	}
	result := report.Version{
		Schema: "bohier/version/1", Version: v, Commit: commit,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	return present(s, []report.Version{result}, false, func() []byte {
		return fmt.Appendf(nil, "bohier %s %s %s\n", v, result.Go, result.Platform)
	})
}

// versionName is the name of this build.
func versionName() string {
	v := version
	if info, ok := debug.ReadBuildInfo(); ok && v == "" {
		v = info.Main.Version
	}
	if v == "" || v == "(devel)" {
		return "devel"
	}
	return v
}
