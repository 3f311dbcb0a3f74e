package main

import (
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/config"
)

func newSchema(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:         "schema [COMMAND] [flags]",
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
