package regression

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// made writes data files whose target is a smooth function of the inputs.
func made(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var servo, optical, nn strings.Builder
	optical.WriteString("a;b;c;d;e;f;;;;;;;;;\n")
	nn.WriteString(strings.Repeat("c,", 26) + "y\n")
	for i := range 40 {
		u, v := float64(i%7), float64(i%5)
		fmt.Fprintf(&servo, "%c,%c,%v,%v,%v\n", 'A'+i%3, 'A'+i%2, u, v, u+math.Sin(v)+float64(i%3))
		fmt.Fprintf(&optical, "%d;%v;%c;x;%v;%s;;;;;;;;;\n", i%2, u, 'A'+i%3, v,
			strings.Replace(fmt.Sprint(u*v+float64(i%2)), ".", ",", 1))
		depth := i % 2
		fmt.Fprintf(&nn, "%d,%d,0,%v,%v,0", i, depth, u, v)
		for layer := range 20 {
			nn.WriteString(",")
			if layer%5 < depth {
				fmt.Fprintf(&nn, "%v", float64(i%4)/4)
			}
		}
		fmt.Fprintf(&nn, ",%v\n", 1+u+v+float64(depth*(i%4)))
	}
	meta := strings.Builder{}
	for i := range 40 {
		meta.WriteString("A")
		for c := 2; c <= 20; c++ {
			fmt.Fprintf(&meta, ",%d", i*c%7)
		}
		fmt.Fprintf(&meta, ",%c,%d\n", 'A'+i%2, i*2%7+i%2)
	}
	for name, text := range map[string]string{
		"servo": servo.String(), "optical": optical.String(), "nn": nn.String(), "meta": meta.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, formats[name].file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The studies run on made-up data, every model learns something, the report shows
// every model, and a second run repeats nothing.
func TestStudies(t *testing.T) {
	dir := made(t)
	path := filepath.Join(t.TempDir(), "results.jsonl")
	var tasks []Task
	for _, study := range Studies() {
		list, err := Tasks(dir, study, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range list {
			if task.Key.Set == "servo" || task.Key.Set == "log half" {
				tasks = append(tasks, task)
			}
		}
	}
	if len(tasks) != 6+10 {
		t.Fatalf("%d tasks", len(tasks))
	}
	for round := range 2 {
		book, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		ran := 0
		err = book.Run(context.Background(), tasks, 1, func(r *Result, _ int, _ time.Duration) {
			ran++
			if !(r.RMSE < 1.5) || r.Train+r.Test == 0 || math.IsNaN(r.NLLLatent+r.NLLNoisy) {
				t.Errorf("%+v", *r)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := len(tasks) * (1 - round); ran != want {
			t.Errorf("round %d ran %d tasks, want %d", round, ran, want)
		}
		var out strings.Builder
		if err := Report(&out, book.Results); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"| ModLap | 1 |", "| 0.3046 ± 0.0412 |", "| poor man's GP | |", "(0.674) | 1 |",
			"| box |"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the report lacks %q:\n%s", want, out.String())
			}
		}
		if err := book.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Least squares recovers a linear function exactly, per pattern where separate.
func TestLinear(t *testing.T) {
	d, err := formats["nn"].parse(strings.NewReader(samples["nn"]))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 2)
	for _, separate := range []bool{false, true} {
		linear(got, d.X, d.Y, d.X, separate)
		for i := range got {
			if !(math.Abs(got[i]-d.Y[i]) <= 1e-12) {
				t.Errorf("separate %v: %v, want %v", separate, got, d.Y)
			}
		}
	}
	// A pattern that was never trained gets the mean of standardised targets.
	clear(got)
	linear(got, d.X.Slice(0, 1), d.Y[:1], d.X, true)
	if math.Abs(got[0]-d.Y[0]) > 1e-12 || got[1] != 0 {
		t.Errorf("trained on the first row: %v, want %v and 0", got, d.Y[0])
	}
}

// Surprise is the negative log density of a Gaussian: at 0 with variance 1, ½ ln 2π.
func TestSurprise(t *testing.T) {
	for _, c := range []struct{ miss, variance, want float64 }{
		{0, 1, 0.9189385332046727},
		{2, 4, 0.9189385332046727 + math.Log(2) + 0.5},
		{0, 0, 0.9189385332046727 + math.Log(1e-3)},
	} {
		if got := surprise(c.miss, c.variance); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("surprise(%v, %v) = %v, want %v", c.miss, c.variance, got, c.want)
		}
	}
}
