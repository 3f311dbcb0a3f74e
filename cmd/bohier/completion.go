package main

import (
	"bytes"

	"github.com/spf13/cobra"
)

func newCompletion(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:         "completion SHELL",
		Args:        args(1, 1, "the shell: bash, zsh, fish or powershell"),
		ValidArgs:   []string{"bash", "zsh", "fish", "powershell"},
		Annotations: exits(7),
		RunE:        g.run(runCompletion),
	}
}

func runCompletion(s call, args []string) error {
	root := s.command.Root()
	var script bytes.Buffer
	var err error
	switch args[0] {
	case "bash":
		err = root.GenBashCompletionV2(&script, true)
	case "zsh":
		err = root.GenZshCompletion(&script)
	case "fish":
		err = root.GenFishCompletion(&script, true)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&script)
	default:
		return usage("shells: bash, zsh, fish, powershell", "no completions for the shell %q", args[0])
	}
	if err != nil {
		return err
	}
	return s.write(script.Bytes())
}
