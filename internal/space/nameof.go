package space

import (
	"regexp"
	"slices"
	"strings"
)

var (
	badInName = regexp.MustCompile(`[^A-Za-z0-9_.-]`)
	nameStart = regexp.MustCompile(`^[A-Za-z_]`)
)

// NameOf is what a parameter of another tool is called here: a colon becomes a dot,
// and every other character that names cannot have an underscore.
func NameOf(source string) string {
	name := badInName.ReplaceAllString(strings.ReplaceAll(source, ":", "."), "_")
	if !nameStart.MatchString(name) {
		name = "p_" + name
	}
	for slices.Contains(Reserved, name) || strings.HasPrefix(name, "x-") {
		name = "p_" + name
	}
	return name
}
