package runner

import (
	"context"
	"errors"
	"slices"
	"strings"

	"bohier/internal/journal"
	"bohier/internal/study"
)

// undo takes back what a suggestion that could not be recorded left in the journal: asked are
// its trials as they were reserved or taken; the trials before k have a configuration; begun
// reports whether the journal held nothing else. A key or a worker gets its own again by asking
// again. The error names what cannot be taken back.
func (c Session) undo(ctx context.Context, a Ask, begun bool, asked, trials []study.Trial, k int, err error) error {
	var e *study.Error
	if !errors.As(err, &e) || e.Code != study.NotRecorded {
		return err
	}
	var settled, taken, numbers []study.Trial
	for i := range asked {
		switch reserved := asked[i].State == study.Reserved; {
		case reserved && i >= k:
			numbers = append(numbers, asked[i])
		case reserved:
			settled = append(settled, trials[i])
		default:
			taken = append(taken, trials[i])
		}
	}
	var left []string
	if pending := slices.Concat(settled, taken); len(pending) > 0 && a.Key == "" && a.Worker == "" {
		const why = "the rest of the batch could not be recorded"
		_, failed := journal.Update(ctx, c.Journal, func(s *journal.State) ([]journal.Record, error) {
			return append(s.Release(settled, why), s.Return(taken, why)...), nil
		})
		if failed != nil {
			left = append(left, "of the batch, pending: "+strings.Join(ids(pending), " "))
		}
	}
	switch back, failed := journal.Unreserve(ctx, c.Journal, numbers); {
	case !back || failed != nil:
		left = append(left, "a number stays reserved, which the next suggestion takes")
	case begun:
		left = append(left, "the journal has begun, with no trial in it")
	}
	if len(left) == 0 {
		return err
	}
	told := *e
	told.Hint = "Results are as they were; " + strings.Join(left, "; ") +
		". Make room or lift the limit and run the command again."
	return &told
}

func ids(trials []study.Trial) []string {
	var out []string
	for i := range trials {
		out = append(out, trials[i].ID())
	}
	return out
}
