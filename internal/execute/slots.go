package execute

import (
	"context"

	"bohier/internal/study"
)

// work runs commands one after the other until the loop is over.
func (l *loop) work(ctx context.Context, worker string) error {
	for {
		t, c, err := l.next(ctx, worker)
		if err != nil || t == nil {
			return err
		}
		err = l.try(ctx, t, c)
		c.Close()
		if err != nil {
			l.end(ctx, err) // before the others look for more
		}
		l.trialEnded()
		if err != nil {
			return err
		}
	}
}

// next is a trial to run, claimed for this process; nil when the loop is over.
func (l *loop) next(ctx context.Context, worker string) (*study.Trial, *claim, error) {
	for {
		t, wait, err := l.ask(ctx, worker)
		switch {
		case wait != nil: // nothing to suggest now; what others of this process have may fail
			select {
			case <-wait:
			case <-ctx.Done():
			}
			continue
		case t == nil || err != nil:
			return nil, nil, err
		}
		c, err := l.take(ctx, t)
		if c != nil && !l.isOver(ctx) {
			return t, c, nil
		}
		over := c != nil || err != nil
		if c != nil {
			c.Close()
		}
		if over {
			l.leaveOver(t)
		}
		if err != nil {
			l.end(ctx, err) // before the others look for more
		}
		l.trialEnded()
		if over {
			return nil, nil, err
		}
	}
}

// isOver reports whether nothing more is to be started.
func (l *loop) isOver(ctx context.Context) bool {
	l.telling.Lock()
	defer l.telling.Unlock()
	return l.over || ctx.Err() != nil
}

func (l *loop) trialBegins() {
	l.telling.Lock()
	defer l.telling.Unlock()
	l.running++
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
