package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"bohier/internal/study"
)

// A Stop is a place in a journal, after a record or before it, where Walk calls Visit with
// the state there, which Visit must not keep or change.
type Stop struct {
	At     int // the record's number
	Before bool
	Visit  func(prefix *State) error
}

// place orders stops.
func (s Stop) place() int {
	if s.Before {
		return 2 * s.At
	}
	return 2*s.At + 1
}

// Walk folds a journal once more, as far as the last of the stops that are found in it. A
// suggestion is a function of the state after the record that its From names, of the study
// that made it (see State.StudyOf), the seed, the trial's number, Flags, Cut and Spare; a
// decision about levels is one of the states at From and before its own record. An error of
// a visit ends the walk.
func Walk(ctx context.Context, o Options, find func(full *State, all []*Decision) []Stop) error {
	o.adoptSpace = true
	full, _, err := Read(ctx, o)
	if err != nil {
		return err
	}
	all, err := decisions(ctx, o, full)
	if err != nil {
		return err
	}
	stops := find(full, all)
	if len(stops) == 0 {
		return nil
	}
	slices.SortStableFunc(stops, func(a, b Stop) int { return cmp.Compare(a.place(), b.place()) })
	o = o.defaults()
	src, end, err := o.source(ctx)
	if err != nil {
		return err
	}
	defer end()
	prefix := newState(&o)
	var failed error
	meet := func(here Stop) error {
		for len(stops) > 0 && stops[0].place() == here.place() {
			s := stops[0]
			stops = stops[1:]
			if failed = ctx.Err(); failed == nil {
				failed = s.Visit(prefix)
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
		if err := meet(Stop{At: r.Seq, Before: true}); err != nil {
			return err
		}
		if err := prefix.fold(r); err != nil {
			return err
		}
		return meet(Stop{At: r.Seq})
	})
	switch {
	case failed != nil:
		return failed
	case err != nil && len(stops) > 0:
		return damaged(&o, err)
	}
	return nil
}

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
		d.Values, d.Curve = r.Values, slices.Clone(r.Curve)
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
