package runner

import (
	"context"

	"bohier/internal/journal"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

// JournalSpace is a study's space as the journal knows it: with a fidelity, whose
// name, range, kind and resumption are as much a condition of the trials.
func JournalSpace(st *study.Study) journal.Space {
	if !st.Fidelity.Early() {
		return st.Space
	}
	return spaceWithFidelity{st.Space, st.Fidelity.Mark()}
}

// spaceWithFidelity is comparable, so that a state read in it can be kept.
type spaceWithFidelity struct {
	*space.Space
	mark string
}

// Fingerprint implements journal.Space.
func (s spaceWithFidelity) Fingerprint() string { return s.Space.Fingerprint() + "+" + s.mark }

// rule decides in a study with a fidelity; nil without one.
func rule(st *study.Study, a Ask) *journal.Rule {
	if !st.Fidelity.Early() {
		return nil
	}
	return &journal.Rule{
		Next: func(trials []study.Trial) (study.Task, error) { return task(st, trials, a) },
		Judge: func(trials []study.Trial, number int, seen []int) (study.Verdict, string) {
			return policy.Judge(st, trials, number-1, seen)
		},
	}
}

// task is the next worker's task; the error says why there is none.
func task(st *study.Study, trials []study.Trial, a Ask) (study.Task, error) {
	w := policy.Wish{OnlyNew: a.New || a.Start > 0, Start: a.Start, NoNew: noNew(st, trials, a)}
	w.Chosen, w.Preferred = a.weighed.chosen()
	w.Allows = func(t *study.Trial) bool {
		return a.weighed.knew(t) && (len(a.Fixed) == 0 || suggest.Matches(t.Config, a.Fixed))
	}
	t := policy.NextLeg(st, trials, w)
	switch asked := a.weighed; {
	case t.To == 0 && t.Waiting:
		return t, study.Errorf(study.Exhausted,
			"ask again then; `bohier trials --state pending` lists the legs, and abandon or return frees one that nobody runs",
			"nothing to suggest until a running leg reports: %s", t.Why)
	case t.To == 0 && w.NoNew != nil:
		return t, w.NoNew
	case t.To == 0:
		return t, study.Errorf(study.Exhausted, "`bohier best` shows the result; raise the budget to go on", "%s", t.Why)
	case asked != nil && (t.Trial > 0 || asked.Start > 0):
		t.Seen, t.Cut = asked.seq, asked.Cut
	}
	return t, nil
}

// NoNew is why no new trial can be made in a state of the journal; nil: one can.
func NoNew(st *study.Study, s *journal.State) error {
	return noNew(st, s.Trials, Ask{queued: len(s.Queue) > 0})
}

// noNew is that those of the budget are used, or that nothing is queued and every
// configuration was tried, or every one with the fixed values, which nothing queued may have.
func noNew(st *study.Study, trials []study.Trial, a Ask) error {
	if left, limited := Left(st, trials); limited && left == 0 {
		return budgetUsed(st)
	}
	if a.queued && len(a.Fixed) == 0 {
		return nil
	}
	return suggest.Exhausted(st, trials, a.Fixed)
}

// courseOf is the course of a trial whose configuration the user named: from the level that
// the queue entry asks for, or else to the full resource, because the user knows why.
func courseOf(st *study.Study, s *journal.State, queue int, t study.Trial) *study.Course {
	f := &st.Fidelity
	for _, q := range s.Queue {
		if k := f.LevelAt(q.Start); q.Seq == queue && q.Start > 0 && k >= 0 {
			to := f.High()
			if f.Rule() == study.SchedulerASHA {
				to = f.Levels[k]
			}
			return &study.Course{Start: f.Levels[k], Legs: []study.Leg{{To: to}}}
		}
	}
	return straight(st, s.Trials, t)
}

// straight is the course of a trial to the full resource, if the budget pays for that.
func straight(st *study.Study, trials []study.Trial, t study.Trial) *study.Course {
	f := &st.Fidelity
	left, limited := policy.Left(st, trials)
	if limited && left+f.Spent(t.Course) < f.Charge(0, f.High()) {
		return t.Course
	}
	return &study.Course{Start: f.High(), Legs: []study.Leg{{To: f.High()}}}
}

// A weighing is a surrogate's judgement of a state of the journal: which paused trials it wants to go on, and the
// suggestion for a new trial that it compared them with; where it is not Judged the rungs decide. A decision is about
// the paused trials of that state, so that a replay, which has its number, asks whom the command asked.
type weighing struct {
	suggest.Weighing
	seq    int  // the state's last record
	number int  // of the new trial
	idle   bool // nobody was to decide: trials of their own or waiting ones were enough
}

// weigh compares paused trials with a new one in a state of the journal; nil in a study
// where no surrogate is ever asked.
func (c Session) weigh(ctx context.Context, s *journal.State, a Ask) (*weighing, error) {
	switch {
	case !policy.Continues(c.Study) || a.New || a.Start > 0:
		return nil, nil
	case s.HasFor(asking(c.Study, s, a)):
		return &weighing{seq: s.Seq, idle: true}, nil
	}
	return c.weighIn(ctx, s, a, study.Cut{})
}

// weighIn asks the surrogate, unless a configuration is queued; cut is where a deadline once ended it.
func (c Session) weighIn(ctx context.Context, s *journal.State, a Ask, cut study.Cut) (*weighing, error) {
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
	}
	out.Weighing = w
	return out, nil
}

// knew reports whether the reports of a trial were known then.
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

// suggestion is the suggestion for a trial from that state, if only the trial's number came
// between; nil: it has to be computed.
func (w *weighing) suggestion(s *journal.State, number int) *study.Suggestion {
	if w == nil || w.number != number || s.Seq != w.seq+1 {
		return nil
	}
	return w.Suggestion
}
