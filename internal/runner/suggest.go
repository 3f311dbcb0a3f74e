package runner

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"bohier/internal/journal"
	"bohier/internal/parallel"
	"bohier/internal/space"
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

// record reserves numbers and gives their trials configurations; recording is how long the journal's lock
// was last had. ErrGone: other processes have the numbers by now, and nothing is recorded.
func (c Session) record(ctx context.Context, a Ask, began time.Time, recording *time.Duration) ([]study.Trial,
	[]string, error) {
	hold := &journal.Hold{}
	defer hold.Close()
	c.Journal.Hold = hold
	b := batch{Session: c, ask: a}
	if err := b.reserve(ctx); err != nil {
		return nil, nil, err
	}
	reading := time.Since(began)
	b.ask.until = b.ask.until.Add(-*recording) // as long as to reserve the numbers
	defer func() { b.state.Done() }()
	warnings := append(slices.Clone(b.state.Warnings), fewer(c.Study, a.N, len(b.trials))...)
	for k := range b.trials {
		if b.trials[k].State != study.Reserved {
			continue
		}
		w, err := b.share(ctx, k)
		if err != nil {
			return b.endAt(ctx, k, warnings, err)
		}
		if warnings = append(warnings, w...); a.DryRun {
			b.trials[k].Tag = "" // which is drawn
		}
	}
	return b.trials, append(warnings, b.ask.exceeded(began, reading)...), nil
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

// choose serves the queue first, then asks Next.
func (c Session) choose(ctx context.Context, s *journal.State, number int, a Ask) (*study.Suggestion, int, error) {
	if len(s.Queue) > 0 && len(a.Fixed) == 0 {
		q := s.Queue[0]
		sug, err := fromQueue(c.Study, s, q)
		return sug, q.Seq, err
	}
	c = c.knowing(s)
	began := time.Now()
	sug, err := parallel.Prompt(ctx, func() (*study.Suggestion, error) {
		r := c.request(s, number, a.Fixed)
		r.Until = a.until
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
	var conf space.Configuration
	a, err := st.Space.ParsePartial(q.Params)
	if err == nil {
		conf, err = st.Space.Complete(a, queueGenerator(s.Seed, q.Seq))
	}
	if err != nil {
		return nil, study.Errorf(study.Mismatch, "change the study file back, run `bohier migrate` and `bohier suggest`, "+
			"`bohier abandon` the trial, and change the file again",
			"an enqueued configuration does not fit the space: %v", err)
	}
	return &study.Suggestion{Config: conf, Source: "enqueued"}, nil
}

// queueGenerator draws the open parameters of an enqueued configuration.
func queueGenerator(seed uint64, seq int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(seq)<<8|suggest.StreamQueue))
}
