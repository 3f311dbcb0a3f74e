package journal

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"bohier/internal/study"
)

// Nobody is the worker of a trial that was suggested ahead of being asked for: it waits until somebody takes it.
const Nobody = "-"

// Return decides which of the trials wait from now on: they stay pending, with their number, tag and configuration, and
// the next one to ask takes them. Number, Tag and Worker of each say whose trial is given back; one that was observed,
// or that another worker has by now, is left alone.
func (s *State) Return(trials []study.Trial, note string) []Record {
	var recs []Record
	for now := range stillWith(s, trials) {
		recs = append(recs, returned(now, note))
	}
	return recs
}

// ReturnOne is Return of a pending trial of any worker.
func (s *State) ReturnOne(id string) ([]Record, *study.Trial, error) {
	return s.on(id, func(t *study.Trial) ([]Record, error) {
		if t.State != study.Pending {
			return nil, study.Errorf(study.Conflict, "Only a pending trial can be given back.", "trial %s is %s", t.ID(),
				t.State)
		}
		return s.Return([]study.Trial{*t}, ""), nil
	})
}

// stillWith yields the trials, as they are here, that their Worker still has.
func stillWith(s *State, trials []study.Trial) iter.Seq[*study.Trial] {
	return func(yield func(*study.Trial) bool) {
		for i := range trials {
			now := s.Current(&trials[i])
			if now != nil && now.State == study.Pending && !now.Waiting && now.Worker == trials[i].Worker && !yield(now) {
				return
			}
		}
	}
}

// Current is the state's own version of a trial; nil where it has another one under that number.
func (s *State) Current(t *study.Trial) *study.Trial {
	if now := s.Number(t.Number); now != nil && now.Tag == t.Tag {
		return now
	}
	return nil
}

func returned(t *study.Trial, note string) Record {
	return Record{Kind: KindReturn, Optional: true, Trial: t.Number, Tag: t.Tag, Worker: t.Worker, Note: note}
}

// takeable returns the waiting trials in the order in which a worker takes them: trials that
// its NAME had before, then the others, by number; none that misses the step of today.
func takeable(s *State, worker string, except []int) []*study.Trial {
	var own, others []*study.Trial
	name := workerName(worker)
	for _, t := range s.Pending() {
		switch {
		case !t.Waiting || t.Outside || s.space.Proposable(t.Config) != nil || slices.Contains(except, t.Number):
		case name != "" && workerName(t.Worker) == name:
			own = append(own, t)
		default:
			others = append(others, t)
		}
	}
	return append(own, others...)
}

// workerName is a worker without the letters of one process: NAME/k of NAME/k#NONCE.
func workerName(worker string) string {
	if i := strings.LastIndexByte(worker, '#'); i >= 0 {
		return worker[:i]
	}
	return worker
}

// lend gives a trial a further key, unless that asked for another one: a program that does not
// know the records goes on beside one that does, and its records meanwhile are no contradiction.
func (s folding) lend(key string, t *study.Trial) {
	if k := s.keys[key]; key != "" && (k.number == 0 || k.lent) {
		s.keys[key] = keyUse{t.Number, true, t.Course.Leg()}
	}
}

// A worker that is silent for too long has lost its trials. One that was lost this
// often ends: its configuration may end the workers.
const (
	mostLost = 3
	lostNote = "its worker gave no sign"
)

// Lose decides which of the trials wait from now on because their workers gave no sign:
// as Return, but a trial that was lost for the third time has failed in passing.
func (s *State) Lose(trials []study.Trial) (recs []Record, err error) {
	for now := range stillWith(s, trials) {
		if now.Lost+1 < mostLost {
			recs = append(recs, returned(now, lostNote))
			continue
		}
		more, _, err := s.Observe(now.ID(), study.Report{Failure: study.Transient,
			Note: fmt.Sprintf("lost %d times: the workers that ran it gave no sign any more", mostLost)})
		if err != nil {
			return nil, err
		}
		recs = append(recs, more...)
	}
	return recs, nil
}

// Unreserve takes back the reservations that o.Hold keeps, which will get no configuration, by cutting the last update
// off, so that a failure leaves the journal byte for byte as it was. It reports whether it did. It does so only where
// nobody can have built on them: nothing was recorded since, they have neither key nor worker, by which another process
// might compute the same trial, and no other reservation is being computed, from a state that holds them. Under leases
// and in stores that cannot be known. A reservation that stays does no harm: the next suggestion takes the numbers.
func Unreserve(ctx context.Context, o Options, trials []study.Trial) (bool, error) {
	if o.Store != nil || o.Hold == nil { // a store keeps its records
		return false, nil
	}
	o = o.defaults()
	w, err := open(ctx, &o)
	if err != nil {
		return false, err
	}
	defer w.close()
	s, last := w.state, o.Hold.last
	if w.lock.lease != nil || last.before == 0 || last.after != s.pos() || w.tail.warned { // or line ends were changed
		return false, nil
	}
	for i := range s.Trials {
		t := &s.Trials[i]
		mine := slices.ContainsFunc(trials, func(m study.Trial) bool { return m.ID() == t.ID() })
		if t.State == study.Reserved && (t.Key != "" || t.Worker != "" || !mine && s.held(t.Number)) {
			return false, nil
		}
	}
	// The older mark is true in either case; the newer one would speak of records that are gone.
	err = writeMark(w.lock.f, s.markOf(last.before, w.generation))
	if err == nil {
		err = w.lock.f.Sync()
	}
	if err = cmp.Or(err, w.lock.valid()); err == nil {
		err = w.f.Truncate(last.end)
	}
	if err != nil {
		return false, err
	}
	return true, w.f.Sync()
}
