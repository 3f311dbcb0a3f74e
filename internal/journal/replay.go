package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"bohier/internal/study"
)

// Replay calls visit for every suggestion in the journal with the state its
// computation saw: the prefix up to the record named in From. The suggestion is a
// function of that state, the seed, the trial's number, Flags, Cut and Spare, and
// of the study that made it; proposed is what it came to and plan what decided it, nil
// where the journal does not say; fit is what it kept of the surrogates. spaceOf tells the space
// of a recorded study, in which prefix is then given; nil, or a nil space, stands
// for o.Space. The calls are in the order of From, so the journal is folded once.
// visit must not keep or change prefix. An error of visit ends the replay.
func Replay(ctx context.Context, o Options, spaceOf func(recorded json.RawMessage) (Space, error),
	visit func(prefix *State, t *study.Trial, recorded json.RawMessage, proposed []byte, plan *study.Plan, fit *study.FitRecord) error) error {
	o.adoptSpace = true
	full, _, err := Read(ctx, o)
	if err != nil {
		return err
	}
	var stops []stop
	for i := range full.Trials {
		if t := &full.Trials[i]; t.From > 0 {
			stops = append(stops, stop{at: t.From,
				study: full.StudyOf(t.Number),
				visit: func(prefix *State, recorded json.RawMessage) error {
					return visit(prefix, t, recorded, full.Proposed(t.Number), full.PlanOf(t.Number), full.FitOf(t.Number))
				}})
		}
	}
	return walk(ctx, o, spaceOf, stops)
}

// A stop is a place in a journal, after a record or before it, where a walk calls visit
// with the state there and a study that was recorded.
type stop struct {
	at     int // the record's number
	before bool
	study  json.RawMessage // that made what is computed again
	visit  func(prefix *State, recorded json.RawMessage) error
}

// place orders stops.
func (s stop) place() int {
	if s.before {
		return 2 * s.at
	}
	return 2*s.at + 1
}

// walk folds a journal once, as far as the last of the stops. States are in the space that
// spaceOf gives for a stop's study, or else in that of o.
func walk(ctx context.Context, o Options, spaceOf func(recorded json.RawMessage) (Space, error), stops []stop) error {
	if len(stops) == 0 {
		return nil
	}
	slices.SortStableFunc(stops, func(a, b stop) int { return cmp.Compare(a.place(), b.place()) })
	o = o.defaults()
	src, end, err := o.source(ctx)
	if err != nil {
		return err
	}
	defer end()
	prefix := newState(&o)
	var failed error
	visit := func(s stop) error {
		recorded, sp := s.study, o.Space
		if recorded != nil && spaceOf != nil {
			var err error
			if sp, err = spaceOf(recorded); err != nil {
				return err
			}
		}
		if recorded != nil {
			prefix.context = contextOf(recorded)
		}
		prefix.in(sp)
		return s.visit(prefix, recorded)
	}
	meet := func(here stop) error {
		for len(stops) > 0 && stops[0].place() == here.place() {
			s := stops[0]
			stops = stops[1:]
			if failed = ctx.Err(); failed == nil {
				failed = visit(s)
			}
			if failed != nil {
				return errEnough
			}
		}
		return nil
	}
	_, err = scan(src, func(r *Record) error {
		if len(stops) == 0 {
			return errEnough
		}
		if err := meet(stop{at: r.Seq, before: true}); err != nil {
			return err
		}
		if err := prefix.fold(r); err != nil {
			return err
		}
		return meet(stop{at: r.Seq})
	})
	switch {
	case failed != nil:
		return failed
	case err != nil && len(stops) > 0:
		return damaged(&o, err)
	}
	return nil
}
