package config

import (
	"strings"

	"bohier/internal/lazy"
)

var (
	opensBlock  = lazy.Regexp(`(?:^|\s)-$|:(?: +&\S+)?$`)                        // what follows is indented
	blockScalar = lazy.Regexp(`(?:^|[-:] +)[|>][-+0-9]*$`)                       // text follows
	startsEntry = lazy.Regexp(`^(?:- +)*(?:- *$|["']?[^\s"']+["']?:(?: |$)|- )`) // a key or a list entry
	dashes      = lazy.Regexp(`^(?:- +)+`)
)

// indentation looks for the first line, at or after a line, that starts in a
// column where nothing can start. The YAML library names the line where the
// surrounding mapping begins.
func (l *loader) indentation(line int) bool {
	var columns []int // where the open mappings and lists start
	opened, brackets, text := true, 0, -1
	for n := 1; n <= len(l.lines); n++ {
		s := strings.TrimRight(StripComment(l.lines[n-1]), " ")
		body := strings.TrimLeft(s, " ")
		column := len(s) - len(body)
		switch {
		case body == "" || body == "---":
			continue
		case text >= 0 && column > text: // inside a text block
			continue
		case brackets > 0:
			brackets += depthChange(body)
			continue
		}
		text = -1
		above := columns
		for len(columns) > 0 && columns[len(columns)-1] > column {
			columns = columns[:len(columns)-1]
		}
		top := -1
		if len(columns) > 0 {
			top = columns[len(columns)-1]
		}
		closes := len(columns) < len(above)
		isEntry := startsEntry().MatchString(body)
		if top < column {
			if (closes || !opened) && isEntry && n >= line {
				sibling := above[len(above)-1]
				l.errorAt(pos{n, column + 1}, "lines of one mapping or list start in the same column",
					"this line starts in column %d and its neighbours in column %d", column+1, sibling+1)
				return true
			}
			if opened {
				columns = append(columns, column)
			}
		}
		if d := dashes().FindString(body); d != "" && len(d) < len(body) { // - key: … begins a mapping behind the dash
			if in := column + len(d); startsEntry().MatchString(body[len(d):]) {
				columns = append(columns, in)
			}
		}
		opened = opensBlock().MatchString(body)
		if blockScalar().MatchString(body) {
			text = column
		}
		brackets = max(0, depthChange(body))
	}
	return false
}

// depthChange is how many brackets a line opens less those it closes.
func depthChange(s string) int {
	return strings.Count(s, "{") + strings.Count(s, "[") - strings.Count(s, "}") - strings.Count(s, "]")
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
