package gp

import (
	"fmt"
	_ "os" // want: must not import os

	_ "bohier/internal/acq"     // want: internal/gp must not import internal/acq
	_ "bohier/internal/config"  // want: internal/gp must not import internal/config
	_ "bohier/internal/journal" // want: internal/gp must not import internal/journal
	_ "bohier/internal/runner"  // want: internal/gp must not import internal/runner
	_ "bohier/internal/study"   // want: internal/gp must not import internal/study
)

func progress() { fmt.Println("iteration") } // want: results are returned
