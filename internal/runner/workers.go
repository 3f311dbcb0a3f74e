package runner

import (
	"context"

	"bohier/internal/journal"
	"bohier/internal/study"
)

// Beat says that a worker lives; count differs from that of its beat before.
func (c Session) Beat(ctx context.Context, worker string, count uint64) error {
	return journal.Beat(ctx, c.Journal, worker, count)
}

// Beats are the last ones of the workers that have not left.
func (c Session) Beats(ctx context.Context) (map[string]uint64, error) {
	return journal.Beats(ctx, c.Journal)
}

// Leave removes the beat of a worker that ends.
func (c Session) Leave(ctx context.Context, worker string) error {
	return journal.Leave(ctx, c.Journal, worker)
}

// Lose gives back the trials of workers that gave no sign, as far as their Worker still has
// them; one that was lost for the third time has failed instead.
func (c Session) Lose(ctx context.Context, trials []study.Trial) (lost []study.Trial, err error) {
	_, err = journal.Update(ctx, c.Journal, func(s *journal.State) ([]journal.Record, error) {
		recs, err := s.Lose(trials)
		lost = trialsOf(s, recs)
		return recs, err
	})
	return lost, err
}
