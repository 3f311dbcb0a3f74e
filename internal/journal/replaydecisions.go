package journal

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"bohier/internal/study"
)

// A Decision is what the journal keeps of one decision of a Rule: a new trial's levels
// (KindReserve), a further leg (KindPromote) or a verdict (KindReport).
type Decision struct {
	Kind      Kind
	Trial     int
	Tag       string
	Leg       int
	Start, To float64
	Resource  float64 // of a report
	Source    string
	Flags     string
	Cut       int
	State     study.State
	Verdict   study.Verdict

	From  int             // the last record that a surrogate saw; 0: none was asked
	Seq   int             // its own record
	Study json.RawMessage // then, which an edited study file may have changed since the surrogate saw From

	report Record
}

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
	open := map[*Decision]bool{} // numbers that got no configuration: nobody was told of the decision
	var now json.RawMessage
	_, err = scan(src, func(r *Record) error {
		if r.Study != nil {
			now = slices.Clone(r.Study)
		}
		d := &Decision{Kind: r.Kind, Trial: r.Trial, Tag: r.Tag, Leg: r.Leg, Start: r.Start, To: r.To, Resource: r.Resource,
			Source: r.Source, Flags: r.Flags, Cut: r.Cut, State: r.State, Verdict: r.Verdict, Seq: r.Seq, Study: now}
		switch {
		case r.Kind == KindReport && r.Verdict != "":
			reported[r.Trial] = r.Seq
			if r.Leg == 0 { // from another journal, or of a trial without legs: no rung answered
				return nil
			}
			d.report = *r
			d.report.Values, d.report.Curve = maps.Clone(r.Values), slices.Clone(r.Curve)
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
		all = append(all, d)
		return nil
	})
	return slices.DeleteFunc(all, func(d *Decision) bool { return open[d] }), err
}

// Judged is what a report comes to in this state, which is the one before it.
func (s *State) Judged(d *Decision, f *study.Fidelity, rule Rule) (study.State, study.Verdict) {
	r := d.report
	s.judge(&r, s.Trials[d.Trial-1], slices.Clone(s.Trials), d.Seq, f, rule)
	return r.State, r.Verdict
}
