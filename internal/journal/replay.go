package journal

import (
	"cmp"
	"context"
	"slices"
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
