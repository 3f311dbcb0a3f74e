package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// negative is a number that a flag parser takes for flags.
var negative = regexp.MustCompile(`(?i)^-(\.?[0-9]|inf|nan)`)

// numbersAreNoFlags lets `observe 7 -0.5` be written as it is: the bare value
// becomes "=-0.5", a value without a name, unless a flag before it takes it.
func numbersAreNoFlags(root *cobra.Command, args []string) []string {
	c, _, err := root.Find(args)
	if err != nil || c.Name() != "observe" {
		return args
	}
	out := slices.Clone(args)
	for i, a := range args {
		if a == "--" {
			break
		}
		if negative.MatchString(a) && (i == 0 || !takesValue(c, args[i-1])) {
			out[i] = "=" + a
		}
	}
	return out
}

// takesValue reports whether the argument is a flag whose value follows.
func takesValue(c *cobra.Command, arg string) bool {
	name, isLong := strings.CutPrefix(arg, "--")
	f := c.Flag(name)
	if short, ok := strings.CutPrefix(arg, "-"); ok && !isLong && len(short) == 1 {
		if f = c.Flags().ShorthandLookup(short); f == nil {
			f = c.InheritedFlags().ShorthandLookup(short)
		}
	} else if !isLong {
		return false
	}
	return f != nil && f.NoOptDefVal == ""
}
