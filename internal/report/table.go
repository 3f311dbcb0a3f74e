package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"bohier/internal/lists"
	"bohier/internal/text"
)

// A Table is rows of cells under a heading, for people.
type Table struct {
	Head  []string
	Rows  [][]string
	Right []bool // columns of numbers, by index: aligned on the decimal point; missing: flush left
}

// TableOf is a table under titles; ">" is before those of numbers.
func TableOf(titles ...string) (t Table) {
	for _, title := range titles {
		name, right := strings.CutPrefix(title, ">")
		t.Head, t.Right = append(t.Head, name), append(t.Right, right)
	}
	return t
}

// Row adds a row of texts and numbers, which are rounded; nil is nothing.
func (t *Table) Row(cells ...any) {
	t.Rows = append(t.Rows, lists.Of(cells, func(cell any) string { return written(cell, Rounded) }))
}

// Column adds a column of such cells, by row.
func (t *Table) Column(name string, right bool, cell func(k int) any) {
	t.Head, t.Right = append(t.Head, name), append(t.Right, right)
	for k := range t.Rows {
		t.Rows[k] = append(t.Rows[k], written(cell(k), Rounded))
	}
}

// Drop takes a column away.
func (t *Table) Drop(c int) {
	t.Head = slices.Delete(slices.Clone(t.Head), c, c+1)
	t.Right = slices.Concat(t.Right[:min(c, len(t.Right))], t.Right[min(c+1, len(t.Right)):])
	for r := range t.Rows {
		t.Rows[r] = slices.Delete(t.Rows[r], c, c+1)
	}
}

// A spelled number has a way of its own to be written exactly.
type spelled struct {
	float64
	exact string
}

// written is the text of a column's value, or of a metric; nothing for nil. Numbers are written as
// number does, nil: exactly.
func written(v any, number func(float64) string) string {
	switch v := v.(type) {
	case spelled:
		if number == nil || !strings.ContainsAny(v.exact, ".e") {
			return v.exact
		}
		return number(v.float64)
	case float64:
		if number == nil {
			return Number(v)
		}
		return number(v)
	case *float64:
		if v != nil {
			return written(*v, number)
		}
	case int:
		return strconv.Itoa(v)
	case string:
		return v
	}
	return ""
}

// Text sets the table in columns two blanks apart; text.Bold surrounds the heading when colour is on. Trailing blanks
// are not written. Cells are shown as by Visible, and take the columns that they have on a terminal.
func (t Table) Text(colour bool) []byte {
	head := lists.Of(t.Head, text.Visible)
	rows := lists.Of(t.Rows, func(row []string) []string { return lists.Of(row, text.Visible) })
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

// alignPoint pads the cells of column c on the right, so that flush right puts their decimal points below one another.
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

// pointOf is where the decimals of a number begin: its point, else its exponent or the end of its digits.
func pointOf(cell string) int {
	for i, r := range cell {
		if (r < '0' || r > '9') && !(i == 0 && (r == '-' || r == '+')) {
			return i
		}
	}
	return len(cell)
}

// Number writes v so that it reads back as the same number: for programs.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Rounded writes v for people: integers below 1e15 in full, other numbers with
// six significant digits and never fewer than the digits before the point.
func Rounded(v float64) string {
	if size := math.Abs(v); size < 1e15 && (v == math.Trunc(v) || size >= 1e5) {
		return strconv.FormatFloat(math.Round(v)+0, 'f', 0, 64) // + 0: no −0
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// Brief writes v for sentences: three significant digits, or all of an integer's.
func Brief(v float64) string {
	switch {
	case math.IsInf(v, 0) || math.IsNaN(v):
		return "none"
	case math.Abs(v) >= 1000 && math.Abs(v) < 1e15:
		return strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// PlusMinus writes a mean with its standard deviation, "0.012 ± 0.021": two
// significant digits of the deviation, and as many decimals of the mean.
func PlusMinus(mean, std float64) string {
	if !(std > 0) || math.IsInf(std, 0) || math.IsNaN(mean) || math.IsInf(mean, 0) {
		return Rounded(mean) + " ± " + Brief(std)
	}
	place := int(math.Floor(math.Log10(std))) - 1 // of the deviation's second digit
	if rounded := math.Round(std / math.Pow(10, float64(place))); rounded >= 100 {
		place++
	}
	if place < -8 || place > 8 || math.Abs(mean) >= 1e9 || mean != 0 && math.Log10(math.Abs(mean)) < -5 {
		return Rounded(mean) + " ± " + strconv.FormatFloat(std, 'g', 2, 64)
	}
	unit := math.Pow(10, float64(place))
	fixed := func(v float64) string {
		if place > 0 {
			v = math.Round(v/unit) * unit
		}
		out := strconv.FormatFloat(v, 'f', max(-place, 0), 64)
		if strings.Trim(out, "-0.") == "" {
			return strings.TrimPrefix(out, "-")
		}
		return out
	}
	return fixed(mean) + " ± " + fixed(std)
}

// Percent writes a share for people.
func Percent(share float64) string {
	if share > 0 && share <= 0.005 {
		return "< 1 %"
	}
	return strconv.FormatFloat(100*share, 'f', 0, 64) + " %"
}

// Seconds writes a time in seconds for people: "0.0123 s", "12.3 s", "1h2m3s".
func Seconds(v float64) string {
	if v < 60 {
		return strconv.FormatFloat(v, 'g', 3, 64) + " s"
	}
	return time.Duration(v * float64(time.Second)).Round(time.Second).String()
}
