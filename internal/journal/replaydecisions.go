package journal

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"bohier/internal/study"
)

// A Decision is the record of one decision of a Rule: a new trial's levels (KindReserve), a
// further leg (KindPromote) or a verdict (KindReport). Its From is the last record that a
// surrogate saw, 0 where none was asked, and its Study that in force then, which an edited
// study file may have changed since the surrogate saw From.
type Decision struct{ Record }

// decisions are all of a journal, in the order they were made.
func decisions(ctx context.Context, o Options, full *State) ([]*Decision, error) {
	if full.fidelity == nil {
		return nil, nil
	}
	o = o.defaults()
	src, end, err := o.source(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	var all []*Decision
	reported := map[int]int{} // the newest report of each trial
	reserved := map[int]*Decision{}
	open := map[*Decision]bool{} // numbers that got no configuration: nobody knows of the decision
	var now json.RawMessage
	_, err = scan(src, func(r *Record) error {
		if r.Study != nil {
			now = slices.Clone(r.Study)
		}
		d := &Decision{*r}
		d.From, d.Study, d.Params = 0, now, nil // nothing that aliases the line
		switch {
		case r.Kind == KindReport && r.Verdict != "":
			reported[r.Trial] = r.Seq
			if r.Leg == 0 { // from another journal, or of a trial without legs: no rung answered
				return nil
			}
		case r.Kind == KindPromote:
			if reported[r.Trial] <= r.From { // else the reporter asked, and the rungs answered
				d.From = r.From
			}
		case r.Kind == KindReserve && r.To > 0:
			d.From = r.From
			reserved[r.Trial], open[d] = d, true
		case r.Kind == KindSuggest:
			delete(open, reserved[r.Trial])
			return nil
		default:
			return nil
		}
		d.Values, d.Curve = maps.Clone(r.Values), slices.Clone(r.Curve)
		all = append(all, d)
		return nil
	})
	return slices.DeleteFunc(all, func(d *Decision) bool { return open[d] }), err
}

// Judged returns the state and verdict that a report leads to from this state, which is the one
// before it.
func (s *State) Judged(d *Decision, f *study.Fidelity, rule Rule) (study.State, study.Verdict) {
	r := d.Record
	s.judge(&r, s.Trials[d.Trial-1], slices.Clone(s.Trials), d.Seq, f, rule)
	return r.State, r.Verdict
}
