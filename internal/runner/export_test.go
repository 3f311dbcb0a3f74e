package runner

import (
	"context"

	"bohier/internal/surrogate"
)

// FailAt is a request whose n-th trial, from 0, fails with an error; the ones before it get configurations.
func FailAt(ctx context.Context, c Session, a Ask, n int, failure error) error {
	b := batch{Session: c, ask: a}
	err := b.reserve(ctx)
	for k := 0; k < n && err == nil; k++ {
		_, err = b.suggest(ctx, &b.trials[k], a)
	}
	if err != nil {
		return err
	}
	return b.undo(ctx, n, failure)
}

func ReadWarmStart(c Session, ctx context.Context) ([]surrogate.Source, []string, error) {
	c, warnings, err := c.withSources(ctx)
	return c.sources, warnings, err
}

var Promising = promising
