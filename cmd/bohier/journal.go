package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bohier/internal/config"
	"bohier/internal/journal"
	"bohier/internal/lists"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

func runCat(s call, options journal.Options) error {
	lines, err := journal.Lines(s.ctx, options)
	if len(lines) > 0 {
		return cmp.Or(s.write(lines), err)
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
	options, err := s.journalOptions() // Archive itself distinguishes a missing journal from a moved one
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
			return []string{"the output of trials stays in " + from + ": " + err.Error()}
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
		if !study.InDatabase(s.location()) {
			return usage("--journal postgres://postgres@localhost/tuning", "--apply needs a database")
		}
		at, before, err := applySchema(s.ctx, s.location(), s.text("name"))
		if err != nil {
			return err
		}
		what := "made"
		if before > 0 {
			what = fmt.Sprintf("was there, of version %d", before)
		}
		return s.write(fmt.Appendf(nil, "%s: %s\n", at, what))
	}
	text, err := databaseSchema(cmp.Or(s.text("name"), "bohier"))
	if err != nil {
		return err
	}
	return s.write([]byte(text))
}

func runVerify(s call, options journal.Options) error {
	found, err := journal.Verify(s.ctx, options)
	if err != nil {
		return err
	}
	s.Log.warn(found.Warnings...)
	err = s.sheet(*found, "verify", found)
	if err != nil || found.OK {
		return err
	}
	if found.Newer != nil {
		return found.Newer
	}
	hint := "`bohier journal repair` keeps intact records and saves the rest"
	if options.Store != nil {
		hint = journal.ByCopy(found.Path)
	}
	return study.Errorf(study.Damaged, hint,
		"the journal %s is damaged at line %d: %s", found.Path, found.Problems[0].Line, found.Problems[0].Cause)
}

func runRepair(s call, options journal.Options) error {
	done, err := journal.Repair(s.ctx, options, s.on("accept"))
	if err != nil {
		return err
	}
	s.Recorded = safe
	return s.print(report.Sheet("repair", done))
}

// recordedStudy reads a study that the journal recorded, as st's file once said.
func recordedStudy(st *study.Study) func(text []byte) (*study.Study, error) {
	return func(text []byte) (*study.Study, error) {
		past, found := config.Parse(st.File, text, options())
		if err := found.Err(); err != nil {
			return nil, errors.New(err.Error()) // the mistakes are in no file of the user's
		}
		return past, nil
	}
}

func runReplay(s call, session runner.Session, ids []string) error {
	result := report.Replay{Schema: "bohier/replay/1", Different: []string{}}
	err := session.Replay(s.ctx, recordedStudy(session.Study), ids, func(r runner.Replayed) error {
		name := r.Trial.ID()
		if r.Decision == "" {
			result.Computed++
		} else {
			result.Decisions++
			name += " " + r.Decision
		}
		verdict := "same"
		if !r.Same() {
			result.Different = append(result.Different, r.Trial.ID())
			verdict = fmt.Sprintf("different: %s, now %s", r.Want, r.Got)
			if r.Err != nil {
				verdict = fmt.Sprintf("different: %s, now an error: %v", r.Want, r.Err)
			}
		}
		if s.format != "text" {
			return nil
		}
		return s.print(fmt.Appendf(nil, "%s %s\n", name, verdict))
	})
	if err != nil {
		return err
	}
	result.OK = len(result.Different) == 0
	err = present(s, []report.Replay{result}, false, func() []byte {
		what := study.Count(result.Computed, "suggestion")
		if result.Decisions > 0 {
			what += " and " + study.Count(result.Decisions, "decision") + " about levels"
		}
		return fmt.Appendf(nil, "%s computed again, %d different\n", what, len(result.Different))
	})
	if err != nil || result.OK || !s.on("verify") {
		return err
	}
	return study.Errorf(study.Mismatch,
		"another version of the program, or another kind of processor, made the journal; `bohier journal replay` shows "+
			"both configurations",
		"%d of %d suggestions differ", len(result.Different), result.Computed+result.Decisions)
}

func runMigrate(s call, session runner.Session, args []string) error {
	fill, err := assignment(session.Study, s.list("fill"))
	if err != nil {
		return err
	}
	var values json.RawMessage
	if len(fill) > 0 {
		values = session.Study.Space.PartialJSON(fill)
	}
	state, changes, err := journal.Migrate(s.ctx, session.Journal, values)
	if err != nil {
		return err
	}
	s.Recorded = safe
	outside := len(lists.Only(study.Pointers(state.Trials), func(t *study.Trial) bool { return t.Outside }))
	unmeasured := len(lists.Only(study.In(study.Complete, state.Trials),
		func(t *study.Trial) bool { return !session.Study.Measured(t) }))
	added := slices.ContainsFunc(changes, func(line string) bool { return strings.HasPrefix(line, "+ space.") })
	if outside > 0 && added && fill == nil {
		s.Log.warn("trials lack a new parameter: `bohier migrate --fill NAME=VALUE` brings them back")
	}
	if name := session.Study.Objective().Name; unmeasured > 0 {
		s.Log.warn(fmt.Sprintf("%s without a value %q, the objective now: nothing is learnt from them; `bohier observe ID "+
			"%s=… --replace` gives one",
			study.Count(unmeasured, "complete trial"), name, name))
	}
	return s.print(report.Sheet("migrate", map[string]any{"changes": changes, "outside": outside,
		"all": len(state.Trials)}))
}
