package space

import (
	_ "bohier/internal/kernels" // want: internal/space must not import internal/kernels
	_ "bohier/internal/study"   // want: internal/space must not import internal/study

	_ "gopkg.in/yaml.v3" // want: only internal/config and examples may import
)
