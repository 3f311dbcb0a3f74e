package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bohier/internal/config"
	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/study"
)

func runCat(s call, _ []string) error {
	options, err := s.existingJournal()
	if err != nil {
		return err
	}
	lines, err := journal.Lines(s.ctx, options)
	if len(lines) > 0 {
		if err := s.write(lines); err != nil {
			return err
		}
	}
	return err
}

func runCopy(s call, args []string) error {
	name := config.Stem(s.file())
	from, err := s.open(args[0], name, true)
	if err != nil {
		return err
	}
	to, err := s.open(args[1], name, true)
	if err != nil {
		return err
	}
	done, err := journal.Copy(s.ctx, from, to)
	if err != nil {
		return err
	}
	s.Log.warn(done.Warnings...)
	s.Recorded = safe
	return s.print(fmt.Appendf(nil, "%s, %d added; SHA-256 of both %x\n", study.Count(done.Records, "record"),
		done.Added, done.Sum))
}

func runArchive(s call, args []string) error {
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

// moveOutputs moves the directories of trials that exist, and removes from when nothing else is
// in it. The strings are warnings.
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

func runMerge(s call, session runner.Session, args []string) error {
	other, err := s.open(args[0], config.Stem(session.Study.File), true)
	if err != nil {
		return err
	}
	done, err := journal.Merge(s.ctx, session.Journal, other)
	if err != nil {
		return err
	}
	s.Log.warn(done.Conflicts...)
	s.Recorded = safe
	return s.print(fmt.Appendf(nil, "%s added, %d observed\n", study.Count(done.Added, "trial"), done.Observed))
}

func runDatabaseSchema(s call, _ []string) error {
	if s.on("apply") {
		return applySchemaIn(s, s.location(), s.text("name"))
	}
	text, err := databaseSchema(cmp.Or(s.text("name"), "bohier"))
	if err != nil {
		return err
	}
	return s.write([]byte(text))
}

// applySchemaIn makes the schema name in the database of a journal's location.
func applySchemaIn(s call, location, name string) error {
	if !study.InDatabase(location) {
		return usage("--journal postgres://postgres@localhost/tuning", "--apply needs a database")
	}
	at, before, err := applySchema(s.ctx, location, name)
	if err != nil {
		return err
	}
	what := "made"
	if before > 0 {
		what = fmt.Sprintf("was there, of version %d", before)
	}
	return s.write(fmt.Appendf(nil, "%s: %s\n", at, what))
}
