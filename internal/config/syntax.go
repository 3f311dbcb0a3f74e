package config

import (
	_ "embed"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

//go:embed mistakes.txt
var mistakes string

// A cause is why a line is no YAML.
type cause struct {
	*regexp.Regexp
	msg, hint string
}

// causes are those of mistakes.txt.
var causes = sync.OnceValue(func() (list []cause) {
	_, rows, _ := strings.Cut(mistakes, "\n\n")
	lines := strings.Split(strings.TrimSpace(rows), "\n")
	for row := range slices.Chunk(lines, 3) {
		list = append(list, cause{regexp.MustCompile(row[0]), strings.TrimSpace(row[1]), strings.TrimSpace(row[2])})
	}
	return list
})

// syntaxError reports what the YAML library could not parse: by the cause that its line shows, else at
// the beginning of what is not closed, else where the library stopped.
func (l *loader) syntaxError(err error) {
	e, located := errors.AsType[*yaml.LoadError](err)
	if !located || e.Mark.Line < 1 {
		l.errorf(nil, "", "this does not parse as YAML: %v", err)
		return
	}
	at, began := pos{min(e.Mark.Line, len(l.lines)), e.Mark.Column}, pos{e.ContextMark.Line, e.ContextMark.Column}
	if l.known(at.line) {
		return
	}
	_, bracket, flow := strings.Cut(e.Message, "',' or '")
	first, above := l.firstColumn(at.line), l.above(at.line)
	switch {
	case strings.Contains(e.Message, "exceeded max depth"):
		l.errorAt(at, "", "nested deeper than %d levels", maxDepth)
	case flow:
		l.errorAt(began, "or a comma is missing after it", "%q is not closed", string(bracket[0]-2)) // as ASCII has them
	case e.ContextMsg == "while scanning a quoted scalar" && strings.Contains(e.Message, "unexpected"):
		l.errorAt(began, "", "this quote is never closed")
	case e.Stage == yaml.ComposerStage:
		l.errorAt(at, "anchors are declared before they are used: &name", "%s", e.Message)
	case above > 0 && first != above && (began.line == 0 || strings.Contains(e.ContextMsg, "block")):
		l.errorAt(pos{at.line, first}, "lines of one mapping or list start in the same column",
			"this line starts in column %d and its neighbours in column %d", first, above)
	default:
		l.errorAt(at, "look here and just before for a bracket or quote left open, or indentation that differs",
			"this does not parse as YAML: %s", strings.TrimPrefix(e.ContextMsg+": "+e.Message, ": "))
	}
}

// known reports the first cause that a line shows; false: it shows none.
func (l *loader) known(line int) bool {
	text := l.lines[line-1]
	for _, c := range causes() {
		if m := c.FindStringSubmatchIndex(text); m != nil {
			l.errorAt(pos{line, utf8.RuneCountInString(text[:m[len(m)-2]]) + 1}, c.hint, "%s", c.msg)
			return true
		}
	}
	return false
}

// firstColumn is the column of the first character that is not a space.
func (l *loader) firstColumn(line int) int {
	s := l.lines[line-1]
	return len(s) - len(strings.TrimLeft(s, " ")) + 1
}

// above is the first column of the nearest line above that says something; 0: there is none.
func (l *loader) above(line int) int {
	for line--; line > 0; line-- {
		if text := strings.TrimSpace(l.lines[line-1]); text != "" && text[0] != '#' {
			return l.firstColumn(line)
		}
	}
	return 0
}
