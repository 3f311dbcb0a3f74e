package report_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bohier/internal/report"
	_ "bohier/internal/seeded"
)

func TestRounded(t *testing.T) {
	for v, want := range map[float64]string{
		0:                    "0",
		math.Copysign(0, -1): "0",
		1000788:              "1000788",
		999964:               "999964",
		-123456789012:        "-123456789012",
		1e15:                 "1e+15",
		0.15226612345678901:  "0.152266",
		1234.56789:           "1234.57",
		999999.9:             "1000000",
		1234567.89:           "1234568",
		-0.1:                 "-0.1",
		1.23456789e-7:        "1.23457e-07",
		0.30000000000000004:  "0.3",
		math.Inf(1):          "+Inf",
		123456.4:             "123456",
	} {
		if got := report.Rounded(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}

// Whatever the number, its rounded form is within half a unit of the sixth digit, and an integer below 2⁵³ is itself.
func TestRoundedIsClose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		got, err := strconv.ParseFloat(report.Rounded(v), 64)
		if err != nil || math.Abs(got-v) > 5.1e-6*math.Abs(v) {
			t.Fatalf("%v becomes %q", v, report.Rounded(v))
		}
		n := float64(rapid.Int64Range(-1e15+1, 1e15-1).Draw(t, "n"))
		if report.Rounded(n) != strconv.FormatFloat(n, 'f', -1, 64) {
			t.Fatalf("the integer %v becomes %q", n, report.Rounded(n))
		}
	})
}

func TestPlusMinus(t *testing.T) {
	for _, c := range []struct {
		mean, std float64
		want      string
	}{
		{0.0123456, 0.0211, "0.012 ± 0.021"},
		{0.14, 0.05, "0.140 ± 0.050"},
		{-0.0001, 0.021, "0.000 ± 0.021"},
		{1000788.4, 123.4, "1000790 ± 120"},
		{12.345, 0.0999, "12.35 ± 0.10"},
		{-3, 1.26, "-3.0 ± 1.3"},
		{5e-7, 2e-9, "5e-07 ± 2e-09"},
		{0.5, 0, "0.5 ± 0"},
		{0, 0.5, "0.00 ± 0.50"},
	} {
		if got := report.PlusMinus(c.mean, c.std); got != c.want {
			t.Errorf("%v, %v: %q, want %q", c.mean, c.std, got, c.want)
		}
	}
}

// Decimal points stand below one another, counted in columns of a terminal, which
// wide characters take two of and combining ones none.
func TestTableAligns(t *testing.T) {
	table := report.Table{
		Head:  []string{"name", "value", "end"},
		Right: []bool{false, true, true},
		Rows: [][]string{
			{"a", "1000788", "1"},
			{"日本", "0.25", "22"},
			{"e\u0301", "-12.5", ""},
			{"x", "", "3"},
			{"y", "1.5e-07", "4 %"},
		},
	}
	want := `name          value   end
a     1000788         1
日本        0.25     22
é         -12.5
x                     3
y           1.5e-07   4 %
`
	got := string(table.Text(false))
	if strings.ReplaceAll(got, "e\u0301", "é") != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A small share is no 0 %.
func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{0: "0 %", 0.004: "< 1 %", 0.005: "< 1 %", 0.006: "1 %", 0.996: "100 %"} {
		if got := report.Percent(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
}
