package runner

import (
	"context"
	"slices"

	"bohier/internal/study"
)

// dryRun is what Suggest would propose, without recording it.
func (c Session) dryRun(ctx context.Context, a Ask) ([]study.Trial, []string, error) {
	s, warnings, err := c.Read(ctx)
	if err != nil {
		return nil, nil, err
	}
	if !s.Exists {
		if c.Study.Seed == nil {
			warnings = append(warnings, "no seed is fixed yet: the suggestion that follows will differ; set seed: in the "+
				"study file")
		} else {
			s.Seed = *c.Study.Seed
		}
	}
	if a.weighed, err = c.weigh(ctx, s, a); err != nil {
		return nil, nil, err
	}
	recs, trials, err := s.Reserve(c.asking(s, a))
	if err == nil {
		err = c.allowed(s, recs, trials)
	}
	if err != nil {
		return nil, nil, err
	}
	warnings = append(warnings, fewer(c.Study, a.N, len(trials))...)
	known, warm := slices.Clone(s.Trials), s.LastFit()
	for k := range trials {
		t := &trials[k]
		if t.State == study.Reserved {
			s.Trials = known
			sug, _, err := c.choose(ctx, s, t.Number, a, warm)
			if study.HasCode(err, study.Exhausted) && k > 0 {
				return trials[:k], append(warnings, err.Error()), nil
			}
			if err != nil {
				return nil, nil, err
			}
			if sug.Source == "enqueued" {
				s.Queue = s.Queue[1:]
			}
			warnings = append(warnings, sug.Warnings...)
			t.Config, t.Source, t.State, t.Tag = sug.Config, sug.Source, study.Pending, ""
			if sug.Fit != nil {
				warm = sug.Fit
			}
		}
		if t.Number <= len(known) {
			known[t.Number-1] = *t
		} else {
			known = append(known, *t)
		}
	}
	return trials, warnings, nil
}
