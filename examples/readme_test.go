package examples

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// typed are the blocks of commands which the README of an example says this test runs.
func typed(t *testing.T, example string) []string {
	t.Helper()
	name, _, _ := strings.Cut(t.Name(), "/")
	page, err := os.ReadFile(filepath.Join(example, "README.md"))
	must(t, err)
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^<!-- run by "+name+
		" -->\n```sh\n(.*?)^```$").FindAllStringSubmatch(string(page), -1) {
		out = append(out, m[1])
	}
	if len(out) == 0 {
		t.Fatalf("examples/%s/README.md has no block that %s runs", example, name)
	}
	return out
}

// typing runs a block as a reader would who has bohier on the PATH: in dir, a copy of an
// example, or above all examples where the block begins by going to one.
func typing(t *testing.T, dir, block string, env ...string) (out string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "sh", "-eu", "-c", block)
	c.Dir = dir
	if strings.HasPrefix(block, "cd examples/") {
		c.Dir = filepath.Join(dir, "../..")
	}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "BOHIER") {
			c.Env = append(c.Env, v)
		}
	}
	c.Env = append(append(c.Env, "PATH="+filepath.Dir(bohier)+string(os.PathListSeparator)+os.Getenv("PATH"),
		"HOME="+dir), env...)
	text, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return string(text), c.ProcessState.ExitCode()
}
