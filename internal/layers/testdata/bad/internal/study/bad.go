package study

import (
	"os"

	_ "bohier/internal/journal" // want: internal/study must not import internal/journal
	_ "bohier/internal/points"  // want: internal/study must not import internal/points

	_ "github.com/spf13/cobra" // want: only cmd/bohier may import
)

func quit() { os.Exit(1) } // want: only main exits the process
