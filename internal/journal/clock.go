package journal

import (
	"context"
	"time"
)

// A clock measures spans on this process's own time; it never steps and says
// nothing about other machines.
type clock interface {
	Now() time.Duration
	Sleep(ctx context.Context, d time.Duration) error
}

type monotonic struct{ start time.Time }

func newMonotonic() monotonic { return monotonic{time.Now()} }

func (m monotonic) Now() time.Duration { return time.Since(m.start) }

func (monotonic) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
