package journal

import (
	"context"
	"sync"
	"time"
)

// A fakeClock moves only when it is slept on or pushed.
type fakeClock struct {
	mu  sync.Mutex
	now time.Duration
}

func (c *fakeClock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	c.push(d)
	return ctx.Err()
}

func (c *fakeClock) push(d time.Duration) {
	c.mu.Lock()
	c.now += d
	c.mu.Unlock()
}
