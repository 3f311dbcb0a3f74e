package runner

import (
	"context"

	"bohier/internal/surrogate"
)

// The steps of a suggestion, for tests that end between two of them.
var (
	Reserve       = Session.reserve
	Settle        = Session.settle
	Undo          = Session.undo
	ReadWarmStart = func(c Session, ctx context.Context) ([]surrogate.Source, []string, error) {
		c, warnings, err := c.withSources(ctx)
		return c.sources, warnings, err
	}
)
var Promising = promising
