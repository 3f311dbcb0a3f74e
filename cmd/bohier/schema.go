package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/config"
)

func newSchema(s *streams) *cobra.Command {
	return &cobra.Command{
		Use: "schema [COMMAND] [flags]", Short: "Print the JSON Schema of the study file, for editors, or of what a command prints.",
		Example: `  bohier schema > bohier.schema.json
  # then, as the first line of a study file, for editors with a YAML language server:
  # yaml-language-server: $schema=bohier.schema.json
  bohier schema suggest                  # of what suggest -o json prints`,
		Args:        args(0, 2, ""),
		Annotations: exits(7),
		RunE:        func(c *cobra.Command, got []string) error { return runSchema(c.Context(), *s, got) },
	}
}

func runSchema(_ context.Context, s streams, of []string) error {
	if len(of) == 0 {
		return s.write(config.Schema(options()))
	}
	text, err := outputSchema(strings.Join(of, " "))
	if err != nil {
		return err
	}
	return s.write(text)
}
