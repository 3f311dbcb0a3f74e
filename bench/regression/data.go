package regression

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// Data are the rows of a data set as the surrogate sees them: numbers scaled to
// [0, 1] by their range, names as indices in sorted order, empty cells inactive.
type Data struct {
	Coords []kernels.Coord
	X      *points.Set
	Y      []float64
}

// A format says how a data file is written.
type format struct {
	file    string
	source  string // where the file is published
	comma   rune
	decimal string // what stands for the decimal point
	header  bool
	// columns has one letter for each column of the file: n a name, r a real number, y the target, - not used.
	columns string
}

// formats are the data sets by name. The columns of meta are those the authors of the FM paper kept: cancor2 and
// fract2, mostly unknown, are dropped, then every row with an unknown value.
var formats = map[string]format{
	"servo": {
		file: "servo.data", comma: ',', decimal: ".", columns: "nnrry",
		source: "UCI Machine Learning Repository, data set 87, Servo (doi 10.24432/C5Q30F)",
	},
	"meta": {
		file: "meta.data", comma: ',', decimal: ".", columns: "nrrrrrnrrr-r-rrrrrrrny",
		source: "UCI Machine Learning Repository, Meta-data (machine-learning-databases/meta-data)",
	},
	"optical": {
		file: "optical_interconnection_network.csv", comma: ';', decimal: ",", header: true,
		columns: "nrnnry---------",
		source:  "UCI Machine Learning Repository, data set 449, Optical Interconnection Network; OpenML 42365",
	},
	"nn": {
		file: "swersky_mnist_bo_951x24.csv", comma: ',', decimal: ".", header: true,
		columns: "-r-" + strings.Repeat("r", 23) + "y",
		source: "github.com/duvenaud/hierarchical-kernels, data/matlab/concatenated_nan.mat, as CSV:\n" +
			"      row number, layers (0 to 5), the original first column, 3 numbers of the input\n" +
			"      layer, 20 of the hidden layers (empty where inactive), validation error",
	},
}

// Load reads the named data set from its file in dir. The error says where a file that is missing can be had.
func Load(dir, name string) (*Data, error) {
	f := formats[name]
	in, err := os.Open(filepath.Join(dir, f.file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no file %s in %q\n%s", f.file, dir, Sources())
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	d, err := f.parse(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, f.file), err)
	}
	return d, nil
}

// Sources lists the data files and where they are published.
func Sources() string {
	var b strings.Builder
	b.WriteString("the studies read these files; DATA names their directory:\n")
	for _, name := range []string{"servo", "meta", "optical", "nn"} {
		fmt.Fprintf(&b, "  %s\n      %s\n", formats[name].file, formats[name].source)
	}
	return b.String()
}

// parse reads rows of the format. Rows with a "?" in a column that is used are left out.
func (f format) parse(in io.Reader) (*Data, error) {
	r := csv.NewReader(in)
	r.Comma, r.Comment, r.FieldsPerRecord, r.TrimLeadingSpace = f.comma, '#', len(f.columns), true
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	var names []string
	if f.header && len(rows) > 0 {
		names, rows = rows[0], rows[1:]
	}
	rows = slices.DeleteFunc(rows, func(row []string) bool {
		for c, kind := range f.columns {
			if kind != '-' && row[c] == "?" {
				return true
			}
		}
		return false
	})
	if len(rows) == 0 {
		return nil, errors.New("no rows")
	}
	d := &Data{}
	var columns [][]float64
	for c, kind := range f.columns {
		if kind == '-' {
			continue
		}
		name := fmt.Sprintf("x%d", c+1)
		if names != nil {
			name = names[c]
		}
		cells := make([]string, len(rows))
		for i, row := range rows {
			cells[i] = row[c]
		}
		if kind == 'n' {
			index, levels := indices(cells)
			d.Coords = append(d.Coords, kernels.Coord{Name: name, Levels: levels})
			columns = append(columns, index)
			continue
		}
		v, err := f.numbers(cells)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", name, err)
		}
		if kind == 'y' {
			d.Y = v
			if slices.ContainsFunc(v, math.IsNaN) {
				return nil, fmt.Errorf("column %s: the target has empty cells", name)
			}
			continue
		}
		d.Coords = append(d.Coords, kernels.Coord{Name: name, Conditional: slices.ContainsFunc(v, math.IsNaN)})
		columns = append(columns, unit(v))
	}
	d.X = points.New(len(rows), len(columns))
	for c, v := range columns {
		for i, u := range v {
			if math.IsNaN(u) {
				d.X.Set(c, i, 0.5, false)
				continue
			}
			d.X.Set(c, i, u, true)
		}
	}
	return d, nil
}

// numbers reads a column; an empty cell is NaN.
func (f format) numbers(cells []string) ([]float64, error) {
	out := make([]float64, len(cells))
	for i, s := range cells {
		if s == "" {
			out[i] = math.NaN()
			continue
		}
		v, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(s), f.decimal, ".", 1), 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return nil, fmt.Errorf("data row %d: %q is not a number", i+1, s)
		}
		out[i] = v
	}
	return out, nil
}

// indices numbers the names of a column in sorted order.
func indices(cells []string) (index []float64, levels int) {
	names := slices.Clone(cells)
	slices.Sort(names)
	names = slices.Compact(names)
	for _, s := range cells {
		i, _ := slices.BinarySearch(names, s)
		index = append(index, float64(i))
	}
	return index, len(names)
}

// unit scales a column to [0, 1] by its range; NaN stays.
func unit(v []float64) []float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, a := range v {
		if !math.IsNaN(a) {
			lo, hi = min(lo, a), max(hi, a)
		}
	}
	out := make([]float64, len(v))
	for i, a := range v {
		out[i] = a - lo
		if hi > lo {
			out[i] /= hi - lo
		}
	}
	return out
}
