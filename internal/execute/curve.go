package execute

import (
	"fmt"
	"strings"

	"bohier/internal/runner"
	"bohier/internal/study"
)

// ParseResults is ParseResult, in a study with a fidelity also for several lines with
// an object each: the last is the report, the others are points before it.
func ParseResults(st *study.Study, text string) (runner.Tell, error) {
	if !st.Fidelity.Early() {
		return ParseResult(st, text)
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) < 2 || !strings.HasSuffix(lines[0], "}") {
		return ParseResult(st, text)
	}
	var points []study.Point
	last := len(lines) - 1
	for k, line := range lines[:last] {
		t, err := ParseResult(st, line)
		if err != nil {
			return t, fmt.Errorf("line %d: %w", k+1, err)
		}
		if t.At == 0 || t.Failure != "" {
			return t, fmt.Errorf("line %d: no %s", k+1, st.Fidelity.Name)
		}
		points = append(points, study.Point{Resource: t.At, Observation: t.Observation})
	}
	t, err := ParseResult(st, lines[last])
	if err != nil {
		return t, fmt.Errorf("line %d: %w", len(lines), err)
	}
	t.Points = points
	return t, nil
}
