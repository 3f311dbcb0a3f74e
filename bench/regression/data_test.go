package regression

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Rows in the form of the four files, made up.
var samples = map[string]string{
	"servo": "E,E,5,4, 0.25\nB,D,6,5, 0.5\nD,E,4,3, 0.75\n",
	"meta": "Set_b,690,690,14,2,4,0,1.2623,0.1024,0.7713,?,1,?,1.9,12.5,0.9,2.3,0.1,8.7,19.3,Ac2,3.893\n" +
		"Set_a,690,345,14,2,4,1,1.2623,0.1024,0.7713,?,1,?,1.9,12.5,0.9,2.3,0.1,8.7,19.3,C4.5,1.5\n" +
		"Set_c,690,690,14,2,?,0,1.2623,0.1024,0.7713,?,1,?,1.9,12.5,0.9,2.3,0.1,8.7,19.3,Ac2,5.45\n",
	"optical": "Node Number;Thread Number;Spatial Distribution;Temporal Distribution;T/R;Utilization ;W;I;N;C;;;;;\r\n" +
		"64;4;UN;Client-Server;0,1;0,839546;1,9;308,4;700,5;0,3;;;;;\r\n" +
		"16;10;PS;Asynchronous;0,9;0,564482;1,9;308,4;700,5;0,3;;;;;\r\n",
	"nn": "# a comment\nrow,depth,bin,in_a,in_b,in_c,a1,a2,a3,a4,a5,b1,b2,b3,b4,b5,c1,c2,c3,c4,c5,d1,d2,d3,d4,d5,error\n" +
		"0,0,0.16,0.5,0.25,1" + strings.Repeat(",", 20) + ",0.2\n" +
		"1,2,0.5,0.1,0.2,0.3,0,0.6,,,,0.7,0.8,,,,0.9,1,,,,0.1,0.2,,,,0.02\n",
}

func parse(t *testing.T, name string) *Data {
	t.Helper()
	d, err := formats[name].parse(strings.NewReader(samples[name]))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

func TestParse(t *testing.T) {
	d := parse(t, "servo")
	if !slices.Equal(d.Y, []float64{0.25, 0.5, 0.75}) || d.Coords[0].Levels != 3 || d.Coords[1].Levels != 2 {
		t.Errorf("servo: %v %v", d.Y, d.Coords)
	}
	if got := d.X.Col(0); !slices.Equal(got, []float64{2, 0, 1}) { // E B D in sorted order
		t.Errorf("servo: names became %v", got)
	}
	if got := d.X.Col(2); !slices.Equal(got, []float64{0.5, 1, 0}) { // 5 6 4 by their range
		t.Errorf("servo: numbers became %v", got)
	}

	d = parse(t, "meta") // the third row has an unknown value; columns 11 and 13 do not count
	if len(d.Y) != 2 || len(d.Coords) != 19 {
		t.Errorf("meta: %d rows of %d coordinates", len(d.Y), len(d.Coords))
	}
	names := 0
	for _, c := range d.Coords {
		if c.Levels > 0 {
			names++
		}
	}
	if names != 3 || d.X.At(0, 0) != 1 || d.X.At(2, 1) != 0 || d.X.At(2, 0) != 1 {
		t.Errorf("meta: %d names, %v %v", names, d.X.Col(0), d.X.Col(2))
	}

	d = parse(t, "optical")
	if !slices.Equal(d.Y, []float64{0.839546, 0.564482}) || len(d.Coords) != 5 || d.Coords[4].Name != "T/R" {
		t.Errorf("optical: %v %v", d.Y, d.Coords)
	}

	d = parse(t, "nn")
	if len(d.Coords) != 24 || d.Coords[3].Conditional || !d.Coords[4].Conditional ||
		!slices.Equal(d.Y, []float64{0.2, 0.02}) {
		t.Fatalf("nn: %v %v", d.Y, d.Coords)
	}
	active := 0
	for c := range d.X.Dim() {
		if d.X.Active(c, 0) {
			active++
		}
		if d.X.Active(c, 1) {
			active += 100
		}
	}
	if active != 1204 { // depth and three inputs; with eight of two layers
		t.Errorf("nn: %d coordinates active", active)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "no rows",
		"E,E,5,4\n":              "wrong number of fields",
		"E,E,5,4,x\n":            `data row 1: "x" is not a number`,
		"E,E,5,4,1\nE,E,5,NaN,1": `data row 2: "NaN" is not a number`,
		"E,E,5,4,\n":             "the target has empty cells",
	} {
		_, err := formats["servo"].parse(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	_, err := Load(t.TempDir(), "meta")
	for _, want := range []string{"no file meta.data", "servo.data", "UCI", "hierarchical-kernels"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a missing file: %v, want %q", err, want)
		}
	}
}

func TestVariants(t *testing.T) {
	d := parse(t, "servo")
	half := d.variant("log half")
	if half.X.Len() != 2 || !slices.Equal(half.Y, []float64{math.Log(0.25), math.Log(0.75)}) {
		t.Errorf("log half: %d rows, %v", half.X.Len(), half.Y)
	}
	if raw := d.variant("raw"); !slices.Equal(raw.Y, d.Y) {
		t.Errorf("raw: %v", raw.Y)
	}
}

// The order numpy 2.4 gives: RandomState(7).shuffle(list(range(20))).
func TestShuffledIsNumpys(t *testing.T) {
	want := []int{1, 17, 2, 5, 11, 0, 18, 6, 13, 19, 10, 14, 8, 16, 9, 12, 7, 3, 4, 15}
	if got := shuffled(7, 20); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestFoldsCoverOnce(t *testing.T) {
	seen := make([]int, 23)
	for k := range 10 {
		train, test := fold(23, k, 10)
		if len(train)+len(test) != 23 || len(test) < 2 || len(test) > 3 || !slices.IsSorted(test) {
			t.Errorf("fold %d: %v, %v", k, train, test)
		}
		for _, i := range test {
			seen[i]++
		}
	}
	for i, n := range seen {
		if n != 1 {
			t.Errorf("row %d is tested %d times", i, n)
		}
	}
}

func TestDistinct(t *testing.T) {
	d, err := formats["servo"].parse(strings.NewReader("E,E,5,4,1\nE,E,5,4,2\nE,E,5,4,1\nB,E,5,4,1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := d.distinct([]int{2, 0, 1, 3}); !slices.Equal(got, []int{2, 1, 3}) {
		t.Errorf("kept %v", got)
	}
}
