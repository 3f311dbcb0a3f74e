package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// On a terminal `run` shows the best value or the front, and calls it the luckiest where values are
// noisy: `status` names who leads.
func TestLineOfProgress(t *testing.T) {
	for _, c := range []struct{ objectives, values, want string }{
		{"objective: {name: loss, direction: minimize}", `{"loss":%v}`, `luckiest loss -0\.9`},
		{"objective: {name: loss, direction: minimize, noise: none}", `{"loss":%v}`, `best loss -0\.9`},
		{"objective: {name: loss, direction: minimize, noise: none}\nconstraints: ['size >= 0']",
			`{"loss":%[1]v,"size":%[1]v}`, `best loss 0\.3`},
		{"objectives: [{name: loss, direction: minimize}, {name: size, direction: minimize}]", `{"loss":%v,"size":1}`,
			`luckiest front 1, hypervolume \d\.\d+.*, loss ≥ -0\.9, size ≥ 1`},
	} {
		dir := t.TempDir()
		file := c.objectives + "\nspace: {x: {type: float, low: 0, high: 1}}\nseed: 1\nbudget: {trials: 13}\n" +
			"run: {command: [echo, '" + fmt.Sprintf(c.values, 0.7) + "']}\n"
		var trials strings.Builder
		for k := range 12 { // measured twice each; one of them was lucky
			value := 0.5 + 0.1*float64(k%2) - 0.1*float64(k/2%3)
			if k == 0 {
				value = -0.9
			}
			fmt.Fprintf(&trials, "{\"params\":{\"x\":%v},\"values\":%s}\n", float64(k/2)/6, fmt.Sprintf(c.values, value))
		}
		for name, text := range map[string]string{"bohier.yaml": file, "given.jsonl": trials.String()} {
			mustWrite(t, filepath.Join(dir, name), text)
		}
		if code, out, errs := inProcess(dir, "add", "--json", "given.jsonl"); code != 0 {
			t.Fatal(out, errs)
		}
		var line bytes.Buffer
		code := runProgram(context.Background(), streams{
			Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &line, Dir: dir, Terminal: true, Width: 200,
			Env: func(name string) (string, bool) { return os.LookupEnv(name) },
		}, []string{"run"})
		if code != 0 || !regexp.MustCompile("  "+c.want).MatchString(line.String()) {
			t.Errorf("%s: exit code %d, %q", c.objectives, code, &line)
		}
	}
}
