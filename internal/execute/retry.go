package execute

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"bohier/internal/runner"
	"bohier/internal/study"
)

// afterSignal is how long a command that ended as by a scheduler's signal is not
// judged: a scheduler signals every process of a job, and this one's may come last.
const afterSignal = 2 * time.Second

// try runs the command for a trial, again after failures as often as the study
// allows, and records what came of it.
func (l *loop) try(ctx context.Context, t *study.Trial, c *claim) error {
	l.tell(Event{Kind: Started, Trial: *t, Again: t.Returns > 0})
	ctx, end := l.begin(ctx, t)
	defer end()
	var a attempt
	for tries, late := 0, 0; ; {
		var err error
		if l.jobs != nil {
			a, err = l.jobs.run(ctx, t, l.dir(t), tries+late > 0)
		} else {
			legs := l.reports(ctx, t)
			if a, err = l.cmd.run(ctx, t, l.dir(t), c.group, legs); err == nil && !a.stopped {
				l.listened(legs)
			}
		}
		if err == nil && a.recorded != nil {
			return l.recorded(ctx, a.recorded, nil)
		}
		if a.killed {
			pause(ctx, afterSignal)
			a.stopped = a.stopped || ctx.Err() != nil
		}
		if cause := context.Cause(ctx); err == nil && a.stopped &&
			(errors.Is(cause, errTaken) || errors.Is(cause, errElsewhere)) {
			l.note("trial %s was stopped: %w", t.ID(), cause)
			return nil
		}
		if err == nil && a.err == nil && !a.stopped {
			if err = l.record(ctx, t, a); !study.HasCode(err, study.Usage) {
				return err
			}
			if a, err = l.unusable(t, a, err), nil; a.again && ctx.Err() != nil {
				a.stopped = true
			}
		}
		if err != nil || a.stopped {
			l.leaveOver(t)
			return cannotRun(err)
		}
		switch means := l.Study.Run.TimeoutMeans; {
		case a.late:
			late++
			a.again = late == 1 && means != study.TimeoutInfeasible && means != study.TimeoutTransient
			if !a.again && means != study.TimeoutTransient {
				a.result.Failure = study.Infeasible
			}
		case a.again:
			tries++
			a.again = tries <= l.Study.Run.Retries
		}
		if !a.again || ctx.Err() != nil {
			break
		}
		l.tell(Event{Kind: Retried, Trial: *t, Err: a.err})
	}
	return l.record(ctx, t, a)
}

// unusable is an attempt whose result the study does not take, such as one without the
// value of a constraint: it has failed, as the command said or, where it said nothing of a
// failure, in a way that says nothing about the configuration.
func (l *loop) unusable(t *study.Trial, a attempt, why error) attempt {
	out := failed(&capture{path: filepath.Join(l.dir(t), "stdout")}, "unusable result", why.Error(), "")
	if a.result.Failure != "" {
		out.again, out.result.Failure = false, a.result.Failure
		out.result.Note = strings.TrimPrefix(a.result.Note+"; "+why.Error(), "; ")
	}
	return out
}

// reports reads what the command of a leg says; nil without a fidelity.
func (l *loop) reports(ctx context.Context, t *study.Trial) *reports {
	if !l.Study.Fidelity.Early() {
		return nil
	}
	observe := func(tell runner.Tell) (study.Trial, error) {
		l.bound(t, &tell)
		now, _, err := l.Observe(context.WithoutCancel(ctx), t.ID(), tell)
		return now, err
	}
	return newReports(l.Study, t, l.dir(t), observe, func(err error) { l.note("trial %s: %w", t.ID(), err) })
}

// listened warns once where the first trials made no report on their way: nothing can end
// one early then.
func (l *loop) listened(r *reports) {
	if r == nil || !r.spans() {
		return
	}
	l.telling.Lock()
	l.heard = l.heard || r.heard
	if !l.heard {
		l.unheard++
	}
	warn := !l.heard && l.unheard == study.FailFast
	l.telling.Unlock()
	if !warn {
		return
	}
	f, objective, near := r.st.Fidelity.Name, r.st.Objective().Name, ""
	if r.nearest != "" {
		near = "; what came nearest is " + clip(strings.TrimSpace(r.nearest))
	}
	l.note("none of the first %s made a report on its way that was understood, so that none is ended early: print lines "+
		"such as {%q: 3, %q: 0.5} or \"%s: 3 %s: 0.5\"%s", study.Count(l.unheard, "trial"), f, objective, f, objective, near)
}

// alike counts the failures with which a loop begins as long as they are of one
// kind.
type alike struct {
	kind  string
	count int
	other bool // something else happened: the command can work
}

// failFast is the error that ends the loop when its first trials all fail alike:
// the command, not the configuration, is to blame then.
func (l *loop) failFast(err error) error {
	l.telling.Lock()
	defer l.telling.Unlock()
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
		"mend the command and run again; --keep-going, or budget.fail_fast in the study file, goes on all the same", "%s", msg)
}
