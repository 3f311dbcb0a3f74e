package report

import (
	"bytes"
	"encoding/csv"
	"iter"
	"strings"

	"bohier/internal/text"
)

// A Table is rows of cells under a heading, for people.
type Table struct {
	Head  []string
	Rows  [][]string
	Right []bool // columns of numbers, by index: aligned on the decimal point; missing: flush left
}

// columns are what a table shows of each row.
type columns[T any] []struct {
	name  string
	right bool
	cell  func(row T) string
}

func (c *columns[T]) add(name string, right bool, cell func(T) string) {
	*c = append(*c, struct {
		name  string
		right bool
		cell  func(T) string
	}{name, right, cell})
}

// addNumber adds a column of exact numbers, or of texts; nil is an empty cell.
func (c *columns[T]) addNumber(name string, value func(T) any) {
	c.add(name, true, func(row T) string { return written(value(row), Number) })
}

// table has the columns of the rows.
func (c columns[T]) table(rows []T) (t Table) {
	for _, column := range c {
		t.Head, t.Right = append(t.Head, column.name), append(t.Right, column.right)
	}
	for _, row := range rows {
		t.Rows = append(t.Rows, c.cells(row, make([]string, 0, len(c))))
	}
	return t
}

// csv has the columns of the rows under a heading.
func (c columns[T]) csv(rows iter.Seq[T]) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	line := make([]string, 0, len(c))
	for _, column := range c {
		line = append(line, column.name)
	}
	_ = w.Write(line)
	for row := range rows {
		line = c.cells(row, line[:0])
		_ = w.Write(line)
	}
	w.Flush()
	return b.Bytes()
}

func (c columns[T]) cells(row T, to []string) []string {
	for _, column := range c {
		to = append(to, column.cell(row))
	}
	return to
}

// pointers are those to the elements of a list.
func pointers[T any](list []T) []*T {
	out := make([]*T, len(list))
	for k := range list {
		out[k] = &list[k]
	}
	return out
}

// Text sets the table in columns two blanks apart; text.Bold surrounds the heading
// when colour is on. Trailing blanks are not written. Cells are shown as by
// Visible, and take the columns that they have on a terminal.
func (t Table) Text(colour bool) []byte {
	head, rows := t.Head, make([][]string, len(t.Rows))
	for k := range rows {
		rows[k] = eachVisible(t.Rows[k])
	}
	head = eachVisible(head)
	for c := range head {
		if t.right(c) {
			alignPoint(rows, c)
		}
	}
	width := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for c, cell := range row {
			width[c] = max(width[c], text.Columns(cell))
		}
	}
	var b strings.Builder
	if colour {
		b.WriteString(text.Bold)
	}
	t.line(&b, head, width)
	if colour {
		b.WriteString(text.Normal)
	}
	b.WriteByte('\n')
	for _, row := range rows {
		t.line(&b, row, width)
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

func (t Table) line(b *strings.Builder, row []string, width []int) {
	blanks := 0
	for c, cell := range row {
		pad := width[c] - text.Columns(cell)
		if t.right(c) {
			blanks += pad
			pad = 0
			if whole := strings.TrimRight(cell, " "); whole != cell { // blanks behind the point
				pad, cell = text.Columns(cell)-text.Columns(whole), whole
			}
		}
		if cell != "" {
			b.WriteString(strings.Repeat(" ", blanks))
			b.WriteString(cell)
			blanks = 0
		}
		blanks += pad + 2
	}
}

func (t Table) right(c int) bool { return c < len(t.Right) && t.Right[c] }

// alignPoint pads the cells of column c on the right, so that flush right puts
// their decimal points below one another.
func alignPoint(rows [][]string, c int) {
	behind := func(cell string) int { return text.Columns(cell[pointOf(cell):]) }
	most := 0
	for _, row := range rows {
		if c < len(row) {
			most = max(most, behind(row[c]))
		}
	}
	for _, row := range rows {
		if c < len(row) && row[c] != "" {
			row[c] += strings.Repeat(" ", most-behind(row[c]))
		}
	}
}

// pointOf is where the decimals of a number begin: its point, else its exponent or
// what follows its digits.
func pointOf(cell string) int {
	for i, r := range cell {
		if (r < '0' || r > '9') && !(i == 0 && (r == '-' || r == '+')) {
			return i
		}
	}
	return len(cell)
}

func eachVisible(cells []string) []string {
	out := make([]string, len(cells))
	for c, cell := range cells {
		out[c] = text.Visible(cell)
	}
	return out
}
