package execute

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/runner"
	"bohier/internal/study"
)

// ParseResult reads a report about a trial: the objective's value alone, or a
// JSON object holding the measured outcomes by name, at its top or under
// "values", and perhaps "cost" (or the study's name for it), "stderr", "note"
// and "fail": "infeasible" or "transient". Other keys are left alone. A value
// may be NaN or infinite, also as Python writes them in JSON; what becomes of it
// is decided where it is recorded.
func ParseResult(st *study.Study, text string) (runner.Tell, error) {
	text = strings.TrimSpace(text)
	if v, ok := ParseNumber(text); ok {
		return runner.Tell{Observation: study.Observation{Values: map[string]float64{st.Objective.Name: v}}}, nil
	}
	var object map[string]any
	if !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(quoteNonFinite(text)), &object) != nil {
		return runner.Tell{}, fmt.Errorf("neither a number nor a JSON object: %s", clip(text))
	}
	return readResult(st, object)
}

func readResult(st *study.Study, object map[string]any) (t runner.Tell, err error) {
	t.Values = map[string]float64{}
	nested, _ := object["values"].(map[string]any)
	read := func(name string) (*float64, error) {
		raw, ok := nested[name]
		if !ok {
			raw, ok = object[name]
		}
		if !ok || raw == nil {
			return nil, nil
		}
		switch v := raw.(type) {
		case float64:
			return &v, nil
		case string:
			if f, ok := ParseNumber(v); ok {
				return &f, nil
			}
		}
		return nil, fmt.Errorf("%s is not a number: %s", name, clip(fmt.Sprint(raw)))
	}
	outcomes := st.Outcomes()
	for _, name := range outcomes {
		v, err := read(name)
		if err != nil {
			return runner.Tell{}, err
		}
		if v != nil {
			t.Values[name] = *v
		}
	}
	costs := []string{"cost"}
	if st.Cost != nil {
		costs = append(costs, st.Cost.Name)
	}
	for _, name := range costs {
		if t.Cost == nil && !slices.Contains(outcomes, name) {
			if t.Cost, err = read(name); err != nil {
				return runner.Tell{}, err
			}
		}
	}
	if !slices.Contains(outcomes, "stderr") {
		if t.Stderr, err = read("stderr"); err != nil {
			return runner.Tell{}, err
		}
	}
	t.Note, _ = object["note"].(string)
	if fail, ok := object["fail"]; ok && fail != nil && fail != false {
		if t.Failure = study.Failure(fmt.Sprint(fail)); t.Failure != study.Infeasible && t.Failure != study.Transient {
			return runner.Tell{}, fmt.Errorf(`"fail" is "infeasible" or "transient", not %s`, clip(fmt.Sprint(fail)))
		}
		return t, nil
	}
	if _, ok := t.Values[st.Objective.Name]; !ok {
		return runner.Tell{}, fmt.Errorf("no value for the objective %s", st.Objective.Name)
	}
	return t, nil
}

// errNoResult is a command that printed nothing that could be a result.
var errNoResult = errors.New("the command printed no number and no JSON object")

// findResult reads the last line of output that is a number or a JSON object;
// with a pattern, the group of its last match instead.
func findResult(st *study.Study, output, pattern string) (runner.Tell, error) {
	if pattern != "" {
		all := regexp.MustCompile(pattern).FindAllStringSubmatch(output, -1)
		if len(all) == 0 || len(all[len(all)-1]) < 2 {
			return runner.Tell{}, fmt.Errorf("nothing in the output matches %q", pattern)
		}
		return ParseResult(st, all[len(all)-1][1])
	}
	lines := strings.Split(output, "\n")
	for k := len(lines) - 1; k >= 0; k-- {
		line := strings.TrimSpace(lines[k])
		_, isNumber := ParseNumber(line)
		if isNumber || strings.HasPrefix(line, "{") && json.Valid([]byte(quoteNonFinite(line))) {
			return ParseResult(st, line)
		}
	}
	return runner.Tell{}, errNoResult
}

// ParseNumber reads a decimal number, NaN and infinities, and -nan as C programs
// print it; unlike strconv it takes no hexadecimal and no underscores.
func ParseNumber(text string) (float64, bool) {
	if strings.ContainsAny(text, "xXpP_") {
		return 0, false
	}
	if strings.EqualFold(text, "-nan") {
		return math.NaN(), true
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil || errors.Is(err, strconv.ErrRange)
}

var nonFinite = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b`)

// quoteNonFinite puts quotes around NaN and ±Infinity outside strings.
func quoteNonFinite(text string) string {
	return nonFinite.ReplaceAllStringFunc(text, func(m string) string {
		if m[0] == '"' {
			return m
		}
		return `"` + m + `"`
	})
}

// clip shortens what a message quotes.
func clip(text string) string {
	const most = 80
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return strconv.Quote(text)
}
