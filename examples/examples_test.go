package examples

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// bohier is the path of the program: $BOHIER_PROGRAM, or built for all tests at once.
var bohier string

func TestMain(m *testing.M) {
	os.Exit(withProgram(m.Run))
}

func withProgram(run func() int) int {
	if bohier = os.Getenv("BOHIER_PROGRAM"); bohier != "" {
		if _, err := os.Stat(bohier); err == nil { // and the results of tests are not kept when it changes
			return run()
		}
	}
	dir, err := os.MkdirTemp("", "bohier-examples-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	bohier = filepath.Join(dir, "bohier")
	if out, err := exec.Command("go", "build", "-tags", "postgres", "-o", bohier,
		"../cmd/bohier").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building bohier: %v\n%s", err, out)
		return 1
	}
	return run()
}

// script runs a shell script with extra environment and returns what it printed.
func script(t *testing.T, env []string, name string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "sh", append([]string{name}, args...)...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "BOHIER") && !strings.HasPrefix(v, "DEMO") {
			c.Env = append(c.Env, v)
		}
	}
	c.Env = append(c.Env, env...)
	var out, errs strings.Builder
	c.Stdout, c.Stderr = &out, &errs
	err = c.Run()
	return out.String(), errs.String(), err
}

// copied is an example's directory copied to examples/NAME of a temporary place, its study edited.
func copied(t *testing.T, example string, edit func(string) string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "examples", example)
	must(t, os.CopyFS(dir, os.DirFS(example)))
	file := filepath.Join(dir, "bohier.yaml")
	src, err := os.ReadFile(file)
	must(t, err)
	edited := edit(string(src))
	if edited == string(src) {
		t.Fatal("the edit changed nothing")
	}
	must(t, os.WriteFile(file, []byte(edited), 0o666))
	return dir
}

func TestStudiesAreValid(t *testing.T) {
	entries, err := os.ReadDir(".")
	must(t, err)
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		page, err := os.ReadFile(filepath.Join(e.Name(), "README.md"))
		if err != nil || !strings.Contains(string(page), "```sh") {
			t.Errorf("%s: what is to be typed? %v", e.Name(), err)
		}
	}
	files, err := filepath.Glob("*/bohier.yaml")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d study files, %v", len(files), err)
	}
	for _, f := range files {
		out, err := exec.Command(bohier, "check", "-c", f, "-o", "json").CombinedOutput()
		if err != nil || !strings.Contains(string(out), `"warnings":[]`) {
			t.Errorf("bohier check -c %s: %v\n%s", f, err, out)
		}
	}
}

// TestShellLoop runs the loop to the end of a small budget, then once more.
func TestShellLoop(t *testing.T) {
	env := []string{"BOHIER=" + bohier}
	dir := copied(t, "shell", func(s string) string { return strings.Replace(s, "trials: 25", "trials: 7", 1) })
	loop := filepath.Join(dir, "loop.sh")
	trial := regexp.MustCompile(`(?m)^\d+-\w+: (rmse [\d.]+|failed) with model=`)

	out, errs, err := script(t, env, loop)
	if err != nil || len(trial.FindAllString(out, -1)) != 7 || !strings.Contains(out, "rmse ") {
		t.Fatalf("first run: %v\n%s\n%s", err, out, errs)
	}
	out, errs, err = script(t, env, loop)
	if err != nil || trial.MatchString(out) {
		t.Fatalf("the budget was used, yet: %v\n%s\n%s", err, out, errs)
	}
	if out, code := typing(t, dir, typed(t, "shell")[0]); code != 0 ||
		!strings.Contains(out, "parallel") && !strings.Contains(out, "<svg") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

func TestTrain(t *testing.T) {
	for args, want := range map[string]string{
		"model=knn neighbors=5 weighted=true": "0.138543\n",
		"model=poly lr=0.1 degree=5":          "0.048102\n",
		"model=linear lr=0.01":                "0.703910\n",
	} {
		if out, errs, err := script(t, nil, "shell/train.sh", strings.Fields(args)...); err != nil || out != want {
			t.Errorf("train.sh %s: %q, want %q (%v, %s)", args, out, want, err, errs)
		}
	}
	for _, args := range []string{"model=poly degree=3", "speed=3", "model=poly lr=1 degree=9 decay=1e-3"} {
		if out, _, err := script(t, nil, "shell/train.sh", strings.Fields(args)...); err == nil {
			t.Errorf("train.sh %s succeeded: %q", args, out)
		}
	}
}

// TestCompress tries each tool the machine has, and what it has not.
func TestCompress(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, []byte(strings.Repeat("a line that repeats\n", 500)), 0o666))
	xz := "TOOL=xz FILTER=delta DELTA=2 LC=1 LP=2 PB=0 BLOCK=1MiB CHECK=none"
	cases := map[string]string{
		"gzip":  "TOOL=gzip GZIP_LEVEL=9",
		"bzip2": "TOOL=bzip2 BZIP2_BLOCK=1",
		"zstd":  "TOOL=zstd ZSTD_LEVEL=3 ZSTD_WINDOW=17",
		"xz":    xz + " SEARCH=preset PRESET=9 EXTREME=true",
		"xz ":   xz + " SEARCH=manual MODE=fast FINDER=hc3 NICE=8 DEPTH=4 DICT=16",
	}
	run := func(values string) (string, error) {
		env := []string{"COMPRESS_FILE=" + file}
		for _, v := range strings.Fields(values) {
			env = append(env, "BOHIER_P_"+v)
		}
		out, _, err := script(t, env, "compress/compress.sh")
		return strings.TrimSpace(out), err
	}
	for tool, values := range cases {
		_, missing := exec.LookPath(strings.TrimSpace(tool))
		out, err := run(values)
		if err != nil || missing == nil && len(out) > 3 || missing != nil && out != "10000" {
			t.Errorf("%s: %q bytes of 10000, %v (on this machine: %v)", values, out, err, missing == nil)
		}
	}
	for _, bad := range []string{"", "TOOL=ls", "TOOL=gzip", "TOOL=xz"} {
		if out, err := run(bad); err == nil && out != "10000" {
			t.Errorf("%q succeeded: %q", bad, out)
		}
	}
}

// TestDemo runs the demonstration with few trials on a small file.
func TestDemo(t *testing.T) {
	file, err := filepath.Abs("../go.sum")
	must(t, err)
	env := []string{"BOHIER=" + bohier, "DEMO_DIR=" + t.TempDir(), "DEMO_TRIALS=8", "COMPRESS_FILE=" + file}
	out, errs, err := script(t, env, "compress/demo.sh")
	result := regexp.MustCompile(`bohier, 8 trials +[1-9]\d* bytes\nbest of 8 random +[1-9]\d* bytes +the incumbent is -?[\d.]+ % smaller\nxz -9e`)
	if err != nil || !result.MatchString(out) {
		t.Errorf("demo.sh: %v\n%s\n%s", err, out, errs)
	}
}
