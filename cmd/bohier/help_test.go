package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// metavariable matches what help shows for the value of a flag: an upper-case noun, perhaps
// with punctuation, or the words to choose from.
var metavariable = regexp.MustCompile(`^(?:\[?[A-Z][]A-Z\[=:,.%]*|[a-z]+(?:\|[a-z]+)+)$`)

// TestFlags: the help of every flag with a value names that value by a metavariable, and no other flag has one.
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

// TestFlagsAreRead: every flag that a help text declares is read by its name, and every name that
// is read is that of a flag.
func TestFlagsAreRead(t *testing.T) {
	files, err := filepath.Glob("*.go")
	noError(t, err)
	var source strings.Builder
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text := mustRead(t, file)
		source.Write(text)
	}
	declared := map[string]bool{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if declared[f.Name] = true; f.Name != "help" && !strings.Contains(source.String(), `"`+f.Name+`"`) {
				t.Errorf("nothing reads --%s of %s", f.Name, c.CommandPath())
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&globals{}))
	read := regexp.MustCompile(`\bs\.(?:text|list|on|count|number|span|changed)\("([^"]+)"\)`)
	names := read.FindAllStringSubmatch(source.String(), -1)
	for _, m := range names {
		if !declared[m[1]] {
			t.Errorf("no command has the flag --%s, which is read", m[1])
		}
	}
	if len(names) < 50 {
		t.Errorf("only %d flags are read", len(names))
	}
}
