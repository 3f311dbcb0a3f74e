package space

import "strings"

// Nearest is the candidate most like word, or "" when none is close: at most a
// third of the word's characters differ (one of two may), case ignored.
func Nearest(word string, candidates []string) (string, bool) {
	w := []rune(strings.ToLower(word))
	if len(w) == 0 {
		return "", false
	}
	best, bound := "", max(len(w)/3, min(len(w)-1, 1))+1
	for _, c := range candidates {
		if d := editDistance(w, []rune(strings.ToLower(c)), bound); d < bound {
			best, bound = c, d
		}
	}
	return best, best != ""
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
