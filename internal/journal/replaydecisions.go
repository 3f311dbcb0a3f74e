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

	from   int // the last record that a surrogate saw; 0: none was asked
	seq    int
	study  json.RawMessage // which an edited study file may have changed since the surrogate saw from
	report Record
}

// ReplayDecisions calls decided for every decision in the journal of a study with a
// fidelity, with the state that it was made in and, before that, seen with the state that
// a surrogate saw for it. The arguments are those of Replay; recorded is the study as it
// was then.
func ReplayDecisions(ctx context.Context, o Options, spaceOf func(recorded json.RawMessage) (Space, error),
	seen, decided func(prefix *State, recorded json.RawMessage, d *Decision) error) error {
	o.adoptSpace = true
	all, err := decisions(ctx, o)
	if err != nil {
		return err
	}
	var stops []stop
	for _, d := range all {
		if d.from > 0 {
			stops = append(stops, stop{at: d.from, study: d.study, visit: func(prefix *State, recorded json.RawMessage) error { return seen(prefix, recorded, d) }})
		}
		stops = append(stops, stop{at: d.seq, before: true, study: d.study, visit: func(prefix *State, recorded json.RawMessage) error { return decided(prefix, recorded, d) }})
	}
	return walk(ctx, o, spaceOf, stops)
}

// decisions are all of a journal, in the order they were made.
func decisions(ctx context.Context, o Options) ([]*Decision, error) {
	full, _, err := Read(ctx, o)
	if err != nil || full.fidelity == nil {
		return nil, err
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
			Source: r.Source, Flags: r.Flags, Cut: r.Cut, State: r.State, Verdict: r.Verdict, seq: r.Seq, study: now}
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
				d.from = r.From
			}
		case r.Kind == KindReserve && r.To > 0:
			d.from = r.From
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
	t := &s.Trials[d.Trial-1]
	r, tried, work := d.report, *t, slices.Clone(s.Trials)
	r.State, r.Verdict = t.State, study.VerdictGo
	s.applyReport(&tried, &r, d.seq)
	work[t.Number-1] = tried
	s.judge(&r, &tried, work, t.Course, f, rule)
	return r.State, r.Verdict
}
