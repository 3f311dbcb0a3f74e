package main

import (
	"regexp"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// metavariable matches what help shows for the value of a flag: an upper-case noun, perhaps
// with punctuation, or the words to choose from.
var metavariable = regexp.MustCompile(`^(?:\[?[A-Z][]A-Z\[=:,.%]*|[a-z]+(?:\|[a-z]+)+)$`)

// TestFlags: the help of every flag with a value names that value by a metavariable, and no
// other flag has one.
func TestFlags(t *testing.T) {
	seen := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		check := func(f *pflag.Flag) {
			seen++
			name, usage := pflag.UnquoteUsage(f)
			if bare := f.NoOptDefVal != ""; bare == (name != "") || !bare && !metavariable.MatchString(name) {
				t.Errorf("%s --%s %s: %s", c.CommandPath(), f.Name, name, usage)
			}
		}
		c.LocalFlags().VisitAll(check)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&globals{}))
	if seen < 100 {
		t.Errorf("only %d flags", seen)
	}
}
