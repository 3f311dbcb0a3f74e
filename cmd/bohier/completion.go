package main

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/exchange"
	"bohier/internal/space"
	"bohier/internal/study"
)

func runCompletion(s call, args []string) error {
	root := s.command.Root()
	generate := map[string]func(io.Writer) error{
		"bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }, "zsh": root.GenZshCompletion,
		"fish":       func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"powershell": root.GenPowerShellCompletionWithDesc,
	}[args[0]]
	if generate == nil {
		return usage("shells: "+strings.Join(s.command.ValidArgs, ", "), "no completions for the shell %q", args[0])
	}
	var script bytes.Buffer
	if err := generate(&script); err != nil {
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

// An offer is the words that a shell shows after the arguments got, where one is typed so far; more:
// they are only the beginnings of arguments.
type offer func(s call, got []string, typed string) (words []string, more bool)

func (g *globals) offers(o offer) cobra.CompletionFunc {
	return func(c *cobra.Command, got []string, typed string) ([]string, cobra.ShellCompDirective) {
		words, more := o(g.of(c), got, typed)
		if more {
			return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// flagOffers are those for the values of flags, by name.
var flagOffers = map[string]offer{"fix": assignments, "actual": assignments, "fill": assignments, "from": tools,
	"objective": func(s call, _ []string, _ string) (names []string, more bool) {
		if st, _, err := s.read(); err == nil {
			names = goalNames(st)
		}
		return names, false
	},
	"state": func(call, []string, string) ([]string, bool) { return listedStates, false },
}

// assignments are names of parameters, then the values of choices.
func assignments(s call, _ []string, typed string) (out []string, more bool) {
	st, _, err := s.read()
	if err != nil {
		return nil, true
	}
	name, _, hasValue := strings.Cut(typed, "=")
	for _, p := range st.Space.Params() {
		switch {
		case !hasValue:
			out = append(out, p.Name+"=")
		case p.Name == name:
			for _, v := range p.Values {
				out = append(out, name+"="+v)
			}
		}
	}
	return out, true
}

// parameterNames are those of parameters that vary and are not named yet, as many as the command takes.
func parameterNames(s call, got []string, _ string) (names []string, more bool) {
	st, _, err := s.read()
	if err != nil || s.command.Args(s.command, append(got, "")) != nil {
		return nil, false
	}
	for _, i := range st.Space.Coordinates() {
		if name := st.Space.Param(i).Name; !slices.Contains(got, name) {
			names = append(names, name)
		}
	}
	return names, false
}

// trialsIn are the ids of trials in one of the states; none: any.
func trialsIn(states ...study.State) offer {
	return func(s call, got []string, _ string) (ids []string, more bool) {
		session, err := s.session()
		if err != nil || len(got) > 0 {
			return nil, false
		}
		state, _, err := session.Read(s.ctx)
		if err != nil {
			return nil, false
		}
		for _, t := range selectTrials(state.Trials, states) {
			ids = append(ids, t.ID()+"\t"+string(t.State))
		}
		return ids, false
	}
}

// tools are those whose files are read.
func tools(call, []string, string) (out []string, more bool) {
	for _, tool := range exchange.Spaces() {
		out = append(out, tool+":")
	}
	return out, true
}
