package main

import (
	_ "bohier/internal/gp" // want: cmd/bohier must not import internal/gp
	_ "bohier/internal/runner"

	_ "github.com/spf13/cobra"
	_ "gopkg.in/yaml.v3" // want: only internal/config and examples may import
)
