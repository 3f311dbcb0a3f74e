package runner

import (
	"context"
	"fmt"
	"slices"

	"bohier/internal/fidelity"
	"bohier/internal/journal"
	"bohier/internal/study"
)

// weighAgain is what a surrogate made of the state that it saw for a decision about levels; nil
// where none is asked.
func (c Session) weighAgain(ctx context.Context, prefix *journal.State, d *journal.Decision) (*weighing, error) {
	if !fidelity.Continues(c.Study) {
		return nil, nil
	}
	fixed, err := parseFixed(c.Study.Space, d.Flags)
	if err != nil {
		return nil, err
	}
	return c.weighIn(ctx, prefix, Ask{Fixed: fixed}, d.Cut)
}

// decideAgain is a decision as the journal has it and as it comes out now.
func (c Session) decideAgain(prefix *journal.State, d *journal.Decision, w *weighing) (r Replayed, err error) {
	r.Trial = &study.Trial{Number: d.Trial, Tag: d.Tag}
	if !c.Study.Fidelity.Early() {
		return r, nil
	}
	if d.Kind == journal.KindReport {
		text := func(s study.State, v study.Verdict) []byte { return fmt.Appendf(nil, "%s, %s", v, s) }
		r.Decision, r.Want = fmt.Sprintf("verdict at %v", d.Resource), text(d.State, d.Verdict)
		r.Got = text(prefix.Judged(d, &c.Study.Fidelity, *c.rule(Ask{})))
		return r, nil
	}
	a := Ask{weighed: w, queued: len(prefix.Queue) > 0, Start: startOf(d.Flags), New: d.Kind == journal.KindReserve}
	if a.Fixed, err = parseFixed(c.Study.Space, d.Flags); err != nil {
		return r, err
	}
	r.Decision, r.Want = "start", fmt.Appendf(nil, "from %v, to %v", d.Start, d.To)
	if d.Kind == journal.KindPromote {
		r.Decision, r.Want = fmt.Sprintf("leg %d", d.Leg), fmt.Appendf(nil, "trial %d to %v, %s", d.Trial, d.To, d.Source)
	}
	for _, number := range takenOver(prefix.Trials, d) {
		trials := prefix.Trials
		if number > 0 {
			trials = slices.Clone(trials)
			trials[number-1].Released = true
		}
		if r.Got = c.turnAgain(trials, a); r.Same() {
			break
		}
	}
	return r, nil
}

// takenOver are the numbers without a configuration; the asker may have taken the first that
// nobody computed any more; 0: none. The journal does not say who lived.
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
