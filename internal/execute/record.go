package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/runner"
	"bohier/internal/study"
)

// record writes down what came of a trial. A Usage error says that the study does not
// take what the command reported; nothing is recorded then.
func (l *loop) record(ctx context.Context, t *study.Trial, a attempt) error {
	switch {
	case a.result.Note != "":
	case a.err != nil:
		a.result.Note = a.err.Error()
	case a.result.Failure != "":
		a.result.Note = fmt.Sprintf("the command reported it as %s and gave no reason", a.result.Failure)
	}
	l.bound(t, &a.result)
	result, _, err := l.Observe(context.WithoutCancel(ctx), t.ID(), a.result)
	if a.err == nil && study.HasCode(err, study.Usage) {
		return err
	}
	if err != nil {
		return l.unrecorded(t, a.result, err)
	}
	if a.err == nil && result.State == study.Pending { // of a leg
		return l.incomplete(ctx, &result)
	}
	return l.recorded(ctx, &result, a.err)
}

// bound leaves out of a report what is beyond the bounds of metrics and notes, and says so.
func (l *loop) bound(t *study.Trial, tell *runner.Tell) {
	kept, dropped := study.TrimMetrics(tell.Metrics)
	if tell.Metrics = kept; len(dropped) > 0 {
		l.note("trial %s: metrics left out, as they are too many, too long or have no proper name: %.200s", t.ID(),
			strings.Join(dropped, ", "))
	}
	if n := len(tell.Note); n > study.MaxNote {
		tell.Note = study.CutNote(tell.Note)
		l.note("trial %s: of a note of %d bytes the first %d are kept", t.ID(), n, study.MaxNote)
	}
}

// recorded notes a trial that is on disk as it, or its leg, ended; failed is what went wrong with
// the command.
func (l *loop) recorded(ctx context.Context, t *study.Trial, failed error) error {
	if failed == nil && t.State == study.Failed { // by a value that is no number, for one
		failed = errors.New(t.Note)
	}
	l.telling.Lock()
	switch {
	case t.State == study.Complete:
		l.sum.Complete++
	case failed != nil:
		l.sum.Failed++
	}
	l.telling.Unlock()
	l.tell(Event{Kind: Recorded, Trial: *t, Err: failed})
	l.prune(ctx)
	return l.failFast(failed)
}

// incomplete fails a leg whose command ended well before its goal, with values
// missing.
func (l *loop) incomplete(ctx context.Context, t *study.Trial) error {
	f := &l.Study.Fidelity
	why := fmt.Sprintf("the command ended with %s %v of %v", f.Name, f.Resource(t.Course), t.Course.Last().To)
	return l.record(ctx, t, attempt{result: runner.Tell{Failure: study.Transient, Note: why}, err: errors.New(why)})
}

// unrecorded says what came of a trial that the journal did not take, so that it is
// not lost. A trial that somebody else reported is no error.
func (l *loop) unrecorded(t *study.Trial, result runner.Tell, err error) error {
	var e *study.Error
	if errors.As(err, &e) && e.Code == study.Conflict {
		state, _, readErr := l.Read(context.Background())
		if readErr == nil {
			ends := []study.State{study.Complete, study.Failed, study.Stopped, study.Paused}
			if now, lookup := state.Trial(t.ID()); lookup == nil && slices.Contains(ends, now.State) {
				l.note("trial %s was reported from elsewhere meanwhile; kept that: %w", t.ID(), err)
				return nil
			}
		}
	}
	l.telling.Lock()
	l.unclean = true
	l.telling.Unlock()
	out := study.Wrap(study.NotRecorded, err, "when that is mended: bohier observe --journal "+strconv.Quote(l.Journal.Path),
		"the result of trial %s is not recorded", t.ID())
	switch {
	case e == nil:
	case e.Code == study.Conflict:
		out.Hint = "record it where its journal is now: bohier observe --journal FILE"
	default:
		out.Code = e.Code
	}
	out.Hint += fmt.Sprintf(" %s %s", t.ID(), arguments(l.Study, result))
	l.tell(Event{Kind: Warned, Trial: *t, Err: fmt.Errorf("%w; %s", out, out.Hint)})
	return out
}

// arguments is a result as `bohier observe` takes it.
func arguments(st *study.Study, t runner.Tell) string {
	if t.Failure != "" {
		return "--fail " + string(t.Failure)
	}
	var out []string
	for _, name := range st.Outcomes() {
		if v, ok := t.Values.Get(name); ok {
			out = append(out, name+"="+strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	if t.Cost != nil {
		out = append(out, "--cost "+strconv.FormatFloat(*t.Cost, 'g', -1, 64))
	}
	for name, v := range t.Metrics.All() {
		out = append(out, "--metric "+shellQuote(fmt.Sprintf("%s=%v", name, v)))
	}
	return strings.Join(out, " ")
}
