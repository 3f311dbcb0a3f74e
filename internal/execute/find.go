package execute

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"bohier/internal/runner"
	"bohier/internal/study"
)

// A noResult is output in which there is no result, or one that does not do.
type noResult struct {
	expected string
	last     string // the last line that says anything
	pattern  string // a result_regex that would have matched; empty: none is known
	cut      bool   // something was printed, and no line of it is short enough to be read
}

func (n noResult) Error() string {
	said := "the command printed nothing"
	switch {
	case n.last != "":
		said = "the last line printed is " + clip(n.last)
	case n.cut:
		said = fmt.Sprintf("the last line printed is longer than %d KiB", tailBytes>>10)
	}
	return "no result: " + said + "; expected " + n.expected
}

// findResult reads the result from output: the last line that is a number, a JSON
// object or names the objective, as in "loss: 0.42", "loss=0.42" and "… loss 0.42".
// Other outcomes may be named on the same line or on others. With a pattern it is
// what that matches.
func findResult(st *study.Study, output, pattern string) (runner.Tell, error) {
	if pattern != "" {
		return matchResult(st, output, regexp.MustCompile(pattern))
	}
	names := newNamed(st)
	t := runner.Tell{Observation: study.Observation{Values: map[string]float64{}}}
	objective := st.Objective.Name
	lines := outputLines(output)
	complete := func() bool { return len(st.Missing(&study.Trial{Observation: t.Observation})) == 0 }
	for _, line := range slices.Backward(lines) {
		found := complete()
		if found && names.complete(t) {
			break
		}
		if v, ok := ParseNumber(line); ok && !st.Several() {
			if !found {
				t.Values[objective] = v
			}
			continue
		}
		if !strings.HasPrefix(line, "{") {
			names.read(line, &t)
			continue
		}
		if _, err := parseObject(line); err != nil && !errors.Is(err, errTwice) {
			names.read(line, &t) // a dictionary as Python prints it
			continue
		}
		object, err := ParseResult(st, line)
		switch {
		case err == nil:
			return overlay(object, t), nil
		case !found:
			return runner.Tell{}, err
		}
	}
	if complete() {
		return t, nil
	}
	n := noResult{last: lastLine(output), expected: fmt.Sprintf(`a number, {"%s": NUMBER} or "%s: NUMBER"`, objective, objective)}
	if st.Several() {
		n.expected = ResultExample(st) + ` or lines such as "` + objective + `: NUMBER"`
		return runner.Tell{}, n
	}
	n.pattern = guessPattern(st, output, lines)
	return runner.Tell{}, n
}

// matchResult reads the result from what the group of the last match holds, or each of its
// groups, named after outcomes.
func matchResult(st *study.Study, output string, pattern *regexp.Regexp) (runner.Tell, error) {
	all := pattern.FindAllStringSubmatch(output, -1)
	if len(all) == 0 || len(all[len(all)-1]) < 2 {
		return runner.Tell{}, noResult{expected: fmt.Sprintf("a match of %q", pattern), last: lastLine(output)}
	}
	last := all[len(all)-1]
	if at, value := pattern.SubexpIndex("at"), pattern.SubexpIndex("value"); at > 0 && value > 0 && st.Fidelity != nil {
		t, err := ParseResult(st, last[value])
		t.At, _ = ParseNumber(last[at])
		return t, err
	}
	groups, err := st.ResultGroups(pattern)
	if err != nil || groups == nil {
		return ParseResult(st, last[1])
	}
	object := map[string]any{}
	for _, match := range all { // which may have found one each
		for k, name := range groups {
			if match[k+1] != "" {
				object[name] = match[k+1]
			}
		}
	}
	return readResult(st, object)
}

// overlay is a report with what was named after it put over it.
func overlay(object, later runner.Tell) runner.Tell {
	maps.Copy(object.Values, later.Values)
	if later.Cost != nil {
		object.Cost = later.Cost
	}
	return object
}

// lazily compiles a regular expression when it is first needed.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// escape is a terminal's control sequence, such as a colour.
var escape = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// outputLines are the lines of output, without colours and surrounding blanks; a
// line that a carriage return overwrote counts as one.
func outputLines(output string) []string {
	output = strings.ToValidUTF8(output, "\ufffd")
	lines := strings.FieldsFunc(escape.ReplaceAllString(output, ""), func(r rune) bool { return r == '\n' || r == '\r' })
	for k := range lines {
		lines[k] = strings.TrimSpace(lines[k])
	}
	return lines
}

// lastLine is the last line of output that says anything.
func lastLine(output string) string {
	for _, line := range slices.Backward(outputLines(output)) {
		if line != "" {
			return line
		}
	}
	return ""
}

// numberPattern is a decimal number, NaN or an infinity.
const numberPattern = `[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?(?i:nan|inf(?:inity)?)`

// named finds the values of the study's outcomes, and of its cost, on lines that
// name them.
type named struct {
	names    []string
	cost     string // of the names, the one that is a cost and no outcome; empty: none
	patterns []*regexp.Regexp
}

func newNamed(st *study.Study) *named {
	n := &named{names: st.Outcomes()}
	if st.Cost != nil && !slices.Contains(n.names, st.Cost.Name) {
		n.cost = st.Cost.Name
		n.names = append(n.names, n.cost)
	}
	for _, name := range n.names {
		n.patterns = append(n.patterns, regexp.MustCompile(
			`(?:^|[^\pL\pN_./-])`+regexp.QuoteMeta(name)+`["']?(\s*[:=]\s*|\s+)(`+numberPattern+`)`))
	}
	return n
}

// complete reports whether there is nothing left to find.
func (n *named) complete(t runner.Tell) bool {
	for _, name := range n.names {
		if _, known := t.Values[name]; !known && (name != n.cost || t.Cost == nil) {
			return false
		}
	}
	return true
}

// read takes from a line what t does not have yet; the last of several values for
// one name counts.
func (n *named) read(line string, t *runner.Tell) {
	for k, name := range n.names {
		if _, known := t.Values[name]; known || name == n.cost && t.Cost != nil {
			continue
		}
		for _, at := range n.patterns[k].FindAllStringSubmatchIndex(line, -1) {
			separated := strings.ContainsAny(line[at[2]:at[3]], ":=")
			v, ok := ParseNumber(line[at[4]:at[5]])
			if !ok || !n.ends(line[at[5]:], separated) {
				continue
			}
			if name == n.cost {
				t.Cost = &v
			} else {
				t.Values[name] = v
			}
		}
	}
}

// after is what may follow a number that stands for itself: not a unit, a
// fraction, a time of day or a thousand's comma.
var after = lazily(`^(?:[.,;]?$|[.,;]?\s|[)\]}"'|]|,[^0-9])`)

// continues is what makes a number part of something longer, as in "3 of 10".
var continues = lazily(`^\s*(?:->|→|/|of\b)`)

// ends reports whether a value ends before rest. A name and a number with nothing
// but blanks between them are a value only at the end of the line, before
// punctuation and before another name: prose has words and numbers, too.
func (n *named) ends(rest string, separated bool) bool {
	if rest == "" {
		return true
	}
	if !after().MatchString(rest) || continues().MatchString(rest) {
		return false
	}
	rest = strings.TrimLeft(rest, " \t")
	return separated || rest == "" || strings.ContainsRune(".,;)]}|", rune(rest[0])) ||
		slices.ContainsFunc(n.names, func(name string) bool { return strings.HasPrefix(rest, name) })
}

// wordAndNumber is the last number on a line, with the text before it.
var wordAndNumber = lazily(`^(.*[^-+.\pL\pN])?(` + numberPattern + `)[^0-9]*$`)

// guessPattern is a result_regex for output in which no result was found: of the
// last line that holds the objective's name in another spelling, or else of the
// last line. It is tried on the output; empty when it would not do.
func guessPattern(st *study.Study, output string, lines []string) string {
	var candidates []string
	for _, line := range slices.Backward(lines) {
		if strings.Contains(strings.ToLower(line), strings.ToLower(st.Objective.Name)) {
			candidates = append(candidates, line)
			break
		}
	}
	candidates = append(candidates, lastLine(strings.Join(lines, "\n")))
	for _, line := range candidates {
		m := wordAndNumber().FindStringSubmatchIndex(line)
		if m == nil || m[2] < 0 {
			continue
		}
		before := line[m[2]:m[3]]
		if i := strings.LastIndexFunc(before, func(r rune) bool { return '0' <= r && r <= '9' }); i >= 0 {
			before = strings.TrimLeft(before[i+1:], "%)]},;|")
		}
		before = strings.TrimLeft(before, " \t")
		if !strings.ContainsFunc(before, unicode.IsLetter) {
			continue
		}
		for _, group := range []string{`(\S+)`, `([-+.0-9eE]+)`} {
			pattern := regexp.QuoteMeta(before) + group
			if got, err := findResult(st, output, pattern); err == nil && len(got.Values) > 0 {
				return pattern
			}
		}
	}
	return ""
}
