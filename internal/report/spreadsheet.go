package report

import (
	"bytes"
	"encoding/csv"
	"regexp"
	"strconv"

	"bohier/internal/text"
)

// formula finds what a spreadsheet takes for the beginning of a formula: a sign at
// the beginning of a cell, or of what another separator makes a cell.
var formula = regexp.MustCompile(`(^|[;|\t\r\n])(\s*[=+\-@\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}])`)

// Spreadsheet makes CSV safe to open in a spreadsheet: in cells that are no numbers
// an apostrophe before what would be a formula, and everything Visible. It is for
// people: such cells no longer are what they were.
func Spreadsheet(table []byte) ([]byte, error) {
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	for _, row := range rows {
		for c, cell := range row {
			if _, err := strconv.ParseFloat(cell, 64); err != nil {
				row[c] = text.Visible(formula.ReplaceAllString(cell, "$1'$2"))
			}
		}
		if err := w.Write(row); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}
