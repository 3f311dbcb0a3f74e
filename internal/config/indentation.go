package config

import (
	"errors"
	"io"
	"sort"
	"strings"

	"gopkg.in/yaml.v3"
)

// indentation looks for a line that starts in a column where nothing can start: the first one
// with which the file up to there does not parse. The YAML library names the line where the
// surrounding mapping begins.
func (l *loader) indentation() bool {
	n := sort.Search(len(l.lines), func(n int) bool {
		var err error
		for d := yaml.NewDecoder(strings.NewReader(strings.Join(l.lines[:n+1], "\n"))); err == nil; {
			err = d.Decode(new(yaml.Node))
		}
		open := strings.Contains(err.Error(), "',' or") || strings.Contains(err.Error(), "end of stream")
		return !errors.Is(err, io.EOF) && !open
	})
	above := n - 1
	for above >= 0 && strings.TrimSpace(StripComment(l.lines[above])) == "" {
		above--
	}
	if n == len(l.lines) || above < 0 || l.firstColumn(n+1) == l.firstColumn(above+1) {
		return false
	}
	l.errorAt(pos{n + 1, l.firstColumn(n + 1)}, "lines of one mapping or list start in the same column",
		"this line starts in column %d and its neighbours in column %d", l.firstColumn(n+1), l.firstColumn(above+1))
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
