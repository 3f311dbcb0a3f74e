package main

import (
	"context"

	"github.com/spf13/cobra"

	"bohier/internal/config"
)

func newSchema(s *streams, g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "schema [flags]", Short: "Print the JSON Schema of the study file, for editors.",
		Example: `  bohier schema > bohier.schema.json
  # then, as the first line of a study file, for editors with a YAML language server:
  # yaml-language-server: $schema=bohier.schema.json`,
		Args:        args(0, 0, ""),
		Annotations: exits(7),
		RunE:        func(c *cobra.Command, _ []string) error { return runSchema(c.Context(), *s) },
	}
}

func runSchema(_ context.Context, s streams) error { return s.write(config.Schema(options())) }
