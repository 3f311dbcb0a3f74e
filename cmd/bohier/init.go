package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/config"
	"bohier/internal/study"
)

type initOptions struct {
	file  string
	from  string
	force bool
}

func newInit(s *streams, g *globals) *cobra.Command {
	var o initOptions
	c := &cobra.Command{
		Use: "init [FILE] [flags]", Short: "Write a commented study file to start from.",
		Example: `  bohier init                             # bohier.yaml
  bohier init svm.yaml
  bohier init --from optuna:space.json    # also configspace:, irace:, wandb:
  bohier init -                           # to stdout`,
		Args:        args(0, 1, ""),
		Annotations: exits(7, 8),
		RunE: func(c *cobra.Command, got []string) error {
			if o.file = g.place.file(*s); len(got) > 0 {
				o.file = got[0]
			}
			return runInit(c.Context(), *s, o)
		},
	}
	c.Flags().StringVar(&o.from, "from", "", "convert the search space of another tool, `TOOL:FILE`")
	_ = c.RegisterFlagCompletionFunc("from", completeTools)
	c.Flags().BoolVar(&o.force, "force", false, "overwrite the file")
	return c
}

func runInit(_ context.Context, s streams, o initOptions) error {
	text := config.Init("")
	if o.from != "" {
		var err error
		if text, err = converted(s, o.from); err != nil {
			return err
		}
	}
	if o.file == "-" {
		return s.write(text)
	}
	if o.force {
		if err := outFile(o.file).save(s, text); err != nil {
			return err
		}
		s.Log.Info().Msg("wrote " + o.file)
		return s.write([]byte(o.file + "\n"))
	}
	f, err := os.OpenFile(s.path(o.file), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return usage("--force overwrites it", "%s exists already", o.file)
	}
	if err == nil {
		_, err = f.Write(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return &study.Error{Code: study.NotRecorded, Msg: "the study file could not be written", Err: err}
	}
	s.Log.Info().Msg("wrote " + o.file)
	s.Recorded = "it is there; --force overwrites it"
	return s.write([]byte(o.file + "\n"))
}

// converted is the study file for another tool's search space.
func converted(s streams, from string) ([]byte, error) {
	tool, file, ok := strings.Cut(from, ":")
	if !ok || !slices.Contains(config.Formats, tool) {
		return nil, usage("tools: "+strings.Join(config.Formats, ", "), "--from needs TOOL:FILE, not %q", from)
	}
	data, err := s.readFile(file)
	if err != nil {
		return nil, err
	}
	text, found := config.From(tool, shownFile(file), data)
	if err := found.Err(); err != nil {
		return nil, invalidStudy{found, err}
	}
	for _, w := range found.Warnings {
		s.Log.warn(fmt.Sprintf("%s:%d:%d: %s", w.File, w.Line, w.Column, w.Message))
	}
	return text, nil
}

func completeTools(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, tool := range config.Formats {
		out = append(out, tool+":")
	}
	return out, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}
