package main

import (
	"encoding/json"
	"fmt"

	"bohier/internal/config"
	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

func runVerify(s call, args []string) error {
	options, err := s.existingJournal()
	if err != nil {
		return err
	}
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
	hint := "`bohier journal repair` keeps what holds and saves the rest"
	if options.Store != nil {
		hint = journal.ByCopy(found.Path)
	}
	return study.Errorf(study.Damaged, hint,
		"the journal %s is damaged at line %d: %s", found.Path, found.Problems[0].Line, found.Problems[0].Cause)
}

func runRepair(s call, args []string) error {
	options, err := s.existingJournal()
	if err != nil {
		return err
	}
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
			return nil, err
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
		"%d of %d suggestions come out differently", len(result.Different), result.Computed+result.Decisions)
}

func runMigrate(s call, session runner.Session, args []string) error {
	fill, err := assignment(session.Study, s.list("fill"))
	if err != nil {
		return err
	}
	var values json.RawMessage
	if len(fill) > 0 {
		values = session.Study.Space.AppendPartialJSON(nil, fill)
	}
	state, changes, err := journal.Migrate(s.ctx, session.Journal, values)
	if err != nil {
		return err
	}
	s.Recorded = safe
	outside, unmeasured := 0, 0
	for i := range state.Trials {
		if t := &state.Trials[i]; t.State == study.Complete && !session.Study.Measured(t) {
			unmeasured++
		}
		if state.Trials[i].Outside {
			outside++
		}
	}
	if outside > 0 && len(changes) > 0 && fill == nil {
		s.Log.Info().Msg("if they lack a new parameter, `bohier migrate --fill NAME=VALUE` brings them back")
	}
	if name := session.Study.Objective().Name; unmeasured > 0 {
		s.Log.warn(fmt.Sprintf("%s without a value %q, the objective now: nothing is learnt from them; `bohier observe ID "+
			"%s=… --replace` gives one",
			study.Count(unmeasured, "complete trial"), name, name))
	}
	return s.print(report.Sheet("migrate", map[string]any{"changes": changes, "outside": outside, "all": len(state.Trials)}))
}
