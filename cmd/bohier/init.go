package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/config"
	"bohier/internal/exchange"
	"bohier/internal/study"
)

type initOptions struct {
	file  string
	from  string
	study string
	force bool
}

func newInit(g *globals) *cobra.Command {
	var o initOptions
	c := g.command("init [FILE] [flags]", args(0, 1, ""), o.run, 7, 8)
	c.Flags().StringVar(&o.from, "from", "", "convert the search space of another tool: `TOOL:FILE`")
	c.Flags().StringVar(&o.study, "study", "", "with --from: read the study `NAME` of a file with several studies")
	g.completes(c, "from", completeTools)
	c.Flags().BoolVar(&o.force, "force", false, "overwrite the file")
	return c
}

func (o *initOptions) run(s call, args []string) error {
	if o.file = s.file(); len(args) > 0 {
		o.file = args[0]
	}
	text := config.Template
	if o.from != "" {
		var err error
		if text, err = converted(s, o.from, o.study); err != nil {
			return err
		}
	}
	if o.file == "-" {
		return s.write(text)
	}
	if _, err := os.Lstat(s.path(o.file)); err == nil && !o.force {
		return usage("--force overwrites it", "%s exists already", o.file)
	}
	if err := outFile(o.file).save(s, text); err != nil {
		return err
	}
	s.Log.Info().Msg("wrote " + o.file)
	s.Recorded = "it is there; --force overwrites it"
	return s.write([]byte(o.file + "\n"))
}

// converted is the study file for another tool's search space.
func converted(s call, from, name string) ([]byte, error) {
	foreign, err := readForeign(s, from, "--from", name)
	if err != nil {
		return nil, err
	}
	file := shownSource(strings.TrimPrefix(from, foreign.Tool+":"))
	if foreign.Space == nil {
		return nil, usage("give the file that declares the space", "%s has trials and no search space", file)
	}
	text, found := foreign.Convert(file)
	if err := found.Err(); err != nil {
		return nil, invalidStudy{found, err}
	}
	for _, w := range found.Warnings {
		if w.Line == 0 {
			s.Log.warn(w.File + ": " + w.Message)
			continue
		}
		s.Log.warn(fmt.Sprintf("%s:%d:%d: %s", w.File, w.Line, w.Column, w.Message))
	}
	s.Log.warn(foreign.SpaceNotes...)
	if len(foreign.Trials) > 0 {
		s.Log.warn(fmt.Sprintf("`bohier import %s` adds its %s", shownSource(from),
			study.Count(len(foreign.Trials), "trial")))
	}
	return text, nil
}

func completeTools(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, tool := range exchange.Spaces() {
		out = append(out, tool+":")
	}
	return out, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}
