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
	Flags  string // the request beside the key, in any fixed form; kept with every trial as it is
	Take   bool   // waiting trials come before new ones
	Except []int  // numbers of waiting trials not to take
	Full   bool   // the budget has no room for another trial
	First  int    // the next number when the asking began; 0: not known

	Rule *Rule // of a study with a fidelity: the next leg; nil: a new trial
}

// Reserve decides on one more trial for a caller who was given trials by some numbers, from a state that has the
// decisions on these. The records reserve the number, unless the trial exists: under the key, as the worker's own,
// waiting, paused, or reserved by a process that died. A trial in state Reserved needs a suggestion (see Suggest). The
// number is 0 where there is no room, and with an error: a study.Conflict, or the error of the rule.
func (s *State) Reserve(a Asking, given ...int) (recs []Record, number int, err error) {
	if a.Key != "" && len(given) == 0 {
		if err := keyFits(s, a); err != nil {
			return nil, 0, err
		}
	}
	key := a.key(len(given))
	var there []*study.Trial
	var orphan *study.Trial
	if t := s.ByKey(key); t != nil {
		flags := t.Flags
		if s.keys[key].lent { // who took a waiting trial asked for nothing in particular
			flags = ""
		}
		if flags != a.Flags {
			return nil, 0, study.Errorf(study.Conflict, "Use another key, or ask as before.",
				"key %q was used for trial %s with %q, now with %q", a.Key, t.ID(), flags, a.Flags)
		}
		there = []*study.Trial{t}
	} else if n := len(given); n == 0 || a.First == 0 || given[n-1] < a.First { // else a new one was given, the last
		if there = ofWorker(s, a); a.Take {
			there = append(there, takeable(s, a.Worker, a.Except)...)
		}
		orphan = s.orphan(given)
	}
	for _, t := range there {
		if slices.Contains(given, t.Number) {
			continue
		}
		if t.Waiting {
			recs = []Record{{Kind: KindTake, Optional: true, Trial: t.Number, Tag: t.Tag, Worker: a.Worker, Key: key}}
		}
		return recs, t.Number, nil
	}
	r := Record{Kind: KindReserve, Trial: s.NextNumber(), Tag: s.tag(), Key: key, Worker: a.Worker, Flags: a.Flags}
	if orphan != nil {
		r.Trial = orphan.Number
	}
	if a.Rule != nil {
		var task study.Task
		next := func(trials []study.Trial) { task, err = a.Rule.Next(trials) }
		if orphan != nil { // its place is taken over, if it is a new trial
			t := *orphan
			t.Released = true
			s.Supposing(t, next)
		} else {
			next(s.Trials)
		}
		if err != nil {
			return nil, 0, err
		}
		if task.Trial > 0 {
			return []Record{promotion(s, s.Number(task.Trial), task, a.Worker, key, a.Flags)}, task.Trial, nil
		}
		r.Start, r.To, r.From, r.Cut, r.FitCut = task.Start, task.To, task.Seen, task.Cut.Search, task.Cut.Fits
	}
	if a.Full && (orphan == nil || orphan.Released) { // else it is counted already
		return nil, 0, nil
	}
	return []Record{r}, r.Trial, nil
}

// Given are the trials that a worker got by their numbers.
func (s *State) Given(a Asking, numbers []int) []study.Trial {
	out := make([]study.Trial, len(numbers))
	for i, n := range numbers {
		out[i] = *s.Number(n)
		out[i].Leg = s.keys[a.key(i)].leg
	}
	return out
}

// HasFor reports whether the trials asked for exist: under the key, as the worker's own, or
// waiting. No rule is asked then.
func (s *State) HasFor(a Asking) bool {
	a.Rule, a.Full = nil, false
	for given := []int(nil); len(given) < a.N; {
		recs, number, err := s.Reserve(a, given...)
		if err != nil || len(recs) > 0 && recs[0].Kind == KindReserve {
			return err != nil
		}
		given = append(given, number)
	}
	return true
}

func (a *Asking) key(i int) string {
	if a.Key == "" || a.N == 1 {
		return a.Key
	}
	return fmt.Sprintf("%s#%d", a.Key, i+1)
}

// keyFits refuses a key that was used for one trial and now asks for several, or for more than it asks for now. Asking
// for more completes a batch that a crash cut short.
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

// orphan is the first reserved trial that nobody computes any more and no key will ask for, but for
// those with some numbers; nil: there is none.
func (s *State) orphan(but []int) *study.Trial {
	for _, t := range study.In(study.Reserved, s.Trials) {
		if t.Key == "" && !slices.Contains(but, t.Number) && !s.Held(t.Number) {
			return t
		}
	}
	return nil
}

// ErrTaken means that every configuration of a suggestion was taken by others
// meanwhile: compute again from the new state.
var ErrTaken = errors.New("the configurations were taken meanwhile")

// ErrGone means that a reserved number is another process's by now, as after a loss of its hold: reserve anew.
var ErrGone = errors.New("the reservation is gone")

// Suggest gives a reserved trial its configuration: the suggestion's choice, or the first spare, that no trial took
// since record from. queue is the Seq of the queue entry it serves, 0: none. When the trial has a configuration already
// (another process with the same key was faster) nothing is written and that trial is the answer. also are trials
// chosen in the same decision, for a batch. Needs the state's Space.
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
	begin(&out, &r)
	out.State, out.Config, out.Source, out.From, out.Cut, out.Spare, out.Fit = study.Pending, config, sg.Source, from,
		sg.Cut.Search, spare, sg.Fit
	plan, ok, err := planRecord(now, sg)
	if err != nil || !ok {
		return []Record{r}, &out, err
	}
	return []Record{r, plan}, &out, nil
}

// taken reports whether a trial that got its configuration after record from, or one of also, has this one.
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
func (s *State) tag() string { return s.options.nonce(4) }
