package problems

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// oracle is one problem of testdata/oracles, from an independent implementation.
type oracle struct {
	Params []map[string]any
	Budget int
	FOpt   float64        `json:"f_opt"`
	XOpt   map[string]any `json:"x_opt"`
	Values []struct {
		X map[string]any
		F float64
	}
}

func readOracles(t *testing.T, name string) map[string]oracle {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "oracles", name))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Problems map[string]oracle }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Problems) == 0 {
		t.Fatalf("%s holds no problem", name)
	}
	return file.Problems
}

// near compares to twelve digits: both sides are sums of a few dozen terms in double precision, in different orders.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(1, math.Abs(b)) }

func TestValues(t *testing.T) {
	checks := 0
	for name, o := range readOracles(t, "problems.json") {
		p, err := Get(name)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, row := range o.Values {
			v, err := p.Eval(row.X)
			if err != nil {
				t.Error(err)
			} else if !near(v, row.F) {
				t.Errorf("%s(%v) = %v, want %v", name, row.X, v, row.F)
			}
			checks++
		}
	}
	if checks != 290 {
		t.Fatalf("%d values compared, want ten for each of 29 problems", checks)
	}
}

// TestSpaces compares every space with the specification, through JSON. Choices
// are texts here and may be numbers there.
func TestSpaces(t *testing.T) {
	checks := 0
	for name, o := range readOracles(t, "problems.json") {
		p, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var got oracle
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(asText(o.Params), asText(got.Params)); diff != "" {
			t.Errorf("%s: space (-want +got):\n%s", name, diff)
		}
		if o.Budget != p.Budget || !near(p.Optimum.Value, o.FOpt) {
			t.Errorf("%s: budget %d, optimum %v; want %d, %v", name, p.Budget, p.Optimum.Value, o.Budget, o.FOpt)
		}
		checks++
	}
	if checks != 29 {
		t.Fatalf("%d spaces compared", checks)
	}
}

// asText prints values, lists element by element and without nulls.
func asText(params []map[string]any) []map[string]string {
	out := make([]map[string]string, len(params))
	for i, p := range params {
		out[i] = map[string]string{}
		for k, v := range p {
			if v != nil && (k != "log" || v != false) {
				out[i][k] = fmt.Sprint(v)
			}
		}
	}
	return out
}

// TestOptima evaluates the configurations on record. The penalized and the
// verified optima were rounded when they were published, hence the tolerance.
func TestOptima(t *testing.T) {
	checks := 0
	for _, name := range Names() {
		p, _ := Get(name)
		if p.Tagged("data") {
			continue
		}
		v, err := p.Eval(p.Optimum.At)
		if err != nil {
			t.Error(err)
			continue
		}
		if !(math.Abs(v-p.Optimum.Value) <= 1e-6*math.Max(1, math.Abs(p.Optimum.Value))) {
			t.Errorf("%s: value %v at the optimum, want %v", name, v, p.Optimum.Value)
		}
		checks++
	}
	if checks < 70 {
		t.Fatalf("%d optima evaluated", checks)
	}
}

// TestZaefferer checks the published situations: A and B (d < c) and C (b = 0)
// have minimum 0, and there are 10, 10, 10, 3 and 7 of A, B, C, D and E.
func TestZaefferer(t *testing.T) {
	var situation [5]int
	for _, b := range []float64{0, 0.1} {
		for _, c := range []float64{.2, .4, .6, .8} {
			for _, d := range []float64{.1, .3, .5, .7, .9} {
				p, err := Get(ZaeffererName(b, c, d))
				if err != nil {
					t.Fatal(err)
				}
				f := p.Optimum.Value
				switch {
				case d < c && b == 0:
					situation[0]++
				case d < c:
					situation[1]++
				case b == 0:
					situation[2]++
				case b < sq(c-d):
					situation[3]++
					if f != b {
						t.Errorf("%s: minimum %v, want %v", p.Name, f, b)
					}
				default:
					situation[4]++
					if !near(f, sq(c-d)) || f == 0 {
						t.Errorf("%s: minimum %v, want %v", p.Name, f, sq(c-d))
					}
				}
				if (d < c || b == 0) && f != 0 {
					t.Errorf("%s: minimum %v, want 0", p.Name, f)
				}
			}
		}
	}
	if situation != [5]int{10, 10, 10, 3, 7} {
		t.Errorf("situations A … E: %v", situation)
	}
}

func TestBadConfigurations(t *testing.T) {
	for _, c := range []struct {
		problem string
		x       map[string]any
		want    string
	}{
		{"func2c", at{"h1": "1", "h2": "1", "x1": 0.1}, "x2 is active but has no value"},
		{"func2c", at{"h1": "7", "h2": "1", "x1": 0.1, "x2": 0.0}, `h1: "7" is not one of 0, 1, 2`},
		{"func2c", at{"h1": "1", "h2": "1", "x1": 1.1, "x2": 0.0}, "x1: 1.1 is outside -1 … 1"},
		{"func2c", at{"h1": "1", "h2": "1", "x1": math.NaN(), "x2": 0.0}, "outside"},
		{"func2c", at{"h1": "1", "h2": "1", "x1": "a", "x2": 0.0}, "is not a number"},
		{"func2c", at{"h1": "1", "h2": "1", "x1": 0.1, "x2": 0.0, "x3": 1}, `there is no parameter "x3"`},
		{"pressure_vessel", at{"t1": 1.5, "t2": 1, "r": 20, "l": 20}, "t1: 1.5 is not an integer"},
	} {
		p, err := Get(c.problem)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Eval(c.x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s(%v): error %v, want %q", c.problem, c.x, err, c.want)
		}
	}
	if _, err := Get("zaefferer_X"); err == nil || !strings.Contains(err.Error(), "zaefferer_A") {
		t.Errorf("unknown problem: %v", err)
	}
}

// TestInactiveValuesAreIgnored: a flattened space gives the same value.
func TestInactiveValuesAreIgnored(t *testing.T) {
	p, _ := Get("jenatton_interior")
	x := at{"x1": "0", "x2": "0", "x4": 0.2, "r8": 0.3}
	a, err := p.Eval(x)
	if err != nil {
		t.Fatal(err)
	}
	x["x3"], x["x5"], x["r9"] = "1", 0.9, 0.9
	if b, err := p.Eval(x); err != nil || a != b {
		t.Errorf("%v with inactive values, %v without (%v)", b, a, err)
	}
}

func TestStudy(t *testing.T) {
	p, _ := Get("hier_nn")
	got := string(p.Study(7, 25, "blackbox", "trial", "hier_nn"))
	for _, line := range []string{
		"name: hier_nn\n",
		"objective: {name: f, direction: minimize}\n",
		`  layers: {type: ordinal, values: ["1", "2", "3"]}` + "\n",
		"  lr: {type: float, low: -5, high: 2}\n",
		`  u2: {type: int, low: 0, high: 5, active_if: {layers: ["2", "3"]}}` + "\n",
		`  u3: {type: int, low: 0, high: 5, active_if: {layers: "3"}}` + "\n",
		"budget: {trials: 25}\nseed: 7\n",
		`run: {command: ["blackbox", "trial", "hier_nn"]}` + "\n",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("the study lacks %q:\n%s", line, got)
		}
	}
	p, _ = Get("cond_layers")
	got = string(p.Study(1, 0))
	if !strings.Contains(got, "units2: {type: int, low: 8, high: 512, scale: log, active_if: {n_layers: {ge: 2}}}") ||
		!strings.Contains(got, "budget: {trials: 100}") || strings.Contains(got, "run:") {
		t.Errorf("unexpected study:\n%s", got)
	}
}
