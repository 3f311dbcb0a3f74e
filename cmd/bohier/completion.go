package main

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/space"
	"bohier/internal/study"
)

func newCompletion(g *globals) *cobra.Command {
	c := g.command("completion SHELL", args(1, 1, "the shell: bash, zsh, fish or powershell"), runCompletion, 7)
	c.ValidArgs = []string{"bash", "zsh", "fish", "powershell"}
	return c
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

// assignment reads NAME=VALUE texts; nil for none.
func assignment(st *study.Study, texts []string) (space.Assignment, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	a, err := st.Space.ParseAssignments(texts)
	if err != nil {
		return nil, usage("", "%v", err)
	}
	return a, nil
}

// completeAssignments offers parameter names, then the values of choices.
func (g *globals) completeAssignments() cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		st, _, err := g.read()
		if err != nil {
			return nil, directive
		}
		name, _, hasValue := strings.Cut(typed, "=")
		var out []string
		for i := range st.Space.Params() {
			p := st.Space.Param(i)
			switch {
			case !hasValue:
				out = append(out, p.Name+"=")
			case p.Name == name:
				for _, v := range p.Values {
					out = append(out, name+"="+v)
				}
			}
		}
		return out, directive
	}
}

// completeTrials offers the ids of trials in one of the states; none: any.
func (g *globals) completeTrials(states ...study.State) cobra.CompletionFunc {
	return func(c *cobra.Command, got []string, _ string) ([]string, cobra.ShellCompDirective) {
		session, err := g.session()
		if err != nil || len(got) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		state, _, err := session.Read(c.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []string
		for _, t := range selectTrials(state.Trials, states) {
			out = append(out, t.ID()+"\t"+string(t.State))
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}
