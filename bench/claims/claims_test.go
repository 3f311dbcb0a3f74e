package claims

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

// A verdict follows the judge where there is evidence, and only there.
func TestTable(t *testing.T) {
	below := func(limit float64) func(float64) (bool, string) {
		return func(measured float64) (bool, string) { return measured < limit, fmt.Sprintf("%.1f", measured) }
	}
	list := []Claim[float64]{
		{Says: "it is below 3", Rule: "measured < 3", Judge: below(3)},
		{Says: "it is below 1", Rule: "measured < 1", Judge: below(1)},
	}
	const head = "### A & B: the paper's claims\n\n| | claim | judged by | figure | verdict |\n|---|---|---|---|---|\n"
	for _, c := range []struct {
		measured float64
		enough   bool
		want     [2]string
	}{
		{2, true, [2]string{"2.0 | **confirmed**", "2.0 | refuted"}},
		{2, false, [2]string{"2.0 | too few results", "2.0 | too few results"}},
		// No comparison with a NaN is true: that refutes nothing.
		{math.NaN(), true, [2]string{"NaN | too few results", "NaN | too few results"}},
	} {
		var b strings.Builder
		if err := Table(&b, "A & B", "F", list, c.measured, c.enough); err != nil {
			t.Fatal(err)
		}
		want := head + "| F1 | it is below 3 | measured < 3 | " + c.want[0] + " |\n| F2 | it is below 1 | measured < 1 | " +
			c.want[1] + " |\n"
		if b.String() != want {
			t.Errorf("of %v, enough %t:\n%s\nwant\n%s", c.measured, c.enough, b.String(), want)
		}
	}
}

// Where the paper has a figure for a claim, there is a column of them.
func TestPublished(t *testing.T) {
	judge := func(int) (bool, string) { return true, "1.2" }
	list := []Claim[int]{{Says: "x", Rule: "y", Published: "1.3", Judge: judge}, {Says: "v", Rule: "w", Judge: judge}}
	var b strings.Builder
	if err := Table(&b, "A", "", list, 0, true); err != nil {
		t.Fatal(err)
	}
	const want = "| | claim | judged by | figure | published | verdict |\n|---|---|---|---|---|---|\n" +
		"| 1 | x | y | 1.2 | 1.3 | **confirmed** |\n| 2 | v | w | 1.2 |  | **confirmed** |\n"
	if !strings.HasSuffix(b.String(), want) {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

// full is a disk without room after so many writes.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f--; *f < 0 {
		return 0, errors.New("no room")
	}
	return len(p), nil
}

func TestTableThatCannotBeWritten(t *testing.T) {
	list := []Claim[int]{{Says: "x", Rule: "y", Judge: func(int) (bool, string) { return true, "1" }}}
	for room := full(0); room < 2; room++ {
		f := room
		if err := Table(&f, "A", "", list, 0, true); err == nil {
			t.Errorf("no error after %d writes", room)
		}
	}
}
