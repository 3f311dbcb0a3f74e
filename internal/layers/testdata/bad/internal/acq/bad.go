package acq

import (
	_ "log/slog" // want: must not import log/slog

	_ "bohier/internal/gp"      // want: internal/acq must not import internal/gp
	_ "bohier/internal/kernels" // want: internal/acq must not import internal/kernels
	_ "bohier/internal/space"   // want: internal/acq must not import internal/space

	_ "github.com/rs/zerolog" // want: only cmd/bohier and internal/runner may import
)
