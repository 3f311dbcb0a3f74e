package report

import (
	"strings"
	"unicode/utf8"
)

// A Table is rows of cells under a heading, for people.
type Table struct {
	Head  []string
	Rows  [][]string
	Right []bool // columns set flush right, by index; missing: flush left
}

// Text sets the table in columns two blanks apart; bold surrounds the heading
// when colour is on. Trailing blanks are not written.
func (t Table) Text(colour bool) []byte {
	width := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		for c, cell := range row {
			width[c] = max(width[c], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	if colour {
		b.WriteString("\x1b[1m")
	}
	t.line(&b, t.Head, width)
	if colour {
		b.WriteString("\x1b[0m")
	}
	b.WriteByte('\n')
	for _, row := range t.Rows {
		t.line(&b, row, width)
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

func (t Table) line(b *strings.Builder, row []string, width []int) {
	blanks := 0
	for c, cell := range row {
		pad := width[c] - utf8.RuneCountInString(cell)
		if c < len(t.Right) && t.Right[c] {
			blanks += pad
			pad = 0
		}
		if cell != "" {
			b.WriteString(strings.Repeat(" ", blanks))
			b.WriteString(cell)
			blanks = 0
		}
		blanks += pad + 2
	}
}
