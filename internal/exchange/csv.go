package exchange

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"bohier/internal/lazy"
	"bohier/internal/space"
	"bohier/internal/study"
)

var (
	separatorLine = lazy.Regexp(`^"?sep=(.)"?\r?\n`)
	decimalComma  = lazy.Regexp(`^[-+]?[0-9]+,[0-9]+([eE][-+]?[0-9]+)?$`)
	decimalPoint  = lazy.Regexp(`^[-+]?[0-9]+\.[0-9]+([eE][-+]?[0-9]+)?$`)
	thousands     = lazy.Regexp(`^[-+]?[1-9][0-9]{0,2}[.,][0-9]{3}$`)
	noColumn      = []string{"", "Unnamed: 0", "Index"}
)

// ReadTable reads CSV as programs and spreadsheets write it: separated by commas, semicolons or tabs, perhaps
// with decimal commas, an index column and blank lines. It calls heading with the names of the columns, and the
// function that this returns with the line and the cells of each row. It returns the line that an error, perhaps of
// these, is about.
func ReadTable(data []byte, heading func(names []string) (func(line int, cells []string) error, error)) (int, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !bytes.Contains(data, []byte("\n")) { // as old spreadsheets end lines
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	separator := separatorOf(data)
	if m := separatorLine().FindSubmatch(data); m != nil {
		separator, data = rune(m[1][0]), data[len(m[0])-1:] // lines keep their numbers
	}
	r := newReader(data, separator)
	first, err := r.Read()
	if errors.Is(err, io.EOF) {
		err = errors.New("the table is empty")
	}
	if err != nil {
		return 1, err
	}
	line, _ := r.FieldPos(0)
	var names []string // of columns that have one
	var columns []int
	for i, name := range first {
		if name = space.Name(strings.TrimSpace(name)); !slices.Contains(noColumn, name) {
			names, columns = append(names, name), append(columns, i)
		}
	}
	row, err := heading(names)
	if err != nil {
		return line, err
	}
	commas, points, doubtful, doubted := false, false, "", 0 // the first number that may be of thousands, and its line
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return 0, nil
		} else if fault, ok := errors.AsType[*csv.ParseError](err); ok {
			return fault.Line, fault.Err // there may be no field whose place is known
		}
		line, _ = r.FieldPos(0)
		switch {
		case !slices.ContainsFunc(record, func(cell string) bool { return strings.TrimSpace(cell) != "" }):
			continue
		case len(record) != len(first):
			return line, fmt.Errorf("the row has %s, and the heading %d", study.Count(len(record), "cell"), len(first))
		}
		var cells []string
		for _, i := range columns {
			cell := record[i]
			if number := strings.TrimSpace(cell); separator != ',' {
				if thousands().MatchString(number) && doubtful == "" {
					doubtful, doubted = number, line
				}
				points = points || decimalPoint().MatchString(number)
				if decimalComma().MatchString(number) {
					cell, commas = strings.Replace(cell, ",", ".", 1), true
				}
			}
			cells = append(cells, cell)
		}
		if commas && points && doubtful != "" {
			return doubted, fmt.Errorf("%s may be of thousands: the table has decimal points and decimal commas", doubtful)
		}
		if err := row(line, cells); err != nil {
			return line, err
		}
	}
}

// separatorOf is the separator that cuts the heading into most cells.
func separatorOf(data []byte) rune {
	head, _, _ := bytes.Cut(data, []byte("\n"))
	cells := func(separator rune) int {
		cells, _ := newReader(head, separator).Read()
		return len(cells)
	}
	return slices.MaxFunc([]rune(",;\t"), func(a, b rune) int { return cells(a) - cells(b) })
}

func newReader(data []byte, separator rune) *csv.Reader {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.TrimLeadingSpace, r.FieldsPerRecord = separator, separator != '\t', -1
	return r
}

// IsMissing reports whether a cell is a word for a value that is missing, as R, pandas,
// Python and spreadsheets write it.
func IsMissing(cell string) bool {
	return slices.Contains([]string{"", "NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "None", "null", "NULL", "-"}, cell)
}
