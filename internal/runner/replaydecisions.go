package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"bohier/internal/fidelity"
	"bohier/internal/journal"
	"bohier/internal/study"
)

// replayDecisions makes every decision about levels again: at which level a new trial
// starts, which trial gets a further leg, and what a report is answered.
func (c Session) replayDecisions(ctx context.Context, then func(json.RawMessage) (Session, error),
	spaceOf func(json.RawMessage) (journal.Space, error), visit func(Replayed)) error {
	weighed := map[*journal.Decision]*weighing{}
	seen := func(prefix *journal.State, recorded json.RawMessage, d *journal.Decision) error {
		past, err := then(recorded)
		if err != nil || !fidelity.Continues(past.Study) {
			return err
		}
		a := Ask{}
		if a.Fixed, err = parseFixed(past.Study.Space, d.Flags); err == nil {
			weighed[d], err = past.weighIn(ctx, prefix, a, d.Cut)
		}
		return err
	}
	return journal.ReplayDecisions(ctx, c.Journal, spaceOf, seen, func(prefix *journal.State, recorded json.RawMessage, d *journal.Decision) error {
		past, err := then(recorded)
		if err != nil || !past.Study.Fidelity.Early() {
			return err
		}
		r := Replayed{Trial: &study.Trial{Number: d.Trial, Tag: d.Tag}}
		if r.Decision, r.Want, r.Got, err = past.decideAgain(prefix, d, weighed[d]); err != nil {
			return err
		}
		delete(weighed, d)
		visit(r)
		return nil
	})
}

// decideAgain is a decision as the journal has it and as it comes out now.
func (c Session) decideAgain(prefix *journal.State, d *journal.Decision, w *weighing) (name string, want, got []byte, err error) {
	if d.Kind == journal.KindReport {
		text := func(s study.State, v study.Verdict) []byte { return fmt.Appendf(nil, "%s, %s", v, s) }
		return fmt.Sprintf("verdict at %v", d.Resource), text(d.State, d.Verdict), text(prefix.Judged(d, &c.Study.Fidelity, *c.rule(Ask{}))), nil
	}
	a := Ask{weighed: w, queued: len(prefix.Queue) > 0, Start: startOf(d.Flags), New: d.Kind == journal.KindReserve}
	if a.Fixed, err = parseFixed(c.Study.Space, d.Flags); err != nil {
		return "", nil, nil, err
	}
	name, want = "start", fmt.Appendf(nil, "from %v, to %v", d.Start, d.To)
	if d.Kind == journal.KindPromote {
		name, want = fmt.Sprintf("leg %d", d.Leg), fmt.Appendf(nil, "trial %d to %v, %s", d.Trial, d.To, d.Source)
	}
	for _, number := range takenOver(prefix.Trials, d) {
		trials := prefix.Trials
		if number > 0 {
			trials = slices.Clone(trials)
			trials[number-1].Released = true
		}
		if got = c.turnAgain(trials, a); bytes.Equal(got, want) {
			break
		}
	}
	return name, want, got, nil
}

// takenOver are the numbers without a configuration of which the asker may have taken the
// first that nobody computed any more; 0: none. The journal does not say who lived.
func takenOver(trials []study.Trial, d *journal.Decision) []int {
	if d.Kind == journal.KindReserve {
		if d.Trial <= len(trials) {
			return []int{d.Trial}
		}
		return []int{0}
	}
	numbers := []int{0}
	for i := range trials {
		if t := &trials[i]; t.State == study.Reserved && t.Key == "" && !t.Released {
			numbers = append(numbers, t.Number)
		}
	}
	return numbers
}

// turnAgain is what the next asker would get, as text.
func (c Session) turnAgain(trials []study.Trial, a Ask) []byte {
	switch turn := c.turn(trials, a); {
	case turn.Err != nil:
		return []byte(turn.Err.Error())
	case turn.Trial > 0:
		return fmt.Appendf(nil, "trial %d to %v, %s", turn.Trial, turn.To, turn.Source)
	default:
		return fmt.Appendf(nil, "from %v, to %v", turn.Start, turn.To)
	}
}
