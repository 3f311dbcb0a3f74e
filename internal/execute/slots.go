package execute

import (
	"context"

	"bohier/internal/study"
)

// work runs commands one after the other until the loop is over.
func (l *loop) work(ctx context.Context, worker string) {
	for {
		t, wait, err := l.ask(ctx, worker)
		if wait != nil { // nothing to suggest now; what others of this process have may fail
			select {
			case <-wait:
			case <-ctx.Done():
			}
			continue
		}
		if t == nil || err != nil {
			l.end(ctx, err)
			return
		}
		if !l.attend(ctx, t) {
			return
		}
	}
}

// attend runs the command for a trial that was suggested, unless another process runs it; false:
// the loop is over.
func (l *loop) attend(ctx context.Context, t *study.Trial) bool {
	c, err := l.take(ctx, t)
	over := l.isOver(ctx)
	switch {
	case err != nil, c != nil && over:
		l.leaveOver(t)
	case c != nil:
		err = l.try(ctx, t, c)
	}
	if c != nil {
		c.Close()
	}
	l.end(ctx, err) // before the others look for more
	l.trialEnded()
	return err == nil && !over
}

// isOver reports whether nothing more is to be started.
func (l *loop) isOver(ctx context.Context) bool {
	l.telling.Lock()
	defer l.telling.Unlock()
	return l.over || ctx.Err() != nil
}

// trialEnded wakes the slots that had nothing to do.
func (l *loop) trialEnded() {
	l.telling.Lock()
	defer l.telling.Unlock()
	l.running--
	close(l.ended)
	l.ended = make(chan struct{})
}

// endOfOne returns a channel that is closed when the next trial of this process ends.
func (l *loop) endOfOne() chan struct{} {
	l.telling.Lock()
	defer l.telling.Unlock()
	return l.ended
}

// othersRun returns before, which endOfOne returned, or nil where no trial of this process
// was under way then.
func (l *loop) othersRun(before chan struct{}) chan struct{} {
	l.telling.Lock()
	defer l.telling.Unlock()
	if l.running == 0 && l.ended == before || l.over {
		return nil
	}
	return before
}

// leaveOver notes a trial that this process has and will not run to its end.
func (l *loop) leaveOver(t *study.Trial) {
	l.telling.Lock()
	defer l.telling.Unlock()
	l.left = append(l.left, *t)
}

// end notes why a slot stopped. A slot that finds -n trials taken stops without an error;
// other slots still run theirs.
func (l *loop) end(ctx context.Context, err error) {
	l.telling.Lock()
	defer l.telling.Unlock()
	if err == nil {
		return
	}
	l.over = true
	switch {
	case ctx.Err() != nil:
	case study.HasCode(err, study.Exhausted):
		l.reason = err
	case l.failure == nil:
		l.failure = err
	}
}
