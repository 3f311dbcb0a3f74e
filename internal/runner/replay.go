package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"bohier/internal/journal"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

// A Replayed suggestion was computed again from the part of the journal it was
// made from. Want and Got are configurations as JSON; of a decision about levels, the decision.
type Replayed struct {
	Trial     *study.Trial // number, tag and source
	Decision  string       // about levels: "start", "leg 2", "verdict at 3"; empty: a suggestion
	Want, Got []byte
	Err       error // it could not be computed; nil: Got holds
}

// Same reports whether the suggestion came out again, bit for bit.
func (r Replayed) Same() bool { return r.Err == nil && bytes.Equal(r.Want, r.Got) }

// Replay computes suggestions of the journal again and calls visit with each, in the order of the records they were
// made from; in a study with a fidelity every decision about levels, too: starts, further legs and verdicts. The replay
// is of the trials with the ids, or of all where there is none. The study that made a suggestion is the one the journal
// recorded; parse reads it. An error of visit ends the replay.
func (c Session) Replay(ctx context.Context, parse func(recorded []byte) (*study.Study, error), ids []string,
	visit func(Replayed) error) error {
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
	weighings := map[int]*weighing{} // by trial, until its decision or suggestion was computed again
	type decided struct {
		from  int
		flags string
		cut   study.Cut
		study string
	}
	var newest struct { // the decisions of a batch were made from one state
		decided
		w *weighing
	}
	wanted := func(all []*journal.Decision) ([]*journal.Decision, error) { return ofTrials(all, ids) }
	return journal.Walk(ctx, c.Journal, wanted, func(d *journal.Decision, prefix *journal.State) error {
		past, err := then(d.Study)
		if err != nil {
			return err
		}
		prefix.In(past.Study.Space, d.Study)
		r := Replayed{Trial: &study.Trial{Number: d.Trial, Tag: d.Tag, Source: d.Source}}
		if d.Kind == journal.KindSuggest {
			err = past.chooseAgain(ctx, prefix, d, weighings[d.Trial], &r)
			if delete(weighings, d.Trial); err != nil {
				return err
			}
			return visit(r)
		}
		if prefix.Seq == d.From {
			if of := (decided{d.From, d.Flags, d.Ended(), string(d.Study)}); of != newest.decided || newest.w == nil {
				newest.decided = of
				newest.w, err = past.weighAgain(ctx, prefix, d)
			}
			weighings[d.Trial] = newest.w
		}
		if err != nil || prefix.Seq != d.Seq-1 {
			return err
		}
		err = decideAgain(past.Study, prefix, d, weighings[d.Trial], &r)
		if d.Kind != journal.KindReserve {
			delete(weighings, d.Trial)
		}
		if err != nil {
			return err
		}
		return visit(r)
	})
}

// ofTrials are the decisions about the trials with the ids; without any, all.
func ofTrials(all []*journal.Decision, ids []string) ([]*journal.Decision, error) {
	if len(ids) == 0 {
		return all, nil
	}
	found := map[string]bool{}
	own := slices.DeleteFunc(all, func(d *journal.Decision) bool {
		number := strconv.Itoa(d.Trial)
		for _, id := range []string{number, number + "-" + d.Tag} {
			if slices.Contains(ids, id) {
				found[id] = true
				return false
			}
		}
		return true
	})
	for _, id := range ids {
		if !found[id] {
			return nil, study.Errorf(study.Conflict, "`bohier trials` lists the trials and their sources",
				"the journal has no suggestion of a trial %s", id)
		}
	}
	return own, nil
}

// chooseAgain gives r a suggestion as recorded and as computed now.
func (c Session) chooseAgain(ctx context.Context, prefix *journal.State, d *journal.Decision, w *weighing,
	r *Replayed) error {
	r.Want = d.Params
	conf, err := c.suggestAgain(ctx, prefix, d, w)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if r.Err = err; err == nil {
		sp := c.Study.Space
		r.Got = sp.AppendJSON(nil, conf)
		if want, err := sp.ParseJSON(r.Want); err == nil { // in today's spelling
			r.Want = sp.AppendJSON(nil, want)
		}
	}
	return nil
}

// samePlan compares the plan of a suggestion with the plan of now.
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

// suggestAgain is the configuration that a trial was given by a plan, where the journal says by which.
func (c Session) suggestAgain(ctx context.Context, prefix *journal.State, d *journal.Decision,
	w *weighing) (conf space.Configuration, err error) {
	c = c.knowing(prefix)
	fixed, err := parseFixed(c.Study.Space, d.Flags)
	if err != nil {
		return conf, err
	}
	made := d.Making()
	s := w.suggestion(prefix, d.Trial)
	switch {
	case d.Source == "enqueued" && len(prefix.Queue) > 0:
		s, err = fromQueue(c.Study, prefix, prefix.Queue[0])
	case s != nil: // it was weighed against paused trials, and is computed already
		if made.Plan != nil {
			err = samePlan(made.Plan, s.Plan)
		}
	default:
		// It was made, so no rule stopped the study then, whatever the rule is now.
		unstopped := *c.Study
		unstopped.Stop, unstopped.Objectives = study.Stop{}, slices.Clone(unstopped.Objectives)
		for k := range unstopped.Objectives {
			unstopped.Objectives[k].Target = nil
		}
		r := c.request(prefix, d.Trial, fixed)
		r.Cut = d.Ended()
		if made.Plan != nil {
			var now *study.Plan
			if now, err = suggest.Planned(&unstopped, prefix.Trials, r); err == nil {
				err = samePlan(made.Plan, now)
			}
		}
		if err == nil {
			s, err = suggest.Next(ctx, &unstopped, prefix.Trials, r)
		}
	}
	switch {
	case err != nil:
		return conf, err
	case d.Spare == 0:
		return s.Config, nil
	case d.Spare > len(s.Spare):
		return conf, errors.New("the spare configuration that was taken does not come up")
	}
	return s.Spare[d.Spare-1], nil
}

// weighAgain computes again a surrogate's decision about levels from the state that it saw; nil if
// no surrogate was asked.
func (c Session) weighAgain(ctx context.Context, prefix *journal.State, d *journal.Decision) (*weighing, error) {
	if !policy.Continues(c.Study) {
		return nil, nil
	}
	fixed, err := parseFixed(c.Study.Space, d.Flags)
	if err != nil {
		return nil, err
	}
	return c.weighIn(ctx, prefix, Ask{Fixed: fixed}, d.Ended())
}

// decideAgain gives r a decision as recorded and as computed now.
func decideAgain(st *study.Study, prefix *journal.State, d *journal.Decision, w *weighing, r *Replayed) (err error) {
	if d.Kind == journal.KindReport {
		text := func(s study.State, v study.Verdict) []byte { return fmt.Appendf(nil, "%s, %s", v, s) }
		r.Decision, r.Want = fmt.Sprintf("verdict at %v", d.Resource), text(d.State, d.Verdict)
		r.Got = text(prefix.Judged(d, &st.Fidelity, *rule(st, Ask{})))
		return nil
	}
	a := Ask{weighed: w, queued: len(prefix.Queue) > 0, Start: startOf(d.Flags), New: d.Kind == journal.KindReserve}
	if a.Fixed, err = parseFixed(st.Space, d.Flags); err != nil {
		return err
	}
	r.Decision, r.Want = "start", fmt.Appendf(nil, "from %v, to %v", d.Start, d.To)
	if d.Kind == journal.KindPromote {
		r.Decision, r.Want = fmt.Sprintf("leg %d", d.Leg), fmt.Appendf(nil, "trial %d to %v, %s", d.Trial, d.To, d.Source)
	}
	for _, number := range takenOver(prefix.Trials, d) {
		again := func(trials []study.Trial) { r.Got = taskAgain(st, trials, a) }
		if number > 0 {
			t := prefix.Trials[number-1]
			t.Released = true
			prefix.Supposing(t, again)
		} else {
			again(prefix.Trials)
		}
		if r.Same() {
			break
		}
	}
	return nil
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

// taskAgain is the next worker's task, as text.
func taskAgain(st *study.Study, trials []study.Trial, a Ask) []byte {
	switch next, err := task(st, trials, a); {
	case err != nil:
		return []byte(err.Error())
	case next.Trial > 0:
		return fmt.Appendf(nil, "trial %d to %v, %s", next.Trial, next.To, next.Source)
	default:
		return fmt.Appendf(nil, "from %v, to %v", next.Start, next.To)
	}
}
