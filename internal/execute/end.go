package execute

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// sweep gives back the trials of processes on this machine that died. Nobody else will.
func (l *loop) sweep(ctx context.Context) error {
	state, _, err := l.Read(ctx)
	if err != nil {
		return err
	}
	defer state.Done()
	gone := lists.Some(l.elsewhere(state.Trials), func(t *study.Trial) (study.Trial, bool) {
		return *t, l.lifeOf(nonceOf(t.Worker)) == dead
	})
	if len(gone) == 0 {
		return nil
	}
	_, err = l.ReturnAll(ctx, gone, "its worker died")
	return err
}

// finish describes how the loop ended; lost is why trials could not be given back.
func (l *loop) finish(ctx, timed context.Context, lost error) (Summary, error) {
	switch cause := context.Cause(timed); {
	case ctx.Err() != nil:
		return l.sum, errors.Join(context.Cause(ctx), lost)
	case lost != nil || l.failure != nil:
		if l.failure != nil {
			l.sum.Reason = l.failure.Error()
		}
		return l.sum, errors.Join(l.failure, lost)
	case errors.Is(cause, errTimeUsed):
		l.sum.Reason, l.sum.TimeUp = cause.Error(), true
		return l.sum, nil
	case cause != nil:
		l.reason = cause
	}
	if l.reason == nil && l.Most > 0 && len(l.taken) >= l.Most {
		l.reason, l.sum.TimeUp = study.Errorf(study.Exhausted, "", "the %s of -n ended", study.Count(l.Most, "trial")), true
	}
	if l.reason == nil {
		return l.sum, nil
	}
	return l.judge()
}

// own is the session for the ends of trials that this run began, whatever space others adopted meanwhile.
func (l *loop) own() runner.Session {
	s := l.Session
	s.Journal.AnySpace = true
	return s
}

// giveBack is the one update that gives back every trial this process still has.
func (l *loop) giveBack() error {
	if len(l.left) == 0 {
		return nil
	}
	returned, err := l.own().ReturnAll(context.Background(), l.left, "stopped")
	if err != nil {
		return fmt.Errorf("%s could not be given back, and the next `bohier run` on this machine takes them: %w",
			study.Count(len(l.left), "trial"), err)
	}
	l.sum.Returned = len(returned)
	for _, t := range returned {
		l.emit(Event{Kind: Returned, Trial: t})
	}
	return nil
}

// judge decides on the end of the study: the remaining trials may be with other living workers, and there may be no
// result.
func (l *loop) judge() (Summary, error) {
	l.sum.Reason = l.reason.Error()
	if err := l.forget(context.Background()); err != nil {
		return l.sum, err
	}
	state, _, err := l.Read(context.Background())
	if err != nil {
		return l.sum, err
	}
	workers := lists.Some(l.elsewhere(state.Trials), func(t *study.Trial) (string, bool) {
		return t.Worker, l.lifeOf(nonceOf(t.Worker)) == alive
	})
	if living := len(workers); living > 0 {
		workers = lists.Distinct(workers, func(name string) string { return name })
		l.sum.Reason += fmt.Sprintf("; %s with workers that live: %s", study.Count(living, "trial"),
			strings.Join(workers, ", "))
		return l.sum, nil
	}
	pending := state.Pending()
	waiting := len(lists.Only(pending, func(t *study.Trial) bool { return t.Waiting && !t.Outside }))
	if waiting > 0 {
		l.sum.Reason += fmt.Sprintf("; %s waiting for the next run", study.Count(waiting, "trial"))
	}
	if others := len(pending) - waiting; others > 0 {
		l.sum.Reason += fmt.Sprintf("; %s pending elsewhere (`bohier return ID` lets the next run take one, "+
			"`bohier abandon ID` frees it)", study.Count(others, "trial"))
	}
	err = runner.Ended(l.Study, state.Trials, l.reason)
	if study.HasCode(err, study.Exhausted) {
		err = nil
	}
	return l.sum, err
}

// attend runs the command for a trial that was suggested, unless another process runs it or more has
// ended. The trial is left where it is not run to its end.
func (l *loop) attend(ctx, more context.Context, t *study.Trial) (left bool, err error) {
	c, err := l.take(ctx, t)
	if c == nil {
		return err != nil, err
	}
	defer c.Close()
	if err != nil || more.Err() != nil {
		return true, err
	}
	return l.try(ctx, t, c)
}

// end notes why a slot stopped. A slot that finds -n trials taken stops without an error; other slots still run theirs.
func (l *loop) end(ctx context.Context, err error) {
	switch {
	case err == nil, ctx.Err() != nil:
	case study.HasCode(err, study.Exhausted):
		l.reason = err
	case l.failure == nil:
		l.failure = err
	}
}
