package runner

import (
	_ "bohier/internal/config" // want: internal/runner must not import internal/config
	_ "bohier/internal/gp"
	_ "bohier/internal/journal"
	_ "bohier/internal/report" // want: internal/runner must not import internal/report

	_ "github.com/rs/zerolog"
)
