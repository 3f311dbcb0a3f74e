// Package lazy makes values that few commands need.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp compiles a regular expression when it is first needed. It panics then if the pattern is wrong.
func Regexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
