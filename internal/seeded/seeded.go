// Package seeded is imported by tests that draw at random. It gives them a fixed seed, so that no test
// fails by chance. With BOHIER_SOAK=1 every run draws with a seed of its own; -rapid.seed sets one.
package seeded

import (
	"flag"
	"os"

	_ "pgregory.net/rapid" // registers the flag
)

func init() {
	if os.Getenv("BOHIER_SOAK") == "" {
		if err := flag.Set("rapid.seed", "1"); err != nil {
			panic(err)
		}
	}
}
