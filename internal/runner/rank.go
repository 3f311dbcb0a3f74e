package runner

import (
	"context"

	"bohier/internal/journal"
	"bohier/internal/policy"
	"bohier/internal/space"
)

// Rank orders candidates by the score that a suggestion would be chosen by, best
// first, ties in the order given.
func (c Session) Rank(ctx context.Context, s *journal.State, candidates []space.Configuration) ([]policy.Ranked, error) {
	c, _, err := c.withSources(ctx)
	if err != nil {
		return nil, err
	}
	return policy.Rank(ctx, c.Study, s.Trials, c.next(s), candidates)
}

// Pick chooses n of the candidates to be tried together, one after the other, the
// ones chosen before counting as pending: they come in the order of choice, each
// with its score then. Candidates that were tried before are not chosen, nor is
// one twice; the strings are warnings when that leaves fewer.
func (c Session) Pick(ctx context.Context, s *journal.State, candidates []space.Configuration, n int) ([]policy.Ranked, []string, error) {
	c, _, err := c.withSources(ctx)
	if err != nil {
		return nil, nil, err
	}
	return policy.Pick(ctx, c.Study, s.Trials, c.next(s), candidates, n)
}

// next is the request for the suggestion after s.
func (c Session) next(s *journal.State) policy.Request {
	return policy.Request{Number: s.NextNumber(), Seed: s.Seed, Warm: s.LastFit(), Sources: c.sources}
}
