package runner

import (
	"bytes"
	"context"
	"math"

	"bohier/internal/journal"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

// Explain reports why the trial with that number or id, "": the latest, was suggested. The
// surrogate is computed again from the part of the journal that it knew, with the study that the
// journal recorded then; parse reads it, nil: today's study.
func (c Session) Explain(ctx context.Context, id string,
	parse func(recorded []byte) (*study.Study, error)) (*study.Explanation, []string, error) {
	now, warnings, err := c.Read(ctx)
	if err != nil {
		return nil, warnings, err
	}
	if id == "" {
		for k := range now.Trials {
			if t := &now.Trials[k]; t.State != study.Reserved && t.Source != "added" {
				id = t.ID()
			}
		}
		if id == "" {
			return nil, warnings, study.Errorf(study.Conflict, "`bohier suggest` makes one.", "there is no suggestion yet")
		}
	}
	t, err := now.Trial(id)
	if err != nil {
		return nil, warnings, err
	}
	sp := c.Study.Space
	made := now.Made(t.Number)
	conf, err := sp.ParseJSON(made.Proposed)
	if err != nil {
		if t.Outside || t.State == study.Reserved {
			return nil, warnings, study.Errorf(study.Mismatch, "", "trial %s does not fit today's space: %v", t.ID(), err)
		}
		conf = t.Config
	}
	e := &study.Explanation{Schema: "bohier/explanation/1", Trial: t.Number, ID: t.ID(), Source: t.Source,
		Params: sp.JSON(conf), Inactive: []study.Inactive{}, Alternatives: []study.Alternative{}}
	for i := range sp.Params() {
		if !conf.Active[i] {
			e.Inactive = append(e.Inactive, study.Inactive{Name: sp.Param(i).Name,
				Condition: sp.Format(sp.Param(i).Condition)})
		}
	}
	if made.Fit != nil && t.Source == suggest.SourceReplicate {
		e.Repeat = made.Fit.Repeat
	}
	e.Plan, e.Fidelity = made.Outcome(), courseReason(c.Study, now.Trials, t)
	own := *t // the trials stand as they were then in a moment
	t = &own
	compared := func(before []study.Trial) {
		e.Nearest = nearest(c.Study, before, t.Number, conf)
		if r := e.Fidelity; r != nil && r.Why == "" {
			r.Why = startReason(c.Study, before[:min(len(before), t.Number-1)], t)
		}
	}
	if t.From == 0 {
		compared(now.Trials[:t.Number-1])
		return e, warnings, nil
	}
	return e, warnings, now.At(ctx, c.Journal, t.From, func(then *journal.State) error {
		defer then.In(nil, c.Journal.Study)
		then.In(nil, made.Study) // trials of its context counted
		if compared(then.Trials); t.Source != "model" {
			return nil
		}
		past := c // with the study that made it, unless that has another space
		if made.Study != nil && parse != nil && !bytes.Equal(made.Study, c.Journal.Study) {
			st, err := parse(made.Study)
			if err != nil {
				return study.Errorf(study.Mismatch, "use the version of bohier that made the suggestion",
					"the study that made trial %s cannot be read: %v", t.ID(), err)
			}
			if st.Space.Fingerprint() == sp.Fingerprint() {
				past.Study = st
			}
		}
		return past.reason(ctx, then, t, conf, e, made.Fit)
	})
}

// reason writes to e the surrogate's reasons for conf, the suggestion for trial t.
func (c Session) reason(ctx context.Context, then *journal.State, t *study.Trial, conf space.Configuration,
	e *study.Explanation, fit *study.FitRecord) error {
	fixed, err := parseFixed(c.Study.Space, t.Flags)
	if err != nil {
		return err
	}
	if c, _, err = c.learning(ctx, then); err != nil {
		return err
	}
	r := c.request(then, t.Number, fixed)
	if r.Plan = e.Plan; fit != nil {
		r.Cut.Fits = fit.Cut
	}
	return suggest.Explain(ctx, c.Study, then.Trials, r, conf, e)
}

// nearest is the trial nearest to conf among the ones tried or under way, but for the one with that number; nil: there
// is none. The distance is the root of the sum, over the parameters, of the squared difference of unit coordinates or
// places in an order, 1 for another category, and 1 where only one of the two has the parameter.
func nearest(st *study.Study, trials []study.Trial, number int, conf space.Configuration) (best *study.Mention) {
	s, at, least := st.Space, -1, math.Inf(1)
	m, here := space.NewGower(s), s.EncodeAll([]space.Configuration{conf})
	for k := range trials {
		t := &trials[k]
		if t.State == study.Reserved || t.State == study.Abandoned || t.Outside || t.Number == number {
			continue
		}
		there := s.EncodeAll([]space.Configuration{t.Config})
		if d := m.Distance(there, 0, here, 0); d < least {
			at, least = k, d
		}
	}
	if at >= 0 {
		best = st.Mention(&trials[at])
		best.Distance = &least
	}
	return best
}

// courseReason explains the course of trial t of the trials now, but for why it began where it did.
func courseReason(st *study.Study, now []study.Trial, t *study.Trial) *study.CourseReason {
	f := &st.Fidelity
	if t.Course == nil {
		return nil
	}
	r := &study.CourseReason{Name: f.Name, Start: t.Course.Start, Resource: f.Resource(t.Course), Leg: t.Course.Leg()}
	policy.Place(r, st, now, t.Number-1)
	if last := t.Course.Last(); r.Leg > 1 {
		switch {
		case last.Source == policy.SourceFinish:
			r.Why = "the best paused trial, which is trained out at the end"
		case last.Source == policy.SourcePromotion && policy.Continues(st):
			r.Why = "it promised more for each unit still to be spent than a new configuration"
		case last.Source == policy.SourcePromotion:
			r.Why = "among the best of its level"
		}
	}
	return r
}

// startReason explains where trial t began, before being the trials before it.
func startReason(st *study.Study, before []study.Trial, t *study.Trial) string {
	switch {
	case startOf(t.Flags) > 0:
		return "asked for with --start"
	case t.Source != "enqueued" && t.Source != "initial" && t.Course.Leg() > 0:
		w := policy.Wish{OnlyNew: true}
		if t.Course.Legs[0].Seen > 0 {
			w.Preferred = t.Course.Start
		}
		if d := policy.NextLeg(st, before, w); d.To > 0 && d.Trial == 0 {
			return d.Why
		}
	}
	return ""
}
