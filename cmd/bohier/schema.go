package main

import (
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/config"
)

func newSchema(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "schema [COMMAND] [flags]", Short: "Print the JSON Schema of the study file, for editors, or of what a command prints.",
		Example: `  bohier schema > bohier.schema.json
  # then, as the first line of a study file, for editors with a YAML language server:
  # yaml-language-server: $schema=bohier.schema.json
  bohier schema suggest                  # of what suggest -o json prints`,
		Args:        args(0, 2, ""),
		Annotations: exits(7),
		RunE:        g.run(runSchema),
	}
}

func runSchema(s call, of []string) error {
	if len(of) == 0 {
		return s.write(config.Schema(options()))
	}
	text, err := outputSchema(strings.Join(of, " "))
	if err != nil {
		return err
	}
	return s.write(text)
}
