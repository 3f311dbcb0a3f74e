package space

import (
	"strings"
	"unicode/utf8"

	"github.com/hbollon/go-edlib"
)

// Nearest is the candidate most like word, or "" when none is close: at most a
// third of the word's characters differ (one of two may), case ignored.
func Nearest(word string, candidates []string) (string, bool) {
	word = strings.ToLower(word)
	n := utf8.RuneCountInString(word)
	if n == 0 {
		return "", false
	}
	best, bound := "", max(n/3, min(n-1, 1))+1
	for _, c := range candidates {
		if d := edlib.OSADamerauLevenshteinDistance(word, strings.ToLower(c)); d < bound {
			best, bound = c, d
		}
	}
	return best, best != ""
}
