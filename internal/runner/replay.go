package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"bohier/internal/journal"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

// A Replayed suggestion was computed again from the part of the journal it was
// made from. Want and Got are configurations as JSON; of a decision about levels, what
// was decided.
type Replayed struct {
	Trial     *study.Trial
	Decision  string // about levels: "start", "leg 2", "verdict at 3"; empty: a suggestion
	Want, Got []byte
	Err       error // it could not be computed; nil: Got holds
}

// Same reports whether the suggestion came out again, bit for bit.
func (r Replayed) Same() bool { return r.Err == nil && bytes.Equal(r.Want, r.Got) }

// Replay computes every suggestion of the journal again and calls visit with
// each, in the order they were made; in a study with a fidelity then every decision about
// levels: starts, further legs and verdicts. The study that made a suggestion is the one
// the journal recorded; parse reads it.
func (c Session) Replay(ctx context.Context, parse func(recorded []byte) (*study.Study, error), visit func(Replayed)) error {
	sessions := map[string]Session{} // by recorded study
	then := func(recorded json.RawMessage) (Session, error) {
		known, ok := sessions[string(recorded)]
		if ok {
			return known, nil
		}
		past := c
		if recorded != nil && !bytes.Equal(recorded, c.Journal.Study) {
			var err error
			if past.Study, err = parse(recorded); err != nil {
				return c, study.Errorf(study.Mismatch, "", "a study recorded in the journal cannot be read: %v", err)
			}
		}
		past, _, err := past.withSources(ctx)
		sessions[string(recorded)] = past
		return past, err
	}
	spaceOf := func(recorded json.RawMessage) (journal.Space, error) {
		past, err := then(recorded)
		return past.Study.Space, err
	}
	err := journal.Replay(ctx, c.Journal, spaceOf, func(prefix *journal.State, t *study.Trial, recorded json.RawMessage, proposed []byte, plan *study.Plan, fit *study.FitRecord) error {
		past, err := then(recorded)
		if err != nil {
			return err
		}
		r := Replayed{Trial: t, Want: bytes.Clone(proposed)}
		conf, err := past.suggestAgain(ctx, prefix, t, plan, fit)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			r.Err = err
		default:
			r.Got = past.Study.Space.AppendJSON(nil, conf)
			if want, err := past.Study.Space.ParseJSON(r.Want); err == nil { // in today's spelling
				r.Want = past.Study.Space.AppendJSON(nil, want)
			}
		}
		visit(r)
		return nil
	})
	if err != nil || !c.Study.Fidelity.Early() {
		return err
	}
	return c.replayDecisions(ctx, then, spaceOf, visit)
}

// samePlan compares what decided a suggestion with what decides it now.
func samePlan(then, now *study.Plan) error {
	if now == nil {
		return errors.New("the surrogate chose it, and now the initial design would")
	}
	a, err := json.Marshal(then)
	if err != nil {
		return err
	}
	b, err := json.Marshal(now)
	if err != nil || bytes.Equal(a, b) {
		return err
	}
	return fmt.Errorf("another plan decided: %s, now %s", a, b)
}

// suggestAgain is the configuration that trial t was given by a plan; nil: the journal does not
// say by which.
func (c Session) suggestAgain(ctx context.Context, prefix *journal.State, t *study.Trial, plan *study.Plan, fit *study.FitRecord) (conf space.Configuration, err error) {
	c = c.knowing(prefix)
	fixed, err := parseFixed(c.Study.Space, t.Flags)
	if err != nil {
		return conf, err
	}
	var s *study.Suggestion
	if t.Source == "enqueued" && len(prefix.Queue) > 0 {
		s, err = c.fromQueue(prefix, prefix.Queue[0])
	} else {
		// It was made, so no rule stopped the study then, whatever the rule is now.
		unstopped := *c.Study
		unstopped.Stop, unstopped.Objectives = study.Stop{}, slices.Clone(unstopped.Objectives)
		for k := range unstopped.Objectives {
			unstopped.Objectives[k].Target = nil
		}
		r := c.request(prefix, t.Number, fixed)
		r.Cut, r.Made = t.Cut, fit
		if plan != nil { // a wrong plan is found without a fit
			if err := samePlan(plan, suggest.Planned(&unstopped, prefix.Trials, r)); err != nil {
				return conf, err
			}
		}
		s, err = suggest.Next(ctx, &unstopped, prefix.Trials, r)
	}
	switch {
	case err != nil:
		return conf, err
	case t.Spare == 0:
		return s.Config, nil
	case t.Spare > len(s.Spare):
		return conf, errors.New("the spare configuration that was taken does not come up")
	}
	return s.Spare[t.Spare-1], nil
}
