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
	o.AnySpace, o.Memory = true, nil
	all, err := o.decisions(ctx)
	if err == nil {
		all, err = wanted(all)
	}
	if err != nil {
		return err
	}
	at, last := map[int][]*Decision{}, 0 // by the record that they are visited after
	stop := func(after int, d *Decision) { at[after], last = append(at[after], d), max(last, after) }
	for _, d := range all {
		if d.From > 0 {
			stop(d.From, d)
		}
		if before := d.Seq - 1; d.Kind != KindSuggest && before != d.From {
			stop(before, d)
		}
	}
	if last == 0 {
		return nil
	}
	var failed error
	o.each = func(prefix *State, r *Record) error {
		prefix.show()
		for _, d := range at[r.Seq] {
			if failed = ctx.Err(); failed == nil {
				failed = visit(d, prefix)
			}
			if failed != nil {
				return errEnough
			}
		}
		if prefix.seen = 0; r.Seq == last { // no visit has kept a trial
			return errEnough
		}
		return nil
	}
	_, err = ReadUpTo(ctx, o, last)
	return cmp.Or(failed, err)
}

// A Decision is the record of one decision that can be made again: a suggestion (KindSuggest) with
// the Flags of its reservation and the Plan and Model of the record after it, or a decision of a
// Rule: a new trial's levels (KindReserve), a further leg (KindPromote) or a verdict (KindReport).
// Its From is the last record that was seen, of a rule by its surrogate, 0 where none was asked.
// Its Study is the one in force then, which an edited study file may have changed since From.
type Decision struct{ Record }

// decisions are all of a journal that reached somebody, in the order they were made.
func (o Options) decisions(ctx context.Context) (all []*Decision, err error) {
	var asked map[int]string // the flags of reserved numbers
	var reported map[int]int // the newest report of each trial
	var reserved, suggested map[int]*Decision
	var unknown map[*Decision]bool // whose number got no configuration, or whose configuration reached nobody
	o.bare = true
	o.each = func(s *State, r *Record) error {
		keep := func(from int) *Decision {
			d := &Decision{*r}
			d.From, d.Study, d.Params = from, s.Study, slices.Clone(r.Params)
			all = append(all, d)
			return d
		}
		switch r.Kind {
		case KindHeader:
			all, asked, reported, unknown = nil, map[int]string{}, map[int]int{}, map[*Decision]bool{}
			reserved, suggested = map[int]*Decision{}, map[int]*Decision{}
		case KindReport:
			if r.Verdict == "" {
				break
			}
			reported[r.Trial] = r.Seq
			if r.Leg > 0 { // else from another journal, or of a trial without legs: no rung answered
				keep(0)
			}
		case KindPromote:
			from := r.From
			if reported[r.Trial] > r.From { // the reporter asked, and the rungs answered
				from = 0
			}
			keep(from)
		case KindReserve:
			if asked[r.Trial] = r.Flags; r.To > 0 {
				d := keep(r.From)
				reserved[r.Trial], unknown[d] = d, true
			}
		case KindSuggest:
			delete(unknown, reserved[r.Trial])
			if r.From == 0 { // no surrogate or design chose it
				break
			}
			d := keep(r.From)
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
		return nil
	}
	s, _, err := Read(ctx, o)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(d *Decision) bool {
		return unknown[d] || d.Kind != KindSuggest && s.fidelity == nil
	}), nil
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
