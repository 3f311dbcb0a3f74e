package config

import (
	"fmt"
	"strconv"
	"strings"
)

// nearest is the candidate most like word, or "" when none is close: at most a
// third of the word's characters differ (at least one may), case ignored.
func nearest(word string, candidates []string) string {
	best, bound := "", max(1, len(word)/3)+1
	w := []rune(strings.ToLower(word))
	for _, c := range candidates {
		if d := editDistance(w, []rune(strings.ToLower(c)), bound); d < bound {
			best, bound = c, d
		}
	}
	return best
}

// editDistance counts insertions, deletions, substitutions and swaps of
// neighbours (optimal string alignment). Results of bound and above mean only
// that the distance is no smaller than bound.
func editDistance(a, b []rune, bound int) int {
	if len(a)-len(b) >= bound || len(b)-len(a) >= bound {
		return bound
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// listed is how many names a message lists before it says how many more exist.
const listed = 12

// list joins names for a message.
func list(names []string) string {
	if len(names) > listed {
		return fmt.Sprintf("%s, … (%d in all)", strings.Join(names[:listed], ", "), len(names))
	}
	return strings.Join(names, ", ")
}

// suggest is the usual hint for an unknown name: the nearest one if any is
// near, and what is valid. line > 0 says where that is declared.
func suggest(word, what string, valid []string, line int) string {
	var parts []string
	if n := nearest(word, valid); n != "" {
		parts = append(parts, "did you mean "+strconv.Quote(n)+"?")
	}
	if len(valid) > 0 {
		s := what + ": " + list(valid)
		if line > 0 {
			s += fmt.Sprintf(" (line %d)", line)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "  ")
}
