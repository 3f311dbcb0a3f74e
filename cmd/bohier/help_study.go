package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"bohier/internal/config"
	"bohier/internal/space"
)

// helpStudy prints what the study file's keys mean: all of them, or those that a
// word names: a path, its beginning or its end, or another spelling.
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
		fmt.Fprintf(w, "\n%s", indented(k.Value, k.Default, k.Required))
		fmt.Fprint(w, wrapped(k.Text, "    ", 80))
		if len(args) == 1 {
			fmt.Fprintf(w, "\n      %s\n\n", strings.ReplaceAll(k.Example, "\n", "\n      "))
			fmt.Fprint(w, wrapped(fmt.Sprintf("%s is refused: %s.", k.Wrong, k.Error), "    ", 80))
			fmt.Fprintf(w, "    Since %s.\n", config.Since)
		}
	}
	return nil
}

// indented is what a value may be and stands for, on lines of its own.
func indented(value, def string, required bool) string {
	switch {
	case def != "":
		value += "; default " + def
	case required:
		value += "; required"
	}
	return wrapped(value, "    ", 80)
}

// wrapped breaks a text at spaces into indented lines of at most width characters.
func wrapped(text, indent string, width int) string {
	var b strings.Builder
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(indent+line))+1+len([]rune(word)) > width {
			b.WriteString(indent + line + "\n")
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return b.String() + indent + line + "\n"
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
