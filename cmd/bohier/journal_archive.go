package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/study"
)

type archiveOptions struct {
	to string
}

func newArchive(g *globals) *cobra.Command {
	var o archiveOptions
	return &cobra.Command{
		Use:         "archive [FILE] [flags]",
		Args:        args(0, 1, ""),
		Annotations: exits(5, 6, 7, 8, 130),
		RunE:        g.run(o.run),
	}
}

func (o *archiveOptions) run(s call, args []string) error {
	options, err := s.journalOptions() // Archive itself tells a missing journal from one it has moved
	if err != nil {
		return err
	}
	options.Aside = func(state *journal.State, to string) {
		from, to := runner.TrialsDir(options.Path), runner.TrialsDir(to)
		if options.Store != nil {
			from, to = storeTrials(options.Path), storeTrials(to)
			dir := s.path(filepath.Dir(s.file()))
			from, to = filepath.Join(dir, from), filepath.Join(dir, to)
		}
		if dir := s.trialsDir(); dir != "" {
			from, to = dir, dir // its owner's to move
		}
		s.Log.warn(moveOutputs(state.Trials, from, to)...)
	}
	name, err := journal.Archive(s.ctx, options, s.path(strings.Join(args, "")))
	if err != nil {
		return err
	}
	s.Recorded = safe
	return s.write([]byte(name + "\n"))
}

// moveOutputs moves the directories of trials, those that there are, and removes
// from when nothing else is in it. The strings are warnings.
func moveOutputs(trials []study.Trial, from, to string) (warnings []string) {
	for k := range trials {
		id := trials[k].ID()
		old := filepath.Join(from, id)
		if _, err := os.Lstat(old); from == to || err != nil {
			continue
		}
		err := os.MkdirAll(to, 0o777)
		if err == nil {
			if _, taken := os.Lstat(filepath.Join(to, id)); errors.Is(taken, fs.ErrNotExist) {
				err = os.Rename(old, filepath.Join(to, id))
			} else {
				err = fs.ErrExist
			}
		}
		if err != nil {
			return []string{"what trials printed stays in " + from + ": " + err.Error()}
		}
	}
	for _, dir := range []string{filepath.Join(from, ".run"), from} {
		_ = os.Remove(dir) // fails, as it should, unless it is empty
	}
	return nil
}
