package results

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

type square struct {
	N      int `json:"n"`
	Square int `json:"square"`
}

func squares(from, to int, ran *int) (out []Task[int, square]) {
	for n := from; n < to; n++ {
		out = append(out, Task[int, square]{n, func(context.Context) (square, error) {
			*ran++
			if n == 13 {
				return square{}, errors.New("unlucky")
			}
			return square{n, n * n}, nil
		}})
	}
	return out
}

func open(t *testing.T, path, version string) *File[int, square] {
	t.Helper()
	f, err := Open(path, version, func(s square) int { return s.N })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// A study goes on where it stopped: what has a result is not run again, and done hears how many tasks have theirs.
func TestResume(t *testing.T) {
	for _, path := range []string{"", filepath.Join(t.TempDir(), "squares.jsonl")} {
		ran := 0
		f := open(t, path, "1")
		if err := f.Run(t.Context(), squares(0, 4, &ran), 1, func(square, int, time.Duration) {}); err != nil || ran != 4 {
			t.Fatalf("ran %d, %v", ran, err)
		}
		if path != "" {
			f.Close()
			f = open(t, path, "1")
		}
		var heard []int
		err := f.Run(t.Context(), squares(2, 8, &ran), 1, func(_ square, n int, left time.Duration) {
			if heard = append(heard, n); n == 6 && left != 0 {
				t.Errorf("%v left after the last", left)
			}
		})
		if err != nil || ran != 8 || len(heard) != 4 || heard[0] != 3 || heard[3] != 6 {
			t.Errorf("ran %d, heard %v, %v", ran, heard, err)
		}
		if len(f.Results) != 8 || f.Results[7] != (square{7, 49}) || !f.Has(3) || f.Has(8) {
			t.Errorf("results %v", f.Results)
		}
	}
}

// Of two programs on one file one runs; a task that is asked for twice, or a result that two
// programs wrote, counts once.
func TestTwoPrograms(t *testing.T) {
	path, ran := filepath.Join(t.TempDir(), "squares.jsonl"), 0
	quiet := func(square, int, time.Duration) {}
	first, second := open(t, path, "1"), open(t, path, "1")
	tasks := append(squares(0, 3, &ran), squares(0, 3, &ran)...)
	if err := first.Run(t.Context(), tasks, 1, quiet); err != nil || ran != 3 {
		t.Errorf("ran %d, %v", ran, err)
	}
	if err := second.Run(t.Context(), tasks, 1, quiet); runtime.GOOS == "linux" &&
		(err == nil || !strings.Contains(err.Error(), "another program")) {
		t.Errorf("both run: %v", err)
	}
	first.Close()
	if err := second.Run(t.Context(), tasks, 1, quiet); err != nil || ran != 6 {
		t.Errorf("the other one has ended: ran %d, %v", ran, err)
	}
	if f := open(t, path, "1"); len(f.Results) != 3 {
		t.Errorf("results %v", f.Results)
	}
}

// The first error ends the study and names the task; results before it stay.
func TestFirstError(t *testing.T) {
	ran := 0
	f := open(t, filepath.Join(t.TempDir(), "squares.jsonl"), "")
	err := f.Run(t.Context(), squares(12, 99, &ran), 1, func(square, int, time.Duration) {})
	if err == nil || err.Error() != "13: unlucky" || ran > 3 || len(f.Results) == 0 {
		t.Errorf("ran %d, results %v, %v", ran, f.Results, err)
	}
	if err := f.Run(t.Context(), squares(20, 99, &ran), 0, nil); err == nil ||
		!strings.Contains(err.Error(), "at least one") {
		t.Errorf("no workers: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Run(ctx, squares(20, 99, &ran), 1, func(square, int, time.Duration) {}); !errors.Is(err,
		context.Canceled) || !strings.Contains(err.Error(), "goes on") {
		t.Errorf("cancelled: %v", err)
	}
}

// What a full disk left of a line is taken away before the next one.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "squares.jsonl")
	f := open(t, path, "")
	for range 2 {
		if _, err := f.file.WriteString("{\"n\":"); err != nil {
			t.Fatal(err)
		}
		f.tear(len("{\"n\":"))
		if err := f.Add(square{3, 9}); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != strings.Repeat("{\"n\":3,\"square\":9}\n", 2) {
		t.Errorf("%q, %v", now, err)
	}
}

// A broken line and another version are refused with the way on.
func TestRefusals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "squares.jsonl")
	for text, want := range map[string]string{
		"{\"version\":\"2\"}\n{\"n\":1}\n{\"n\n":  "line 3",
		"{\"version\":\"1\"}\n":                   "rm " + path + " to start afresh",
		"{\"n\":1,\"square\":1}\n":                "another version",
		"{\"version\":\"2\"}\n{\"n\":\"text\"}\n": "remove the line",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, "2", func(s square) int { return s.N }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A line that was not written to its end is computed again, in its place; looking at the results changes nothing.
func TestTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "squares.jsonl")
	whole := "{\"version\":\"2\"}\n{\"n\":1,\"square\":1}\n"
	for _, torn := range []string{whole + "{\"n\":2,\"squ", whole + "{\"n\":2,\"square\":4}", "{\"vers"} {
		if err := os.WriteFile(path, []byte(torn), 0o666); err != nil {
			t.Fatal(err)
		}
		f := open(t, path, "2")
		if strings.HasPrefix(torn, whole) {
			if now, err := os.ReadFile(path); err != nil || string(now) != torn {
				t.Errorf("opened: %q, %v", now, err)
			}
		}
		ran := 0
		if err := f.Run(t.Context(), squares(1, 3, &ran), 1, func(square, int, time.Duration) {}); err != nil {
			t.Error(err)
		}
		f.Close()
		if now, err := os.ReadFile(path); err != nil || string(now) != whole+"{\"n\":2,\"square\":4}\n" {
			t.Errorf("%q became %q, %v", torn, now, err)
		}
	}
}
