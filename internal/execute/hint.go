package execute

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"bohier/internal/lazy"
	"bohier/internal/study"
)

// guessPattern is a result_regex for output in which no result was found: of the
// last line that holds the objective's name in another spelling, or else of the
// last line. It finds the one number there that a person would take; empty where
// there is none or more than one.
func guessPattern(st *study.Study, output string, lines []string) string {
	name := strings.ToLower(st.Objective().Name)
	for _, line := range slices.Backward(lines) {
		if at := strings.Index(strings.ToLower(line), name); at >= 0 && len(strings.ToLower(line)) == len(line) {
			return patternFor(st, output, line, at+len(name))
		}
	}
	return patternFor(st, output, lastLine(strings.Join(lines, "\n")), 0)
}

// looseNumber is a number that nothing before it makes part of a word, a date or a list.
var looseNumber = lazy.Regexp(`(^|[^\pL\pN_.,'’/:+-]|[^\pN]:)(` + numberPattern + `)`)

// glued is what makes the number before it part of a date, a time or a longer number.
var glued = lazy.Regexp(`^[.,:'’/_-]\pN`)

// counts is the end of a text after which a number says how long or where, not how good.
var counts = lazy.Regexp(`(?i)(?:^|\PL)(?:in|after|took|time|elapsed|epoch|step|iteration|iter|trial|fold|batch|seed|run)\P{L}*$`)

// patternFor is a pattern for the number of a line from an index on; empty: none is clear.
func patternFor(st *study.Study, output, line string, from int) string {
	var all, broken [][]int // numbers, and those of them with a point or an exponent
	for _, m := range looseNumber().FindAllStringSubmatchIndex(line[from:], -1) {
		at := []int{from + m[4], from + m[5]}
		if rest := line[at[1]:]; glued().MatchString(rest) || continues().MatchString(rest) ||
			counts().MatchString(line[:at[0]]) {
			if continues().MatchString(rest) && !strings.HasPrefix(strings.TrimSpace(rest), "%") {
				return "" // of a longer number
			}
			continue
		}
		if all = append(all, at); strings.ContainsAny(line[at[0]:at[1]], ".eE") {
			broken = append(broken, at)
		}
	}
	if len(all) > 1 {
		all = broken
	}
	if len(all) != 1 {
		return ""
	}
	want, ok := ParseNumber(line[all[0][0]:all[0][1]])
	before := line[:all[0][0]]
	if i := strings.LastIndexFunc(before, unicode.IsDigit); i >= 0 {
		before = strings.TrimLeft(before[i+1:], "%)]},;|")
	}
	before = strings.TrimLeft(before, " \t")
	if !ok || !strings.ContainsFunc(before, unicode.IsLetter) {
		return ""
	}
	for _, group := range []string{`(\S+)`, `([-+.0-9eE]+)`} {
		pattern := regexp.QuoteMeta(before) + group
		if got, err := findResult(st, output, pattern); err == nil && got.Values.Of(st.Objective().Name) == want {
			return pattern
		}
	}
	return ""
}
