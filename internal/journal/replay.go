package journal

import (
	"context"
	"encoding/json"
	"slices"

	"bohier/internal/study"
)

// Replay calls visit for every suggestion in the journal with the state its
// computation saw: the prefix up to the record named in From. The suggestion is a
// function of that state, the seed, the trial's number, Flags, Cut and Spare, and
// of the study that made it; proposed is what it came to and plan what decided it, nil
// where the journal does not say; few tells that a deadline left its surrogates few
// points. spaceOf tells the space
// of a recorded study, in which prefix is then given; nil, or a nil space, stands
// for o.Space. The calls are in the order of From, so the journal is folded once.
// visit must not keep or change prefix. An error of visit ends the replay.
func Replay(ctx context.Context, o Options, spaceOf func(recorded json.RawMessage) (Space, error),
	visit func(prefix *State, t *study.Trial, recorded json.RawMessage, proposed []byte, plan *study.Plan, few bool) error) error {
	o.adoptSpace = true
	full, _, err := Read(ctx, o)
	if err != nil || !full.Exists {
		return err
	}
	o = o.defaults()
	src, end, err := o.source(ctx)
	if err != nil {
		return err
	}
	defer end()
	var order []*study.Trial
	for i := range full.Trials {
		if t := &full.Trials[i]; t.From > 0 {
			order = append(order, t)
		}
	}
	slices.SortStableFunc(order, func(a, b *study.Trial) int { return a.From - b.From })
	prefix := newState(&o)
	var visitErr error
	_, err = scan(src, func(r *Record) error {
		if len(order) == 0 {
			return errEnough
		}
		if err := prefix.fold(r); err != nil {
			return err
		}
		for len(order) > 0 && order[0].From == r.Seq {
			if visitErr = ctx.Err(); visitErr != nil {
				return errEnough
			}
			t := order[0]
			order = order[1:]
			recorded, sp := full.StudyOf(t.Number), o.Space
			if recorded != nil && spaceOf != nil {
				if sp, visitErr = spaceOf(recorded); visitErr != nil {
					return errEnough
				}
			}
			prefix.in(sp)
			if visitErr = visit(prefix, t, recorded, full.Proposed(t.Number), full.PlanOf(t.Number), full.FitOf(t.Number).Few()); visitErr != nil {
				return errEnough
			}
		}
		return nil
	})
	if visitErr != nil {
		return visitErr
	}
	if err != nil && len(order) > 0 {
		return damaged(&o, err)
	}
	return nil
}
