package execute

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"bohier/internal/lists"
	"bohier/internal/study"
)

// afterSignal is how long a command that ended as by a scheduler's signal is not
// judged: a scheduler signals every process of a job, and this one's may come last.
const afterSignal = 2 * time.Second

// try runs the command for a trial, again after failures as often as the study allows, and records the
// result. The trial is left where nothing is known of it.
func (l *loop) try(ctx context.Context, t *study.Trial, c *claim) (left bool, err error) {
	l.emit(Event{Kind: Started, Trial: *t, Again: t.Returns > 0})
	ctx, end := l.begin(ctx, t)
	defer end()
	for tries, late := 0, 0; ; {
		a, err := l.attempt(ctx, t, c, tries+late > 0)
		cause := context.Cause(ctx)
		switch {
		case err != nil:
			return true, cannotRun(err)
		case a.recorded != nil:
			return false, l.recorded(ctx, a.recorded, nil)
		case a.stopped && (errors.Is(cause, errTaken) || errors.Is(cause, errElsewhere)):
			l.note("trial %s was stopped: %w", t.ID(), cause)
			return false, nil
		case a.stopped:
			return true, nil
		case a.err == nil:
			if err = l.record(ctx, t, a); !study.HasCode(err, study.Usage) {
				return false, err
			}
			if a = l.unusable(t, a, err); a.retry && ctx.Err() != nil {
				return true, nil
			}
		}
		switch means := l.Study.Run.TimeoutMeans; {
		case a.late:
			late++
			a.retry = late == 1 && means != study.TimeoutInfeasible && means != study.TimeoutTransient
			if !a.retry && means != study.TimeoutTransient {
				a.result.Failure = study.Infeasible
			}
		case a.retry:
			tries++
			a.retry = tries <= l.Study.Run.Retries
		}
		if !a.retry || ctx.Err() != nil {
			return false, l.record(ctx, t, a)
		}
		l.emit(Event{Kind: Retried, Trial: *t, Err: a.err})
	}
}

// attempt runs the command once, or watches over the job of it. again: there was an attempt before.
func (l *loop) attempt(ctx context.Context, t *study.Trial, c *claim, again bool) (a attempt, err error) {
	if l.jobs != nil {
		return l.jobs.run(ctx, t, l.dir(t), again)
	}
	legs := l.reports(ctx, t)
	if a, err = l.cmd.run(ctx, t, l.dir(t), c.group, legs); err == nil && !a.stopped {
		l.listened(legs)
	}
	if a.killed {
		pause(ctx, afterSignal)
		a.stopped = a.stopped || ctx.Err() != nil
	}
	return a, err
}

// unusable is an attempt whose result the study does not take, such as one without the
// value of a constraint: it has failed, as the command said or, where it said nothing of a
// failure, in a way that says nothing about the configuration.
func (l *loop) unusable(t *study.Trial, a attempt, why error) attempt {
	out := failed(&capture{path: filepath.Join(l.dir(t), "stdout")}, "unusable result", why.Error(), "")
	if a.result.Failure != "" {
		out.retry, out.result.Failure = false, a.result.Failure
		out.result.Note = strings.TrimPrefix(a.result.Note+"; "+why.Error(), "; ")
	}
	return out
}

// reports reads the reports of a leg's command; nil without a fidelity.
func (l *loop) reports(ctx context.Context, t *study.Trial) *reports {
	if !l.Study.Fidelity.Early() {
		return nil
	}
	observe := func(rep study.Report) (study.Trial, error) {
		l.bound(t, &rep)
		now, _, err := l.Observe(context.WithoutCancel(ctx), t.ID(), rep)
		return now, err
	}
	return newReports(l.Study, t, l.dir(t), observe, func(err error) { l.note("trial %s: %w", t.ID(), err) })
}

// listened warns once where the first trials made no report on their way: nothing can end one early then.
func (l *loop) listened(r *reports) {
	spans := func(v float64) bool { return v > r.from && v < r.to }
	if r == nil || !slices.ContainsFunc(r.st.Fidelity.Levels, spans) {
		return
	}
	l.mu.Lock()
	l.heard = l.heard || r.heard
	if !l.heard {
		l.unheard++
	}
	warn := !l.heard && l.unheard == study.FailFast
	l.mu.Unlock()
	if !warn {
		return
	}
	f, objective := r.st.Fidelity.Name, r.st.Objective().Name
	l.note("the first %s made no report that was understood, so no trial can end early: print lines "+
		"such as {%q: 3, %q: 0.5} or \"%s: 3 %s: 0.5\"", study.Count(l.unheard, "trial"), f, objective, f, objective)
}

// alike counts the failures with which a loop begins as long as they are of one kind.
type alike struct {
	kind  string
	count int
	other bool // something else happened: the command can work
}

// failFast is the error that ends the loop when its first trials all fail alike:
// the command, not the configuration, is to blame then.
func (l *loop) failFast(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var f *failure
	s, most := &l.alike, l.Study.Budget.FailFast
	if !errors.As(err, &f) || s.count > 0 && s.kind != f.kind {
		s.other = true
	}
	if s.other || most == 0 {
		return nil
	}
	s.kind = f.kind
	if s.count++; s.count != most {
		return nil
	}
	msg := "the first trial of this run failed"
	if most > 1 {
		msg = fmt.Sprintf("the first %d trials of this run all failed alike", most)
	}
	return study.Wrap(study.NoResult, err,
		"repair the command and run again, or go on with --keep-going, or budget.fail_fast in the study file",
		"%s", msg)
}

// record writes down the result of a trial. A Usage error says that the study does not take the report of the command;
// nothing is recorded then.
func (l *loop) record(ctx context.Context, t *study.Trial, a attempt) error {
	switch {
	case a.result.Note != "":
	case a.err != nil:
		a.result.Note = a.err.Error()
	case a.result.Failure != "":
		a.result.Note = fmt.Sprintf("the command reported it as %s and gave no reason", a.result.Failure)
	}
	l.bound(t, &a.result)
	result, _, err := l.own().Observe(context.WithoutCancel(ctx), t.ID(), a.result)
	if a.err == nil && study.HasCode(err, study.Usage) {
		return err
	}
	if err != nil {
		return l.unrecorded(t, a.result, err)
	}
	if f := &l.Study.Fidelity; a.err == nil && result.State == study.Pending { // a leg, short of its goal
		c := result.Course
		why := fmt.Sprintf("the command ended with %s %v of %v", f.Name, f.Resource(c), c.Last().To)
		ended := attempt{result: study.Report{Failure: study.Transient, Note: why}, err: errors.New(why)}
		return l.record(ctx, &result, ended)
	}
	return l.recorded(ctx, &result, a.err)
}

// bound removes from a report the metrics and notes beyond their bounds, and says so.
func (l *loop) bound(t *study.Trial, rep *study.Report) {
	kept, dropped := study.TrimMetrics(rep.Metrics)
	if rep.Metrics = kept; len(dropped) > 0 {
		l.note("trial %s: metrics left out, as they are too many, too long or have no proper name: %.200s", t.ID(),
			strings.Join(dropped, ", "))
	}
	if n := len(rep.Note); n > study.MaxNote {
		rep.Note = study.CutNote(rep.Note)
		l.note("trial %s: of a note of %d bytes the first %d are kept", t.ID(), n, study.MaxNote)
	}
}

// recorded notes a trial that is on disk as it, or its leg, ended; failed is the failure of the command.
func (l *loop) recorded(ctx context.Context, t *study.Trial, failed error) error {
	if failed == nil && t.State == study.Failed { // by a value that is no number, for one
		failed = errors.New(t.Note)
	}
	l.mu.Lock()
	switch {
	case t.State == study.Complete:
		l.sum.Complete++
	case failed != nil:
		l.sum.Failed++
	}
	l.mu.Unlock()
	l.emit(Event{Kind: Recorded, Trial: *t, Err: failed})
	l.prune(ctx)
	return l.failFast(failed)
}

// unrecorded prints a trial that the journal did not take, so that it is not lost. A trial that
// somebody else reported is no error.
func (l *loop) unrecorded(t *study.Trial, result study.Report, err error) error {
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
	l.mu.Lock()
	l.unclean = true
	l.mu.Unlock()
	out := study.Wrap(study.NotRecorded, err,
		"when that is mended: bohier observe --journal "+strconv.Quote(l.Journal.Path),
		"the result of trial %s is not recorded", t.ID())
	switch {
	case e == nil:
	case e.Code == study.Conflict:
		out.Hint = "record it where its journal is now: bohier observe --journal FILE"
	default:
		out.Code = e.Code
	}
	out.Hint += fmt.Sprintf(" %s %s", t.ID(), arguments(l.Study, result))
	l.emit(Event{Kind: Warned, Trial: *t, Err: fmt.Errorf("%w; %s", out, out.Hint)})
	return out
}

// arguments is a result as `bohier observe` takes it.
func arguments(st *study.Study, t study.Report) string {
	if t.Failure != "" {
		return "--fail " + string(t.Failure)
	}
	out := lists.Some(st.Outcomes(), func(name string) (string, bool) {
		v, ok := t.Values.Get(name)
		return name + "=" + fmt.Sprint(v), ok
	})
	if t.Cost != nil {
		out = append(out, "--cost "+fmt.Sprint(*t.Cost))
	}
	for name, v := range t.Metrics.All() {
		out = append(out, "--metric "+study.ShellWord(fmt.Sprintf("%s=%v", name, v)))
	}
	return strings.Join(out, " ")
}
