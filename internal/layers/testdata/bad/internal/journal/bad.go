package journal

import (
	_ "bohier/internal/gp"     // want: internal/journal must not import internal/gp
	_ "bohier/internal/runner" // want: internal/journal must not import internal/runner
)
