package points

import (
	_ "bohier/internal/gp"      // want: internal/points must not import internal/gp
	_ "bohier/internal/kernels" // want: internal/points must not import internal/kernels
	_ "bohier/internal/space"   // want: internal/points must not import internal/space
)
