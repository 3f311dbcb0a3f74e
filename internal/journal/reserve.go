package journal

import (
	"errors"
	"fmt"
	"slices"

	"bohier/internal/space"
	"bohier/internal/study"
)

// Asking says who asks for trials.
type Asking struct {
	N      int    // how many trials, ≥ 1
	Key    string // idempotency key; trial i of several gets Key#i
	Worker string // gets its own pending trial back
	Flags  string // what was asked beside the key, in any fixed form; kept with every trial as it is
	Take   bool   // waiting trials come before new ones
	Except []int  // numbers of waiting trials not to take
	Room   *int   // how many more trials the budget has room for; nil: any number

	Rule *Rule // of a study with a fidelity: what comes next; nil: a new trial
}

// Reserve decides which trials to compute, fewer than asked for where there is no room. The records
// reserve numbers; they may be fewer than the trials, which can already exist: under the key, as the
// worker's own, waiting, or reserved by a process that died. A trial in state Reserved
// needs a suggestion (see Suggest); the others are the answer as they are.
func (s *State) Reserve(a Asking) ([]Record, []study.Trial, error) {
	if a.Key != "" {
		if err := keyFits(s, a); err != nil {
			return nil, nil, err
		}
	}
	var recs []Record
	var trials []study.Trial
	next, orphan, room := s.NextNumber(), 0, a.N
	if a.Room != nil {
		room = *a.Room
	}
	there := ofWorker(s, a)
	if a.Take {
		there = append(there, takeable(s, a.Worker, a.Except)...)
	}
	work, own := s.Trials, false // what the rule sees: with what was decided here
	know := func(t study.Trial) {
		if !own {
			work, own = append(make([]study.Trial, 0, len(work)+a.N), work...), true
		}
		if t.Number > len(work) {
			work = append(work, t)
		}
		work[t.Number-1] = t
	}
	for i := range a.N {
		more := i < a.N-1 // to decide
		key := a.key(i)
		if t := s.ByKey(key); t != nil {
			flags := t.Flags
			if s.keys[key].lent { // who took a waiting trial asked for nothing in particular
				flags = ""
			}
			if flags != a.Flags {
				return nil, nil, study.Errorf(study.Conflict, "Use another key, or ask as before.",
					"key %q was used for trial %s with %q, now with %q", a.Key, t.ID(), flags, a.Flags)
			}
			was := *t
			was.Leg = s.keys[key].leg
			trials = append(trials, was)
			continue
		}
		if len(there) > 0 {
			t := there[0]
			if there = there[1:]; t.Waiting {
				r := Record{Kind: KindTake, Optional: true, Trial: t.Number, Tag: t.Tag, Worker: a.Worker, Key: key}
				recs, t = append(recs, r), s.after(t, r)
			}
			trials = append(trials, *t)
			continue
		}
		var turn Turn
		if a.Rule != nil {
			if next := nextOrphan(s, orphan+1); next > 0 { // its place is taken over, if it is a new trial
				t := work[next-1]
				t.Released = true
				know(t)
			}
			if turn = a.Rule.Next(work); turn.Err != nil {
				if len(trials) == 0 {
					return nil, nil, turn.Err
				}
				break
			}
		}
		if turn.Trial > 0 {
			r := promotion(s, &work[turn.Trial-1], turn, a.Worker, key, a.Flags)
			t := *s.after(&work[turn.Trial-1], r)
			if recs, trials = append(recs, r), append(trials, t); more {
				know(t)
			}
			continue
		}
		r := Record{Kind: KindReserve, Tag: s.tag(), Key: key, Worker: a.Worker, Flags: a.Flags}
		if orphan = nextOrphan(s, orphan+1); orphan > 0 {
			r.Trial = orphan
		} else {
			orphan = len(s.Trials)
			r.Trial = next
			next++
		}
		if old := s.Number(r.Trial); old == nil || old.Released { // else it is counted already
			if room == 0 {
				break
			}
			room--
		}
		t := study.Trial{Number: r.Trial, Tag: r.Tag, Key: key, Worker: a.Worker, Flags: r.Flags, State: study.Reserved}
		if a.Rule != nil {
			r.Start, r.To, r.From, r.Cut, r.FitCut = turn.Start, turn.To, turn.Seen, turn.Cut.Search, turn.Cut.Fits
			if s.begin(&t, &r); more {
				know(t)
			}
		}
		recs = append(recs, r)
		trials = append(trials, t)
	}
	return recs, trials, nil
}

// HasFor reports whether the trials asked for exist: under the key, as the worker's own, or
// waiting. No rule is asked then.
func (s *State) HasFor(a Asking) bool {
	a.Rule, a.Room = nil, nil
	recs, _, err := s.Reserve(a)
	return err != nil || !slices.ContainsFunc(recs, func(r Record) bool { return r.Kind == KindReserve })
}

func (a *Asking) key(i int) string {
	if a.Key == "" || a.N == 1 {
		return a.Key
	}
	return fmt.Sprintf("%s#%d", a.Key, i+1)
}

// keyFits refuses a key that was used for one trial and now asks for several, or
// for more than it asks for now. Asking for more completes a batch that a crash
// cut short.
func keyFits(s *State, a Asking) error {
	others := []string{a.Key + "#1"}
	if a.N > 1 {
		others = []string{a.Key, fmt.Sprintf("%s#%d", a.Key, a.N+1)}
	}
	for _, other := range others {
		if t := s.ByKey(other); t != nil {
			return study.Errorf(study.Conflict, "Use another key, or ask for as many trials as before.",
				"key %q was used for another number of trials, with %s among them", a.Key, t.ID())
		}
	}
	return nil
}

// ofWorker returns the worker's own trials that wait for a configuration or an observation,
// except trials of another space. Several processes under one name share them.
func ofWorker(s *State, a Asking) []*study.Trial {
	if a.Worker == "" || a.Key != "" {
		return nil
	}
	var out []*study.Trial
	for i := range s.Trials {
		t := &s.Trials[i]
		key := t.Key
		if t.Course.Leg() > 1 {
			key = t.Course.Last().Key
		}
		if t.Worker == a.Worker && key == "" && !t.Waiting && !t.Outside &&
			(t.State == study.Pending || t.State == study.Reserved) {
			out = append(out, t)
		}
	}
	return out
}

// nextOrphan is the first reserved trial from number on that nobody computes any
// more and no key will ask for; 0: none.
func nextOrphan(s *State, number int) int {
	for n := number; n <= len(s.Trials); n++ {
		t := &s.Trials[n-1]
		if t.State == study.Reserved && t.Key == "" && !s.Held(n) {
			return n
		}
	}
	return 0
}

// ErrTaken means that every configuration of a suggestion was taken by others
// meanwhile: compute again from the new state.
var ErrTaken = errors.New("the configurations were taken meanwhile")

// ErrGone means that a reserved number is another process's by now, as after a loss of what
// kept it: reserve anew.
var ErrGone = errors.New("the reservation is gone")

// Suggest gives a reserved trial its configuration: the suggestion's choice, or
// the first spare, that no trial took since record from. queue is the Seq of the
// queue entry it serves, 0: none. When the trial has a configuration already
// (another process with the same key was faster) nothing is written and that
// trial is the answer. also are trials chosen in the same decision, for a batch.
// Needs the state's Space.
func (s *State) Suggest(t study.Trial, sg *study.Suggestion, from, queue int, also ...*study.Trial) ([]Record,
	*study.Trial, error) {
	now := s.Current(&t)
	switch {
	case now == nil || now.Released:
		return nil, nil, ErrGone
	case now.State != study.Reserved:
		return nil, now, nil
	}
	spare, config := 0, sg.Config
	for taken(s, from, config, also) {
		if spare == len(sg.Spare) || queue > 0 {
			return nil, nil, ErrTaken
		}
		config = sg.Spare[spare]
		spare++
	}
	if queue > 0 && !slices.ContainsFunc(s.Queue, func(q Enqueued) bool { return q.Seq == queue }) {
		return nil, nil, ErrTaken
	}
	r := Record{Kind: KindSuggest, Trial: t.Number, Tag: t.Tag, Params: s.space.AppendJSON(nil, config), Source: sg.Source,
		From: from, Cut: sg.Cut.Search, Spare: spare, Queue: queue}
	if l := now.Course.Last(); l != nil {
		r.Start, r.To = now.Course.Start, l.To
		if t.Course.Leg() == 1 { // a queued configuration may say where it starts
			r.Start, r.To = t.Course.Start, t.Course.Last().To
		}
	}
	out := *now
	s.begin(&out, &r)
	out.State, out.Config, out.Source, out.From, out.Cut, out.Spare, out.Fit = study.Pending, config, sg.Source, from,
		sg.Cut.Search, spare, sg.Fit
	plan, ok, err := planRecord(now, sg)
	if err != nil || !ok {
		return []Record{r}, &out, err
	}
	return []Record{r, plan}, &out, nil
}

// taken reports whether a trial that got its configuration after record from, or
// one of also, has this one.
func taken(s *State, from int, c space.Configuration, also []*study.Trial) bool {
	if slices.ContainsFunc(also, func(t *study.Trial) bool { return t.Config.Equal(c) }) {
		return true
	}
	for i := range s.Trials {
		if int(s.notes[i].configured) > from && s.Trials[i].Config.Equal(c) {
			return true
		}
	}
	return false
}

// tag is four random letters.
func (s *State) tag() string { return s.random.nonce(4) }
