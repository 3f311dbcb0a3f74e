package config

import (
	_ "embed"
	"errors"
	"io"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"bohier/internal/lazy"
)

var (
	yamlLine  = lazy.Regexp(`^yaml: (?:line (\d+): )?`)
	openQuote = lazy.Regexp(`(?:: +|[,{\[-] *)("[^"]*|'[^']*)$`)
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

// syntaxError reports an error of the YAML library. Its lines are off by one at times and it gives no columns, so the
// causes people meet are looked for around the line it names.
func (diag *diagnostics) syntaxError(err error) {
	msg := err.Error()
	line := 1
	if m := yamlLine().FindStringSubmatch(msg); m != nil {
		msg = msg[len(m[0]):]
		if m[1] != "" {
			line, _ = strconv.Atoi(m[1])
		}
	}
	line = min(max(line, 1), len(diag.lines))
	if strings.Contains(msg, "unknown anchor") {
		diag.errorf(diag.find(line, strings.Trim(strings.Fields(msg)[2], "'")),
			"anchors are declared before they are used: &name", "%s", msg)
		return
	}
	if strings.Contains(msg, "exceeded max depth") {
		diag.errorf(place(line, 1), "", "nested deeper than %d levels", maxDepth)
		return
	}
	control := func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\r\u0085", r) }
	for n, text := range diag.lines {
		at := strings.IndexFunc(text, control)
		if at >= 0 && strings.Contains(msg, "control characters") { // of no line
			diag.errorf(diag.byteOf(n+1, at), `remove it, or write it as \xNN in double quotes`,
				"this control character, %U, is not allowed", []rune(text[at:])[0])
			return
		}
	}
	for _, c := range causes() {
		for _, n := range []int{line, line - 1, line + 1} {
			if n < 1 || n > len(diag.lines) {
				continue
			}
			if m := c.FindStringSubmatchIndex(diag.lines[n-1]); m != nil {
				diag.errorf(diag.byteOf(n, m[2]), c.hint, "%s", c.msg)
				return
			}
		}
	}
	if strings.Contains(msg, "unexpected end of stream") {
		for n, text := range diag.lines {
			if m := openQuote().FindStringSubmatchIndex(text); m != nil {
				diag.errorf(diag.byteOf(n+1, m[2]), "", "this quote is never closed")
				return
			}
		}
	}
	if _, closing, flow := strings.Cut(msg, "',' or '"); flow {
		diag.unclosed(min(line+1, len(diag.lines)), closing[0]) // the library counts from 0 here
		return
	}
	if diag.indentation() {
		return
	}
	diag.errorf(place(line, diag.firstColumn(line)),
		"the mistake is on this line or just before it: look for a bracket or quote left open, or indentation that differs",
		"this does not parse as YAML: %s", msg)
}

// byteOf is the place of a byte of a line.
func (diag *diagnostics) byteOf(line, offset int) *yaml.Node {
	return place(line, utf8.RuneCountInString(diag.lines[line-1][:offset])+1)
}

// unclosed reports the last bracket that opens up to a line and is not closed there.
func (diag *diagnostics) unclosed(line int, closing byte) {
	opening, closed := closing-2, 0 // as ASCII has them
	for n := line; n > 0; n-- {
		text := diag.lines[n-1]
		for i := len(text) - 1; i >= 0; i-- {
			switch {
			case text[i] == closing:
				closed++
			case text[i] == opening && closed > 0:
				closed--
			case text[i] == opening:
				diag.errorf(diag.byteOf(n, i), "or a comma is missing after it", "%q is not closed", string(opening))
				return
			}
		}
	}
	diag.errorf(place(line, 1), "", "this does not parse as YAML: a comma or %q is missing", string(closing))
}

// find is the first place of a text at or after a line.
func (diag *diagnostics) find(line int, text string) *yaml.Node {
	for n := line; n <= len(diag.lines); n++ {
		if i := strings.Index(diag.lines[n-1], text); i >= 0 {
			return diag.byteOf(n, i)
		}
	}
	return place(line, 1)
}

// firstColumn is the column of the first character that is not a space.
func (diag *diagnostics) firstColumn(line int) int {
	s := diag.lines[line-1]
	return len(s) - len(strings.TrimLeft(s, " ")) + 1
}

// indentation looks for a line that starts in a column where nothing can start: the first one with which the file up to
// there does not parse. The YAML library names the line where the surrounding mapping begins.
func (diag *diagnostics) indentation() bool {
	n := sort.Search(len(diag.lines), func(n int) bool {
		var err error
		for d := yaml.NewDecoder(strings.NewReader(strings.Join(diag.lines[:n+1], "\n"))); err == nil; {
			err = d.Decode(new(yaml.Node))
		}
		open := strings.Contains(err.Error(), "',' or") || strings.Contains(err.Error(), "end of stream")
		return !errors.Is(err, io.EOF) && !open
	})
	above := n - 1
	for above >= 0 && strings.TrimSpace(StripComment(diag.lines[above])) == "" {
		above--
	}
	if n == len(diag.lines) || above < 0 || diag.firstColumn(n+1) == diag.firstColumn(above+1) {
		return false
	}
	diag.errorf(place(n+1, diag.firstColumn(n+1)), "lines of one mapping or list start in the same column",
		"this line starts in column %d and its neighbours in column %d", diag.firstColumn(n+1), diag.firstColumn(above+1))
	return true
}

// StripComment cuts a line at a # outside quotes.
func StripComment(line string) string {
	var quote rune
	for i, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == '#':
			return line[:i]
		}
	}
	return line
}
