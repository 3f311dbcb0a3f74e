package config

import (
	"fmt"
	"strconv"
	"strings"

	"bohier/internal/space"
)

// listWidth is how many bytes of names a message lists before it says how many
// more there are.
const listWidth = 210

// list joins names for a message.
func list(names []string) string {
	width := 0
	for i, n := range names {
		if width += len(n) + 2; width > listWidth {
			return fmt.Sprintf("%s, … (%d in all)", strings.Join(names[:max(i, 1)], ", "), len(names))
		}
	}
	return strings.Join(names, ", ")
}

// suggest is the usual hint for an unknown name: the nearest one if any is
// near, and what is valid. line > 0 says where that is declared.
func suggest(word, what string, valid []string, line int) string {
	var parts []string
	if n, ok := space.Nearest(word, valid); ok {
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
