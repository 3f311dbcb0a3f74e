package journal

import (
	"cmp"
	"context"
	"slices"

	"bohier/internal/study"
)

// Walk folds a journal as far as the decisions that wanted picks need, and calls visit with each of them and a state
// that it was made from, which visit must not keep or change. A suggestion is a function of the state after the record
// that its From names, of the study that made it, the seed, the trial's number, Flags, Cut and Spare; a decision about
// levels is one of the states at From and before its own record. An error of a visit ends the walk.
func Walk(ctx context.Context, o Options, wanted func(all []*Decision) ([]*Decision, error),
	visit func(d *Decision, prefix *State) error) error {
	o.adoptSpace = true
	o = o.defaults()
	var all []*Decision
	_, _, err := o.read(ctx, func(from storage) (s *State, t tail, err error) {
		s, all, t, err = o.decisions(from)
		return s, t, err
	})
	if err != nil {
		return err
	}
	if all, err = wanted(all); err != nil {
		return err
	}
	type stop struct {
		after int // a record
		*Decision
	}
	var stops []stop
	for _, d := range all {
		if d.From > 0 {
			stops = append(stops, stop{d.From, d})
		}
		if before := d.Seq - 1; d.Kind != KindSuggest && before != d.From {
			stops = append(stops, stop{before, d})
		}
	}
	if len(stops) == 0 {
		return nil
	}
	slices.SortStableFunc(stops, func(a, b stop) int { return cmp.Compare(a.after, b.after) })
	src, end, err := o.source(ctx)
	if err != nil {
		return err
	}
	defer end()
	prefix := newState(&o)
	prefix.expect(src)
	var failed error
	_, err = scan(src, func(r *Record) error {
		if err := prefix.fold(r); err != nil {
			return err
		}
		prefix.show()
		for ; len(stops) > 0 && stops[0].after == r.Seq; stops = stops[1:] {
			if failed = ctx.Err(); failed == nil {
				failed = visit(stops[0].Decision, prefix)
			}
			if failed != nil {
				return errEnough
			}
		}
		if prefix.seen = 0; len(stops) == 0 { // no visit has kept a trial
			return errEnough
		}
		return nil
	})
	switch {
	case failed != nil:
		return failed
	case err != nil && len(stops) > 0:
		return damaged(&o, err)
	}
	return nil
}

// A Decision is the record of one decision that can be made again: a suggestion (KindSuggest) with
// the Flags of its reservation and the Plan and Model of the record after it, or a decision of a
// Rule: a new trial's levels (KindReserve), a further leg (KindPromote) or a verdict (KindReport).
// Its From is the last record that was seen, of a rule by its surrogate, 0 where none was asked.
// Its Study is the one in force then, which an edited study file may have changed since From.
type Decision struct{ Record }

// decisions are all of a journal that reached somebody, in the order they were made. The state has no trials.
func (o *Options) decisions(from storage) (s *State, all []*Decision, t tail, err error) {
	s = newState(o)
	s.bare = true
	src, err := from.after(o, &Memory{state: newState(o)})
	if err != nil {
		return nil, nil, t, err
	}
	asked := map[int]string{} // the flags of reserved numbers
	reported := map[int]int{} // the newest report of each trial
	reserved, suggested := map[int]*Decision{}, map[int]*Decision{}
	unknown := map[*Decision]bool{} // whose number got no configuration, or whose configuration reached nobody
	keep := func(r *Record, from int) *Decision {
		d := &Decision{*r}
		d.From, d.Study, d.Params = from, s.Study, slices.Clone(r.Params)
		all = append(all, d)
		return d
	}
	t, err = scan(src, func(r *Record) error {
		switch r.Kind {
		case KindReport:
			if r.Verdict == "" {
				break
			}
			reported[r.Trial] = r.Seq
			if r.Leg > 0 { // else from another journal, or of a trial without legs: no rung answered
				keep(r, 0)
			}
		case KindPromote:
			from := r.From
			if reported[r.Trial] > r.From { // the reporter asked, and the rungs answered
				from = 0
			}
			keep(r, from)
		case KindReserve:
			if asked[r.Trial] = r.Flags; r.To > 0 {
				d := keep(r, r.From)
				reserved[r.Trial], unknown[d] = d, true
			}
		case KindSuggest:
			delete(unknown, reserved[r.Trial])
			if r.From == 0 { // no surrogate or design chose it
				break
			}
			d := keep(r, r.From)
			suggested[r.Trial] = d
			if flags, reserved := asked[r.Trial]; reserved {
				d.Flags = flags
			}
		case KindPlan:
			if d := suggested[r.Trial]; d != nil {
				d.Plan, d.Model = slices.Clone(r.Plan), slices.Clone(r.Model)
			}
		case KindRelease:
			if d := suggested[r.Trial]; d != nil && r.Leg < 2 { // else a further leg is taken back
				unknown[d] = true
			}
		}
		return s.fold(r)
	})
	if err != nil {
		return nil, nil, t, damaged(o, err)
	}
	return s, slices.DeleteFunc(all, func(d *Decision) bool {
		return unknown[d] || d.Kind != KindSuggest && s.fidelity == nil
	}), t, nil
}

// Making is the journal's record of how a suggestion was made.
func (d *Decision) Making() Making { return makingOf(d.Params, d.Study, d.Plan, d.Model) }

// Ended is where a deadline ended the surrogate that decided.
func (d *Decision) Ended() study.Cut {
	if fit := d.Making().Fit; fit != nil {
		return study.Cut{Fits: fit.Cut, Search: d.Cut}
	}
	return study.Cut{Fits: d.FitCut, Search: d.Cut}
}

// Judged returns the state and verdict that a report leads to from this state, which is the one before it.
func (s *State) Judged(d *Decision, f *study.Fidelity, rule Rule) (study.State, study.Verdict) {
	r := d.Record
	s.judge(&r, s.Trials[d.Trial-1], d.Seq, f, rule)
	return r.State, r.Verdict
}
