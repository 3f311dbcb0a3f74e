package journal

import (
	"context"
	"time"
)

// A clock measures spans on this machine's own time. It never steps, says
// nothing about other machines, and goes on while the machine sleeps: a lease
// grows old on a closed laptop too.
type clock interface {
	Now() time.Duration
	Sleep(ctx context.Context, d time.Duration) error
}

type systemClock struct{}

func (systemClock) Now() time.Duration { return uptime() }

func (systemClock) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
