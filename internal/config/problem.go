package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"bohier/internal/lazy"
	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A Problem is a located mistake in a study file, or a lint.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"` // from 1; 0: the file as a whole
	Column  int    `json:"column"`
	Message string `json:"message"` // the fault
	Hint    string `json:"hint"`    // an imperative; may be empty
	Snippet string `json:"-"`       // the source line and a caret below it; may be empty
	Cause   error  `json:"-"`       // which Message includes; may be nil
}

// String is the place and the message, in one line.
func (p Problem) String() string {
	if p.Line < 1 {
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Format lays a problem out for people: place, severity ("error" or
// "warning") and message, then the snippet and the hint.
func (p Problem) Format(severity string) string {
	snippet, hint := p.Snippet, p.Hint
	if snippet != "" {
		snippet += "\n"
	}
	if hint != "" {
		hint = "   " + hint + "\n"
	}
	p.Message = severity + ": " + p.Message
	return p.String() + "\n" + snippet + hint
}

// Diagnostics are the lines of a file and the problems found in them.
type diagnostics struct {
	file        string
	lines       []string
	chars       [][]rune // of the lines; nil: nobody asked yet
	errs, warns []Problem
}

// runes is a line's characters.
func (diag *diagnostics) runes(line int) []rune {
	if diag.chars == nil {
		diag.chars = lists.Of(diag.lines, func(text string) []rune { return []rune(text) })
	}
	if line < 1 || line > len(diag.chars) {
		return nil
	}
	return diag.chars[line-1]
}

// problem is one at a node; nil stands for the file as a whole.
func (diag *diagnostics) problem(n *yaml.Node, hint, format string, args []any) Problem {
	p := Problem{File: diag.file, Message: fmt.Sprintf(format, args...), Hint: hint}
	if n != nil {
		p.Line, p.Column = n.Line, n.Column
	}
	return p
}

func (diag *diagnostics) errorf(n *yaml.Node, hint, format string, args ...any) {
	diag.errs = append(diag.errs, diag.problem(n, hint, format, args))
}

func (diag *diagnostics) warnf(n *yaml.Node, hint, format string, args ...any) {
	diag.warns = append(diag.warns, diag.problem(n, hint, format, args))
}

// place is a node for messages about a line and a column, both from 1.
func place(line, column int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Line: line, Column: column}
}

// A Report is everything found in one file, each list sorted by place.
type Report struct {
	Errors   []Problem
	Warnings []Problem

	loader *loader // which knows the places of the constraints on inputs
}

// Unsatisfiable is the report with the result of sampling for constraints that no configuration
// satisfies, at the first of them.
func (r Report) Unsatisfiable(err *space.InfeasibleError) Report {
	l := r.loader
	all := slices.Concat(l.forbidden, l.require)
	involved := lists.Of(err.Involved, func(n int) clause { return all[n] })
	if len(involved) == 0 { // some satisfy all, too few to be found
		involved = all
	}
	places := tidy(lists.Of(involved, func(k clause) Problem {
		return Problem{File: l.file, Line: k.at.Line, Column: k.at.Column}
	}))
	p := places[0]
	p.Snippet = l.snippet(p.Line, p.Column)
	lines := slices.Compact(lists.Of(places, func(q Problem) string { return strconv.Itoa(q.Line) }))
	if p.Message, p.Hint = err.Error(), "loosen or remove it"; len(involved) > 1 {
		p.Hint = "loosen or remove one; by line: " + space.Listed(lines)
	}
	if err.Curved {
		p.Hint = "only sums and ratios are met exactly: give the parameters steps, compute one of " +
			"them in the command, or write two bounds, such as x * y >= 0.99 and x * y <= 1.01"
	}
	r.Errors = append(slices.Clone(r.Errors), p)
	return r
}

// Err is nil when there are no errors, else Invalid.
func (r Report) Err() error {
	if len(r.Errors) == 0 {
		return nil
	}
	return Invalid{r}
}

// Invalid is a file with mistakes, an error of code Usage whose message holds them all with their places, and the
// warnings, which may report why.
type Invalid struct{ Report }

func (i Invalid) Error() string { return strings.TrimSuffix(strings.Join(i.texts(), "\n"), "\n") }

// Unwrap is the error with its code.
func (i Invalid) Unwrap() error {
	causes := lists.Of(i.Errors, func(p Problem) error { return p.Cause })
	return &study.Error{Code: study.Usage, Msg: i.Error(), Err: errors.Join(causes...)}
}

// texts are every error, then every warning, as people read them.
func (r Report) texts() []string {
	return append(lists.Of(r.Errors, func(p Problem) string { return p.Format("error") }),
		lists.Of(r.Warnings, func(p Problem) string { return p.Format("warning") })...)
}

// String is the report as one text.
func (r Report) String() string { return strings.Join(r.texts(), "") }

// tidy sorts by place and keeps one problem a place, the first found there, and all that concern the file as a whole.
func tidy(ps []Problem) []Problem {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column)
	})
	return slices.CompactFunc(ps, func(a, b Problem) bool {
		return a.File == b.File && a.Line == b.Line && a.Column == b.Column && (a.Line > 0 || a.Message == b.Message)
	})
}

// secret is a URL with a password in it, which is not repeated.
var secret = lazy.Regexp(`://[^\s/]*:[^\s]*@|[?&]password=`)

// snippetWidth is the longest source line shown whole, in characters.
const snippetWidth = 120

// snippet is the source line at a place with a caret under the column. Long lines are cut to a window around it.
func (diag *diagnostics) snippet(line, column int) string {
	if line < 1 || line > len(diag.lines) {
		return ""
	}
	text := diag.runes(line)
	if secret().MatchString(diag.lines[line-1]) {
		return ""
	}
	col := min(max(column, 1), len(text)+1) - 1
	head, tail := "", ""
	if len(text) > snippetWidth {
		lo := max(0, min(col-snippetWidth/2, len(text)-snippetWidth))
		hi := min(len(text), lo+snippetWidth)
		if lo > 0 {
			head = "… "
		}
		if hi < len(text) {
			tail = " …"
		}
		text, col = text[lo:hi], col-lo
	}
	shown := func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' { // which must not reach a terminal
			return '·'
		}
		return r
	}
	blank := func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}
	prefix := fmt.Sprintf("%5d | %s", line, head)
	return prefix + strings.Map(shown, string(text)) + tail + "\n" + strings.Map(blank, prefix+string(text[:col])) + "^"
}
