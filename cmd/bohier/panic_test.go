package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"bohier/internal/parallel"
)

// TestPanicIsOneLine: a fault of the program, also in a goroutine, is a message of one line
// and a hint, exit 1; the stack is printed where the environment asks for it.
func TestPanicIsOneLine(t *testing.T) {
	defer func(before []*cobra.Command) { extraCommands = before }(extraCommands)
	extraCommands = []*cobra.Command{
		{Use: "fault", RunE: func(*cobra.Command, []string) error { return []error{}[len(extraCommands)] }},
		{Use: "deep", RunE: func(*cobra.Command, []string) error {
			var g parallel.Group
			g.Go(func() { panic("lost\nmore") })
			g.Wait()
			return nil
		}},
	}
	for command, want := range map[string]string{"fault": "index out of range [2] with length 0", "deep": "lost"} {
		for _, trace := range []string{"", "1"} {
			var out, errs bytes.Buffer
			faults := 0
			s := streams{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Faulted: func() { faults++ },
				Env: func(name string) (string, bool) { return trace, name == "BOHIER_TRACE" && trace != "" }}
			code := runProgram(t.Context(), s, []string{command})
			lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
			last := lines[len(lines)-2:]
			if code != 1 || faults != 1 || !strings.HasPrefix(last[0], "bohier: this is a fault of bohier: ") ||
				!strings.Contains(last[0], want+" (cmd/bohier/panic_test.go:") ||
				!strings.HasPrefix(last[1], "hint: report this line") {
				t.Errorf("%s: exit %d:\n%s", command, code, errs.String())
			}
			if traced := strings.Contains(errs.String(), "goroutine"); traced != (trace != "") ||
				trace == "" && len(lines) != 2 {
				t.Errorf("%s with BOHIER_TRACE=%q:\n%s", command, trace, errs.String())
			}
		}
	}
}
