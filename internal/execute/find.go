package execute

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bohier/internal/lazy"
	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A noResult is output in which there is no result, or one that does not do.
type noResult struct {
	expected string
	last     string // the last line that says anything
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

// findResult reads the result from output: the last line that names the objective, as a JSON object does or as in
// "loss: 0.42", "loss=0.42", "| loss | 0.42 |" and "… loss 0.42", or else the last that is a number alone; of a
// study with a fidelity the last of both. Other outcomes may be named on the same line or on others. With a
// pattern it is the match.
func findResult(st *study.Study, output, pattern string) (study.Report, error) {
	if pattern != "" {
		return matchResult(st, output, regexp.MustCompile(pattern))
	}
	names := newFinder(st, "")
	var t study.Report
	objective := st.Objective().Name
	lines := unfolded(outputLines(output))
	complete := func() bool { return len(st.Missing(&study.Trial{Observation: t.Observation})) == 0 }
	var bare *float64
	for _, line := range slices.Backward(lines) {
		found := complete()
		if found && names.complete(t) {
			break
		}
		if v, ok := ParseNumber(line); ok {
			switch _, err := st.Unnamed("", line); {
			case err != nil: // whose it is nobody knows
			case st.Fidelity.Early() && !found: // lines before it that name the objective are reports on the way
				t.Values.Set(objective, v)
			case bare == nil:
				bare = &v
			}
			continue
		}
		if !strings.HasPrefix(line, "{") {
			names.read(line, &t)
			continue
		}
		object, err := Object([]byte(line))
		if err != nil && !errors.Is(err, ErrTwice) {
			names.read(line, &t) // a dictionary as Python prints it
			continue
		}
		var reported study.Report
		if err == nil {
			reported, err = readPlaced(st, object)
		}
		switch {
		case err == nil:
			reported.Values = reported.Values.With(t.Values) // with later named values put over it
			reported.Cost = cmp.Or(t.Cost, reported.Cost)
			return reported, nil
		case !found && bare == nil:
			return study.Report{}, err
		}
	}
	if !complete() && bare != nil {
		t.Values.Set(objective, *bare)
	}
	if complete() {
		return t, nil
	}
	forms := ResultExample(st) + ` or lines such as "` + objective + `: NUMBER"`
	if _, err := st.Unnamed("", ""); err == nil {
		forms = "a number, " + forms
	}
	return study.Report{}, noResult{last: lastLine(output), expected: forms}
}

// matchResult reads the result from the group of the last match, or from each of its groups, named after outcomes.
func matchResult(st *study.Study, output string, pattern *regexp.Regexp) (study.Report, error) {
	all := pattern.FindAllStringSubmatch(output, -1)
	if len(all) == 0 || len(all[len(all)-1]) < 2 {
		return study.Report{}, noResult{expected: fmt.Sprintf("a match of %q", pattern), last: lastLine(output)}
	}
	groups, err := st.ResultGroups(pattern)
	if err != nil || groups == nil {
		return ParseResult(st, all[len(all)-1][1])
	}
	object := map[string]any{}
	for _, match := range all { // which may have found one each
		for k, name := range groups {
			if match[k+1] != "" {
				object[name] = match[k+1]
			}
		}
	}
	return ResultOf(st, object)
}

// escape is a terminal's control sequence, such as a colour.
var escape = lazy.Regexp(`\x1b\[[0-9;?]*[A-Za-z]`)

// outputLines are the lines of output, without colours and surrounding blanks; a
// line that a carriage return overwrote counts as one.
func outputLines(output string) []string {
	output = space.Name(strings.ToValidUTF8(output, "\ufffd"))
	lines := strings.FieldsFunc(escape().ReplaceAllString(output, ""), func(r rune) bool { return r == '\n' || r == '\r' })
	return lists.Of(lines, func(line string) string { return strings.TrimSpace(strings.TrimPrefix(line, byteOrderMark)) })
}

// byteOrderMark is the beginning of some programs' output.
const byteOrderMark = "\ufeff"

// unfolded are lines with a JSON object over several lines, in which they end, as one.
func unfolded(lines []string) []string {
	const most = 100 // of lines where it may begin
	end := len(lines)
	for end > 0 && lines[end-1] == "" {
		end--
	}
	if end == 0 || !strings.HasSuffix(lines[end-1], "}") || strings.HasPrefix(lines[end-1], "{") {
		return lines
	}
	for k, tries := end-1, 0; k >= 0 && tries < most; k-- {
		if !strings.HasPrefix(lines[k], "{") {
			continue
		}
		tries++
		whole := strings.Join(lines[k:end], " ")
		if _, err := Object([]byte(whole)); err == nil || errors.Is(err, ErrTwice) {
			return append(slices.Clone(lines[:k]), whole)
		}
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
const numberPattern = `[-+−]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+−]?[0-9]+)?|[-+]?(?i:nan|inf(?:inity)?)`

// A finder finds the values of the study's outcomes, and of its cost, on lines that name them.
type finder struct {
	names    []string
	cost     string // of the names, the one that is a cost and no outcome; empty: none
	resource string // of the names, the fidelity's; empty: none
	patterns []*regexp.Regexp
}

// newFinder finds the metrics of a study and, unless it is empty, the resource.
func newFinder(st *study.Study, resource string) *finder {
	names, cost := st.Outcomes(), ""
	if resource != "" {
		names = append([]string{resource}, names...)
	}
	if st.Cost != nil && !slices.Contains(names, st.Cost.Name) {
		cost = st.Cost.Name
		names = append(names, cost)
	}
	n := &finder{names: names, cost: cost, resource: resource}
	for _, name := range n.names {
		n.patterns = append(n.patterns, regexp.MustCompile(
			`(^|[^\pL\pN_./-])`+regexp.QuoteMeta(name)+`["']?(\s*[:=|│]\s*|\s+)(`+numberPattern+`)`))
	}
	return n
}

// complete reports whether there is nothing left to find.
func (n *finder) complete(t study.Report) bool {
	return !slices.ContainsFunc(n.names, func(name string) bool {
		_, known := t.Values.Get(name)
		return !known && (name != n.cost || t.Cost == nil)
	})
}

// read takes from a line the values that t does not have yet; the last of several values for one name counts.
func (n *finder) read(line string, t *study.Report) {
	for k, name := range n.names {
		if _, known := t.Values.Get(name); known || name == n.cost && t.Cost != nil {
			continue
		}
		for _, at := range n.patterns[k].FindAllStringSubmatchIndex(line, -1) {
			separator, rest := strings.TrimSpace(line[at[4]:at[5]]), line[at[7]:]
			v, ok := ParseNumber(line[at[6]:at[7]])
			if name == n.resource {
				separator, rest = ":", outOf().ReplaceAllString(rest, "")
			}
			if !ok || !n.ends(rest, separator != "") || qualified(line[:at[3]]) ||
				strings.ContainsAny(separator, "|│") && otherCell().MatchString(rest) {
				continue
			}
			if name == n.cost {
				t.Cost = &v
			} else {
				t.Values.Set(name, v)
			}
		}
	}
}

// after matches the text that may follow a complete number: not a unit, a fraction, a time of day
// or a thousand's comma.
var after = lazy.Regexp(`^(?:[.,;]?$|[.,;]?\s|[)\]}"'|]|[,;][^0-9])`)

// otherCell is another number in the row of a table.
var otherCell = lazy.Regexp(`^\s*[|│]\s*[-+]?[.0-9]`)

// outOf matches the text that may follow a resource: "epoch 3: …", "epoch 3/10" and "epoch 3 of 10".
var outOf = lazy.Regexp(`^(?:\s*(?:/|of\b)\s*[0-9]+)?:?`)

// continues matches text that makes a number part of something longer, as in "3 of 10", "5 000", "2 x 10^3" and "91 %".
var continues = lazy.Regexp(`^\s*(?:->|→|/|of\b|[x×*·^]\s*[0-9]|[%‰]|['’]\pN)|^\s+(?:[-+]?[.,]?[0-9]|[eE][-+]?[0-9]|(?i:thousand|million|billion|mio|mrd|percent)\b|[kM]\b|[eE] [-+]?[0-9])`)

// wordBefore is a word and the blanks after it.
var wordBefore = lazy.Regexp(`(?:^|[^\pL\pN_.:=/-])([\pL_][\pL\pN_.-]*)\s+$`)

// plainWords do not change the meaning of the name after them: levels of logs, and words that say that this is the
// result.
var plainWords = []string{"debug", "info", "notice", "warning", "warn", "error", "final", "last", "overall", "result",
	"and", "with", "the", "has", "at"}

// qualified reports whether the end of a text makes the name after it another one, as "train" does in "train loss".
func qualified(before string) bool {
	m := wordBefore().FindStringSubmatch(before)
	return m != nil && !slices.Contains(plainWords, strings.ToLower(m[1]))
}

// ends reports whether a value ends before rest. A name and a number with nothing but blanks between them are a value
// only at the end of the line, before punctuation and before another name: prose has words and numbers, too.
func (n *finder) ends(rest string, separated bool) bool {
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
