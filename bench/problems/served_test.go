package problems

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestMain lets the test program serve a problem.
func TestMain(m *testing.M) {
	if os.Getenv("SERVE") == "" {
		os.Exit(m.Run())
	}
	p, err := Get(os.Args[len(os.Args)-1])
	lines := bufio.NewScanner(os.Stdin)
	for err == nil && lines.Scan() {
		var x map[string]any
		var y float64
		if err = json.Unmarshal(lines.Bytes(), &x); err == nil {
			y, err = p.Eval(x)
		}
		fmt.Println(y)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// specified is a problem, and what its specification says of it.
func specified(t *testing.T, name string) (p, read *Problem) {
	t.Helper()
	p, err := Get(name)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	read = &Problem{}
	if err := json.Unmarshal(data, read); err != nil {
		t.Fatal(err)
	}
	return p, read
}

// A problem survives its specification.
func TestSpecificationRoundTrip(t *testing.T) {
	for _, name := range Names() {
		p, got := specified(t, name)
		if d := cmp.Diff(p, got, cmpopts.IgnoreUnexported(Problem{}), cmpopts.IgnoreFields(Optimum{}, "At"),
			cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Another program's values are those of the problem itself.
func TestServe(t *testing.T) {
	t.Setenv("SERVE", "1")
	for name, o := range readOracles(t, "problems.json") {
		if name != "cond_svm_syn" && name != "ackley53" && name != "jenatton" {
			continue
		}
		_, p := specified(t, name)
		if _, err := p.Eval(o.Values[0].X); err == nil || !strings.Contains(err.Error(), "serve") {
			t.Errorf("%s without a program: error %v", name, err)
		}
		stop, err := p.Serve(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range o.Values {
			if v, err := p.Eval(row.X); err != nil || !near(v, row.F) {
				t.Errorf("%s(%v) = %v, %v; want %v", name, row.X, v, err, row.F)
			}
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
	p := &Problem{Name: "unknown"}
	stop, err := p.Serve(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Eval(nil); err == nil ||
		!strings.Contains(err.Error(), "ended before it answered") && !strings.Contains(err.Error(), "broken pipe") {
		t.Errorf("a program that ends: error %v", err)
	}
	stop() // it has failed already
}

// The least value of a problem whose specification has none is not known, and not 0.
func TestLeast(t *testing.T) {
	for text, want := range map[string]float64{
		`{"name": "served_nothing", "params": []}`:                                      math.Inf(1),
		`{"name": "served_best", "params": [], "f_opt": 2, "f_opt_kind": "best known"}`: 2,
	} {
		p := &Problem{}
		if err := json.Unmarshal([]byte(text), p); err != nil {
			t.Fatal(err)
		}
		if err := Add(p); err != nil {
			t.Fatal(err)
		}
		if got := Least(p.Name); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	if got := Least("tree_77"); got != 0 { // which nobody asked for before
		t.Errorf("a random tree: %v, want 0", got)
	}
}
