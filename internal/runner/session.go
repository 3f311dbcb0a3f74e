package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"bohier/internal/journal"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
	"bohier/internal/surrogate"
)

// A Session binds a study to its journal.
type Session struct {
	Study   *study.Study
	Journal journal.Options
	// SourceJournals are the journals of the warm start that are no files, by their locations.
	SourceJournals map[string]journal.Options
	// Kept has earlier fits, so that no surrogate is fitted to the same data a second time; nil: nothing is kept. It
	// changes no result.
	Kept *suggest.Kept
	// Debug, unless nil, receives the log of the surrogates and the search.
	Debug func(study.Detail)
	// Warn, unless nil, receives warnings for a reporter.
	Warn func(line string)

	sources []surrogate.Source // warm start; set by withSources
}

// Ask describes the request to Suggest.
type Ask struct {
	N        int              // how many; 0 means 1
	Fixed    space.Assignment // values to keep
	Key      string           // idempotency key; empty: none
	Worker   string           // gets its own pending trial back, or a waiting one it had before
	Except   []int            // numbers of waiting trials not to take
	DryRun   bool             // record nothing
	New      bool             // a new trial even where one waits or a promotion is due
	Start    float64          // > 0: the level at which a new trial starts, in a study with a fidelity
	Deadline time.Duration    // > 0: return the best found by then, counted from the call

	until   time.Time // the deadline; set by Suggest
	queued  bool      // a configuration waits to be proposed
	weighed *weighing // a surrogate's judgement of paused trials; nil: the rungs decide
}

// Read returns the journal's state and warnings about it, without a lock.
func (c Session) Read(ctx context.Context) (*journal.State, []string, error) {
	return journal.Read(ctx, c.Journal)
}

// For returns the session for the k-th objective alone, which answers questions about that
// objective: it must not write to the journal.
func (c Session) For(k int) Session {
	c.Study = c.Study.For(k)
	return c
}

// Observe records the result of a trial, named by number or id. was is the trial before; nil: the journal says so
// already.
func (c Session) Observe(ctx context.Context, id string, t study.Report) (trial study.Trial, was *study.Trial,
	err error) {
	f, further := &c.Study.Fidelity, t.Mode == study.Replicate
	if further && t.At != 0 && t.At != f.High() {
		return trial, nil, study.Errorf(study.Usage, "",
			"only the value at the full resource can be measured again; kind: repeats plans further measurements")
	}
	if err := cmp.Or(checkPlaces(c.Study, t), checkPartial(c.Study, t)); err != nil {
		return trial, nil, err
	}
	var warnings []string
	trial, recorded, err := c.Update(ctx, func(s *journal.State) (recs []journal.Record, after *study.Trial, err error) {
		warnings = nil
		now, err := s.Trial(id)
		if err != nil {
			return nil, nil, err
		}
		was = new(*now)
		if f.Early() && !further {
			recs, after, warnings, err = c.report(s, now, t)
			return recs, after, err
		}
		var known study.Values // reported before, and so not missing
		if t.Mode == study.Once {
			known = now.Values
		}
		out := t
		out.Observation = costed(c.Study, t.Observation)
		if out.Partial, err = checkMeasured(c.Study, t, known, needed(c.Study, 0)); err != nil {
			return nil, nil, err
		}
		if out.Params, err = actual(c.Study, now, t.Actual, &warnings); err != nil {
			return nil, nil, err
		}
		return s.Observe(id, out)
	})
	for _, w := range warnings {
		if err == nil && c.Warn != nil {
			c.Warn(w)
		}
	}
	if !recorded {
		was = nil
	}
	return trial, was, err
}

// ReturnAll gives trials back that their Worker still has, all at once, and returns these.
func (c Session) ReturnAll(ctx context.Context, trials []study.Trial, why string) (returned []study.Trial, err error) {
	return c.give(ctx, func(s *journal.State) ([]journal.Record, error) { return s.Return(trials, why), nil })
}

// Lose gives back the trials of workers that gave no sign, as far as their Worker still has
// them; one that was lost for the third time has failed instead.
func (c Session) Lose(ctx context.Context, trials []study.Trial) (lost []study.Trial, err error) {
	return c.give(ctx, func(s *journal.State) ([]journal.Record, error) { return s.Lose(trials) })
}

// give records a decision about trials of workers, and returns the trials as they were before.
func (c Session) give(ctx context.Context, decide func(*journal.State) ([]journal.Record, error)) (trials []study.Trial,
	err error) {
	after, err := journal.Update(ctx, c.Journal, func(s *journal.State) ([]journal.Record, error) {
		trials = nil
		recs, err := decide(s)
		for _, r := range recs {
			trials = append(trials, s.Trials[r.Trial-1])
		}
		return recs, err
	})
	after.Done()
	return trials, err
}

// Update records a decision about one trial under the journal's lock, and returns the trial after it; no
// records mean that the journal has it already. A copy of the trial that decide returns has the course to return.
func (c Session) Update(ctx context.Context,
	decide func(*journal.State) ([]journal.Record, *study.Trial, error)) (trial study.Trial, recorded bool, err error) {
	var number int
	var answer *study.Course
	after, err := journal.Update(ctx, c.Journal, func(s *journal.State) ([]journal.Record, error) {
		recs, t, err := decide(s)
		if err != nil {
			return nil, err
		}
		if number, recorded, answer = t.Number, len(recs) > 0, nil; t != s.Number(number) {
			answer = t.Course
		}
		return recs, nil
	})
	if err != nil {
		return trial, false, err
	}
	defer after.Done()
	if trial = *after.Number(number); answer != nil {
		trial.Course = answer
	}
	return trial, recorded, nil
}

// partOfAdded is how many additions are turned into records at a time.
const partOfAdded = 1000

// Add records the configurations that added yields, all of them or none; it returns an error among
// them. There may be about so many. Very many are read while the journal is locked, a part at a time,
// and from the first one on again where others came first. visit, unless nil, gets the place of an
// addition, from 0, its trial, and whether the journal has it already.
func (c Session) Add(ctx context.Context, about int, added iter.Seq2[study.Addition, error],
	visit func(k int, t *study.Trial, known bool)) error {
	next, stop := iter.Pull2(c.additions(added))
	defer func() { stop() }()
	now, err, more := next() // of few all, so that the lock is short
	if err != nil {
		return err
	}
	begun, n := false, 0
	c.Journal.Coming = about
	_, err = journal.UpdateInParts(ctx, c.Journal, false, func(s *journal.State, part int) ([]journal.Record, bool,
		error) {
		if part == 0 && begun {
			stop()
			next, stop = iter.Pull2(c.additions(added))
			now, err, more = next()
		}
		if err != nil || !more {
			return nil, false, err
		}
		if part == 0 {
			begun, n = true, 0
		}
		s.Expect(about - n)
		recs, trials, wrong := s.Add(now)
		for k := range trials {
			if visit != nil {
				visit(n+k, &trials[k], trials[k].Number < s.NextNumber())
			}
		}
		n += len(trials)
		if wrong != nil {
			return nil, false, wrong
		}
		now, err, more = next()
		return recs, more, nil
	})
	return err
}

// additions are the records of configurations, in parts that are valid until the next one.
func (c Session) additions(added iter.Seq2[study.Addition, error]) iter.Seq2[[]study.Addition, error] {
	return func(yield func([]study.Addition, error) bool) {
		keys, part := map[string]bool{}, make([]study.Addition, 0, 1)
		for a, err := range added {
			if err == nil {
				err = ready(c.Study, &a)
			}
			if err == nil && a.Key != "" && keys[a.Key] {
				err = study.Errorf(study.Conflict, "Give each its own key.", "key %q is used twice", a.Key)
			}
			if err != nil && a.Line > 0 {
				err = fmt.Errorf("line %d: %w", a.Line, err)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			keys[a.Key] = true
			if part = append(part, a); len(part) == partOfAdded {
				if !yield(part, nil) {
					return
				}
				part = part[:0]
			}
		}
		if len(part) > 0 {
			yield(part, nil)
		}
	}
}

// ready checks an addition, and completes it for the journal.
func ready(st *study.Study, a *study.Addition) error {
	a.Params, a.Observation = st.Space.AppendJSON(nil, a.Config), costed(st, a.Observation)
	if err := placeAddition(st, a); err != nil {
		return err
	}
	if _, err := checkMeasured(st, a.Report, nil, needed(st, a.At)); err != nil {
		return err
	}
	a.Partial = a.At > 0 && a.At < st.Fidelity.High()
	for k, o := range a.Replicates {
		if _, err := checkMeasured(st, study.Report{Observation: o}, nil, needed(st, 0)); err != nil {
			return err
		}
		a.Replicates[k] = costed(st, o)
	}
	return nil
}

// Enqueue has a configuration, perhaps partial, proposed next. It must fit the space and its constraints. place is its
// place in the queue, from 1, or 0 if it was proposed already. The strings are warnings.
func (c Session) Enqueue(ctx context.Context, a space.Assignment, key string, start float64) (place int, recorded bool,
	warnings []string, err error) {
	if _, err := c.Study.Space.Complete(a, queueGenerator(0, 0)); err != nil {
		return 0, false, nil, study.Errorf(study.Usage, "`bohier check` describes the space",
			"this configuration cannot be proposed: %v", err)
	}
	params := c.Study.Space.PartialJSON(a)
	_, err = journal.Update(ctx, c.Journal, func(s *journal.State) ([]journal.Record, error) {
		recs, err := s.Enqueue(params, key)
		if recorded = len(recs) > 0; recorded {
			recs[0].Start = start
		}
		place = 1 + len(s.Queue)
		if !recorded {
			place = 1 + slices.IndexFunc(s.Queue, func(q journal.Enqueued) bool { return q.Key == key })
		}
		warnings = nil
		if left, limited := Left(c.Study, s.Trials); limited && left < place && place > 0 {
			warnings = []string{fmt.Sprintf("the budget of %s has room for %d more: raise budget.trials, or this is not "+
				"proposed",
				study.Count(c.Study.Budget.Trials, "trial"), left)}
		}
		return recs, err
	})
	return place, recorded, warnings, err
}

// Release takes back suggestions that could not be delivered.
func (c Session) Release(ctx context.Context, trials []study.Trial, why string) error {
	_, err := c.give(ctx, func(s *journal.State) ([]journal.Record, error) { return s.Release(trials, why), nil })
	return err
}

// startFlag is the prefix of the level that was asked for.
const startFlag = " --start "

// flags are the flags beside the key, as the journal keeps them with the trial and compares them with earlier ones.
// Fixed values of a choice are its texts, whatever type JSON gives it, as in journals that are older than those types.
func (a Ask) flags(s *space.Space) (text string) {
	if len(a.Fixed) > 0 {
		text = string(s.PartialTexts(a.Fixed))
	}
	if a.Start > 0 {
		text += startFlag + strconv.FormatFloat(a.Start, 'g', -1, 64)
	}
	return text
}

// startOf is the level that flags asked for; 0: none.
func startOf(flags string) float64 {
	_, level, _ := strings.Cut(flags, startFlag)
	v, _ := strconv.ParseFloat(level, 64) // written by flags
	return v
}

// parseFixed reads the fixed values of flags; behind them the journal notes how many
// trials a key asked for, and at which level.
func parseFixed(s *space.Space, text string) (space.Assignment, error) {
	text, _, _ = strings.Cut(text, " -n ")
	text, _, _ = strings.Cut(text, startFlag)
	if text == "" {
		return nil, nil
	}
	return s.ParsePartial(json.RawMessage(text))
}
