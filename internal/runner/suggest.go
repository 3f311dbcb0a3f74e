package runner

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"bohier/internal/journal"
	"bohier/internal/lists"
	"bohier/internal/parallel"
	"bohier/internal/policy"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

// recompute bounds how often a suggestion is computed again because other
// processes chose meanwhile; after that a spare configuration is taken.
const recompute = 2

// Suggest proposes a.N configurations and records them as pending trials, or gives the trials that the key or the
// worker has already. Waiting trials come before new ones, unless values are fixed. Fewer are proposed when the budget
// is smaller. Fitting happens without the journal's lock, on reserved numbers. The strings are warnings.
//
// Errors: Exhausted when nothing is left to suggest, NoResult when no trial is complete then or failures ended the
// study; Conflict when a key was used for something else; and the errors of the journal.
func (c Session) Suggest(ctx context.Context, a Ask) ([]study.Trial, []string, error) {
	trials, warnings, err := c.Propose(ctx, a)
	if study.HasCode(err, study.Exhausted) {
		if state, _, readErr := c.Read(ctx); readErr == nil {
			err = Ended(c.Study, state.Trials, err)
		}
	}
	return trials, warnings, err
}

// Propose is Suggest without a judgement of the study's end: Exhausted whether or not there is a result. Callers with
// trials under way judge with Ended when those are over.
func (c Session) Propose(ctx context.Context, a Ask) ([]study.Trial, []string, error) {
	a.N = max(1, a.N)
	began, recording := time.Now(), time.Duration(0)
	if a.Deadline > 0 {
		a.until = began.Add(a.Deadline)
		c.Journal.Locked = func(had time.Duration) { recording = had }
	}
	c, notes, err := c.withSources(ctx)
	if err != nil {
		return nil, nil, err
	}
	if a.DryRun {
		known, _, err := c.Read(ctx)
		if err != nil {
			return nil, nil, err
		}
		if !known.Exists && c.Study.Seed == nil {
			c.Journal.Seed = new(uint64)
			notes = append(notes, "no seed is fixed yet: the suggestion that follows will differ; set seed: in the study file")
		}
		c.Journal.Supposed = known.Apart()
	}
	for {
		trials, warnings, err := c.record(ctx, a, began, &recording)
		if !errors.Is(err, journal.ErrGone) {
			return trials, slices.Concat(notes, warnings), err
		}
	}
}

// record reserves numbers and settles their trials; recording is how long the journal's lock
// was last had. ErrGone: other processes have the numbers by now, and nothing is recorded.
func (c Session) record(ctx context.Context, a Ask, began time.Time, recording *time.Duration) ([]study.Trial,
	[]string, error) {
	hold := &journal.Hold{}
	defer hold.Close()
	c.Journal.Hold = hold
	state, trials, a, err := c.reserve(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	reading := time.Since(began)
	a.until = a.until.Add(-*recording) // as long as to reserve the numbers
	defer func() { state.Done() }()
	asked, begun := slices.Clone(trials), state.Seq == 1+len(trials)
	warnings := append(slices.Clone(state.Warnings), fewer(c.Study, a.N, len(trials))...)
	for k := range trials {
		if trials[k].State != study.Reserved {
			continue
		}
		var w []string
		if state, trials[k], w, err = c.share(ctx, state, trials[k], a); err != nil {
			if study.HasCode(err, study.Exhausted) {
				if failed := c.Release(context.WithoutCancel(ctx), trials[k:], "nothing to suggest"); failed != nil {
					warnings = append(warnings, "a number stays reserved until the next suggestion: "+failed.Error())
				}
			}
			if k > 0 && (study.HasCode(err, study.Exhausted) || errors.Is(err, journal.ErrGone)) {
				return trials[:k], append(warnings, err.Error()), nil
			}
			if ctx.Err() != nil && a.Key == "" && a.Worker == "" { // nobody will learn of them, or wait long for others
				soon, end := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
				_ = c.Release(soon, trials, "interrupted") // the next suggestion takes what stays reserved
				end()
			}
			return nil, warnings, c.undo(context.WithoutCancel(ctx), a, begun, asked, trials, k, err)
		}
		if warnings = append(warnings, w...); a.DryRun {
			trials[k].Tag = "" // which is drawn
		}
	}
	return trials, append(warnings, a.exceeded(began, reading)...), nil
}

// exceeded warns when a deadline was not kept.
func (a Ask) exceeded(began time.Time, reading time.Duration) []string {
	const slack = 1.2
	took := time.Since(began)
	if a.Deadline == 0 || float64(took) <= slack*float64(a.Deadline) {
		return nil
	}
	of := ""
	if !a.DryRun {
		of = fmt.Sprintf(", of which %v to read the journal and reserve a number", reading.Round(time.Millisecond))
	}
	return []string{fmt.Sprintf("the deadline of %v was exceeded: it took %v%s", a.Deadline, took.Round(time.Millisecond),
		of)}
}

func asking(st *study.Study, s *journal.State, a Ask) journal.Asking {
	a.queued = len(s.Queue) > 0
	left, limited := Left(st, s.Trials)
	return journal.Asking{
		N: a.N, Key: a.Key, Worker: a.Worker, Flags: a.flags(st.Space),
		Take: len(a.Fixed) == 0 && !a.New, Except: a.Except,
		Rule: rule(st, a), Full: limited && left == 0,
	}
}

// reserve takes numbers for the trials to compute, as many as the budget allows. The Ask that
// it returns has the surrogate's opinion of paused trials.
func (c Session) reserve(ctx context.Context, a Ask) (*journal.State, []study.Trial, Ask, error) {
	for try := 0; ; try++ {
		if policy.Continues(c.Study) {
			known, _, err := c.Read(ctx)
			if err != nil {
				return nil, nil, a, err
			}
			a.weighed, err = c.weigh(ctx, known, a)
			if known.Done(); err != nil {
				return nil, nil, a, err
			}
		}
		var again, judged bool
		var given []int
		var first int
		var asked journal.Asking
		state, err := journal.UpdateInParts(ctx, c.Journal, true, func(s *journal.State, part int) ([]journal.Record, bool,
			error) {
			asked = asking(c.Study, s, a)
			if w := a.weighed; w != nil && part == 0 {
				if again = try < recompute && s.Seq > w.seq || w.idle && !s.HasFor(asked); again {
					return nil, false, nil
				}
			}
			if part == 0 {
				given, judged, first = nil, false, s.NextNumber()
			}
			asked.First = first
			recs, number, err := s.Reserve(asked, given...)
			switch none := number == 0; {
			case none && len(given) > 0 && !study.HasCode(err, study.Conflict):
				return nil, false, nil
			case err == nil && (none || len(recs) > 0) && !judged: // something new is asked for
				if judged, err = true, stopped(c.Study, s.Trials, s.LastFit); err == nil && none {
					err = spent(c.Study)
				}
			}
			given = append(given, number)
			return recs, len(given) < a.N, err
		})
		if again {
			state.Done()
			continue
		}
		if err != nil {
			return state, nil, a, err
		}
		return state, state.Given(asked, given), a, nil
	}
}

// fewer warns when there were fewer trials than were asked for.
func fewer(st *study.Study, asked, got int) []string {
	if got == asked {
		return nil
	}
	why := "there is no more to suggest for now"
	if b := st.Budget.Trials; b > 0 {
		why = fmt.Sprintf("the budget of %s allows no more", study.Count(b, "trial"))
	}
	return []string{fmt.Sprintf("%d instead of %d: %s", got, asked, why)}
}

// settle computes the configuration of a reserved trial and commits it. Choices of other processes meanwhile are taken
// into account by computing again, and when that goes on for too long by taking a spare.
func (c Session) settle(ctx context.Context, state *journal.State, t study.Trial, a Ask) (*journal.State, study.Trial,
	[]string, error) {
	for try := 0; ; try++ {
		sug, queue, err := a.weighed.suggestion(state, t.Number), 0, error(nil)
		if sug == nil {
			sug, queue, err = c.choose(ctx, state, t.Number, a, state.LastFit())
		}
		if err != nil {
			return state, t, nil, err
		}
		if c.Study.Fidelity.Early() && (sug.Source == "enqueued" || sug.Source == "initial") {
			t.Course = named(c.Study, state, queue, t)
		}
		from, then := state.Seq, lists.Of(state.Pending(), func(t *study.Trial) int { return t.Number })
		state.Done()
		again := false
		state, err = journal.Update(ctx, c.Journal, func(s *journal.State) ([]journal.Record, error) {
			if again = try < recompute && sug.Source == "model" && len(s.Pending()) > len(then); again {
				return nil, nil
			}
			recs, settled, err := s.Suggest(t, sug, from, queue, suggest.TooClose(c.Study.Space, sug, then, s.Pending())...)
			if again = errors.Is(err, journal.ErrTaken); again {
				return nil, nil
			}
			if err == nil {
				t = *settled
			}
			return recs, err
		})
		if err != nil || !again {
			return state, t, sug.Warnings, err
		}
	}
}

// choose serves the queue first, then asks Next.
func (c Session) choose(ctx context.Context, s *journal.State, number int, a Ask,
	warm *study.FitRecord) (*study.Suggestion, int, error) {
	if len(s.Queue) > 0 && len(a.Fixed) == 0 {
		q := s.Queue[0]
		sug, err := fromQueue(c.Study, s, q)
		return sug, q.Seq, err
	}
	c = c.knowing(s)
	began := time.Now()
	sug, err := parallel.Prompt(ctx, func() (*study.Suggestion, error) {
		r := c.request(s, number, a.Fixed)
		r.Warm, r.Until = warm, a.until
		return suggest.Next(ctx, c.Study, s.Trials, r)
	})
	if c.Debug != nil && err == nil {
		c.Debug(study.Detail{"event", "suggested", "source", sug.Source, "duration", time.Since(began).Seconds(),
			"trial", number})
		if sug.Details != nil {
			for _, d := range sug.Details() {
				c.Debug(append(d, "trial", number))
			}
		}
	}
	return sug, 0, err
}

// fromQueue completes an enqueued configuration. One that does not fit the
// space any more is an error: the user asked for it by name.
func fromQueue(st *study.Study, s *journal.State, q journal.Enqueued) (*study.Suggestion, error) {
	a, err := st.Space.ParsePartial(q.Params)
	if err != nil {
		return nil, study.Errorf(study.Mismatch, "`bohier journal verify` shows the record",
			"an enqueued configuration does not fit the space: %v", err)
	}
	conf, err := st.Space.Complete(a, queueGenerator(s.Seed, q.Seq))
	if err != nil {
		return nil, study.Errorf(study.Mismatch, "", "an enqueued configuration cannot be completed: %v", err)
	}
	return &study.Suggestion{Config: conf, Source: "enqueued"}, nil
}

// queueGenerator draws the open parameters of an enqueued configuration.
func queueGenerator(seed uint64, seq int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(seq)<<8|suggest.StreamQueue))
}
