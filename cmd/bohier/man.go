//go:build man

package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// With the tag man the program has a command that writes its manual pages; the released program carries neither the
// command nor the library behind it.
func init() { extraCommands = append(extraCommands, newMan()) }

func newMan() *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write a manual page for every command into DIR.", Hidden: true,
		Args: args(1, 1, "a directory"), Annotations: map[string]string{"exits": "0 1 2"},
		RunE: func(c *cobra.Command, got []string) error {
			if err := os.MkdirAll(got[0], 0o777); err != nil {
				return err
			}
			prepareMan(c.Root())
			return doc.GenManTree(c.Root(),
				&doc.GenManHeader{Title: "BOHIER", Section: "1", Source: "bohier " + version, Manual: "bohier"}, got[0])
		},
	}
}

// prepareMan gives every page the exit codes, and no date of its own.
func prepareMan(c *cobra.Command) {
	c.DisableAutoGenTag = true
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n# EXIT STATUS\n", cmp.Or(c.Long, c.Short))
	for _, e := range exitsOf(c) {
		fmt.Fprintf(&b, "\n%s: %s\n", e.Code, e.Meaning)
	}
	c.Long = b.String()
	for _, sub := range c.Commands() {
		prepareMan(sub)
	}
}
