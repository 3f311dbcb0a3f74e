package runner

import (
	"context"

	"bohier/internal/fidelity"
	"bohier/internal/journal"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

// A weighing is what a surrogate made of a state of the journal: which paused trials it
// wants to go on, and the suggestion for a new trial that it compared them with; where it is
// not Judged the rungs decide. A decision is about what that state knew of paused trials, so
// that a replay, which has its number, asks whom the command asked.
type weighing struct {
	suggest.Weighing
	seq    int  // the state's last record
	number int  // of the new trial
	idle   bool // nobody was to decide: what is theirs or waits was enough
}

// weigh compares paused trials with a new one in a state of the journal; nil in a study
// where no surrogate is ever asked.
func (c Session) weigh(ctx context.Context, s *journal.State, a Ask) (*weighing, error) {
	switch {
	case !fidelity.Continues(c.Study) || a.New || a.Start > 0:
		return nil, nil
	case s.HasFor(c.asking(s, a)):
		return &weighing{seq: s.Seq, idle: true}, nil
	}
	return c.weighIn(ctx, s, a, 0)
}

// weighIn asks the surrogate, unless a configuration is queued; cut is the steps after which
// a deadline once stopped its search.
func (c Session) weighIn(ctx context.Context, s *journal.State, a Ask, cut int) (*weighing, error) {
	out := &weighing{seq: s.Seq, number: s.NextNumber()}
	if len(s.Queue) > 0 {
		return out, nil
	}
	r := c.request(s, out.number, a.Fixed)
	r.Until, r.Cut = a.until, cut
	w, err := suggest.Weigh(ctx, c.Study, s.Trials, r)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && !study.HasCode(err, study.Exhausted): // else nothing new is left
		return nil, err
	case err == nil && w.Judged:
		out.Weighing = w
	}
	return out, nil
}

// knew reports whether what a trial has reported was known then.
func (w *weighing) knew(t *study.Trial) bool {
	p := t.Course.Newest()
	return w == nil || p == nil || p.Seq <= w.seq
}

// chosen are the trials that go on and where a new one starts; nil and 0: the rungs decide.
func (w *weighing) chosen() ([]int, float64) {
	if w == nil || !w.Judged {
		return nil, 0
	}
	return append([]int{}, w.Continue...), w.Start
}

// suggestion is what was suggested for a trial from that state, where nothing came
// between but the trial's number; nil: it has to be computed.
func (w *weighing) suggestion(s *journal.State, number int) *study.Suggestion {
	if w == nil || w.number != number || s.Seq != w.seq+1 {
		return nil
	}
	return w.Suggestion
}

// cut is the steps after which a deadline stopped the search; 0: none did.
func (w *weighing) cut() int {
	if w.Suggestion == nil {
		return 0
	}
	return w.Suggestion.Cut
}
