package runner

import (
	"context"

	"bohier/internal/journal"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

// Rank is suggest.Rank for the suggestion after s.
func (c Session) Rank(ctx context.Context, s *journal.State, candidates []space.Configuration) ([]suggest.Ranked,
	error) {
	c, _, err := c.withSources(ctx)
	if err != nil {
		return nil, err
	}
	c = c.knowing(s)
	return suggest.Rank(ctx, c.Study, s.Trials, c.next(s), candidates)
}

// RankTrial scores the configuration of a trial as Rank does; what is believed of it at a
// resource takes its own values on the way into account.
func (c Session) RankTrial(ctx context.Context, s *journal.State, t *study.Trial, at float64) (suggest.Ranked, error) {
	ranked, err := c.Rank(ctx, s, []space.Configuration{t.Config})
	if err != nil {
		return suggest.Ranked{}, err
	}
	a, err := c.Analyze(ctx, s)
	if err != nil {
		return suggest.Ranked{}, err
	}
	mean, std, _ := a.Of(c.Study, t, at).Predict(c.Study.Space, []space.Configuration{t.Config})
	ranked[0].Expected[0].Mean, ranked[0].Expected[0].Std = mean[0], std[0]
	return ranked[0], nil
}

// ExpectAt gives candidates that are ranked the predictions at a resource, in a study with a
// fidelity; their scores are those of a suggestion as before.
func (c Session) ExpectAt(ctx context.Context, s *journal.State, ranked []suggest.Ranked, resource float64) error {
	a, err := c.Analyze(ctx, s)
	if err != nil {
		return err
	}
	points := make([]space.Configuration, len(ranked))
	for i := range ranked {
		points[i] = ranked[i].Config
	}
	mean, std, _ := a.At(resource).Predict(points)
	for i := range ranked {
		ranked[i].Expected[0].Mean, ranked[i].Expected[0].Std = mean[i], std[i]
	}
	return nil
}

// Pick is suggest.Pick for the suggestions after s.
func (c Session) Pick(ctx context.Context, s *journal.State, candidates []space.Configuration,
	n int) ([]suggest.Ranked, []string, error) {
	c, _, err := c.withSources(ctx)
	if err != nil {
		return nil, nil, err
	}
	c = c.knowing(s)
	return suggest.Pick(ctx, c.Study, s.Trials, c.next(s), candidates, n)
}

// next is the request for the suggestion after s.
func (c Session) next(s *journal.State) suggest.Request { return c.request(s, s.NextNumber(), nil) }

// request is what suggest is asked about the trial with a number in a state of the journal.
func (c Session) request(s *journal.State, number int, fixed space.Assignment) suggest.Request {
	return suggest.Request{Number: number, Seed: s.Seed, Fixed: fixed, Warm: s.LastFit(), Sources: c.sources}
}
