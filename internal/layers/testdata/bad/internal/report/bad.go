package report

import (
	_ "bohier/internal/gp"     // want: internal/report must not import internal/gp
	_ "bohier/internal/runner" // want: internal/report must not import internal/runner
)
