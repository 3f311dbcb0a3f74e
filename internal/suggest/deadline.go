package suggest

import (
	"context"
	"errors"
	"time"

	"bohier/internal/surrogate"
)

// fitShare is the share of the time until a deadline that fits may take; the rest is for
// the search.
const fitShare = 0.5

// A pace says how many steps the fits of a suggestion may take.
type pace struct {
	until time.Time // when they end; zero: when they are done
	steps int       // that they asked for
	cut   int       // the one that they were not given, nor any after it; 0: none yet
}

// newPace is that of a request; nil where nothing can end its fits.
func newPace(r Request) *pace {
	switch {
	case r.Made != nil && r.Made.Cut > 0:
		return &pace{cut: r.Made.Cut}
	case !r.Until.IsZero():
		now := time.Now()
		return &pace{until: now.Add(time.Duration(fitShare * float64(r.Until.Sub(now))))}
	}
	return nil
}

// more reports whether fits may take a further step.
func (p *pace) more() bool {
	p.steps++
	if p.cut == 0 && !p.until.IsZero() && !time.Now().Before(p.until) {
		p.cut = p.steps
	}
	return p.cut == 0 || p.steps < p.cut
}

// ended is the step before which fits were ended; 0: they were not.
func (p *pace) ended() int {
	if p == nil || p.steps < p.cut {
		return 0
	}
	return p.cut
}

// paced is the history for fits at a pace.
func (h *history) paced(p *pace) *history {
	if p == nil {
		return h
	}
	out := *h
	out.pace, out.More, out.goals = p, p.more, nil
	for _, g := range h.goals {
		out.goals = append(out.goals, g.paced(p))
	}
	return &out
}

// fitAll fits the surrogates of the objective and of the other outcomes. If the objective has
// none, there are others only where they can choose by themselves. The error is Exhausted where
// the study is over by what they say.
func (s *surrogates) fitAll(ctx context.Context) error {
	st, h := s.st, s.h
	err := s.fitModels(ctx)
	if errors.As(err, &s.missing) {
		if len(st.Constraints) == 0 || feasiblePoints(st, h.Observed) != nil || CheckAcquisition(st) != nil {
			return nil
		}
		s.fit, s.note, err = &surrogate.Fitted{}, s.r.Warm.Clone(), nil // the objective does not matter yet
	}
	if err != nil {
		return err
	}
	if s.fit != nil && s.fit.Model != nil {
		if err := s.regretReached(ctx); err != nil {
			return err
		}
	}
	if s.fit != nil && s.missing == nil || len(s.goals) > 0 {
		if err := s.targetReached(); err != nil {
			return err
		}
		if err := s.levelled(); err != nil {
			return err
		}
	}
	err = s.fitOthers(ctx)
	for name, o := range s.others {
		s.note.Outcomes[name] = hyper(o.fit, h)
	}
	s.note.Cut = h.pace.ended()
	return err
}
