package runner

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"bohier/internal/acq"
	"bohier/internal/journal"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// An Explanation says why a trial was suggested, as things stood then.
type Explanation struct {
	Trial    study.Trial
	Config   space.Configuration // as suggested, whatever was run
	Nearest  *Neighbour          // the nearest trial tried before; nil: none was
	Inactive []Inactive
	Reason   *Reason // nil unless the surrogate chose it
}

// A Neighbour is a trial and its distance: the root of the sum, over the
// parameters, of the squared difference of unit coordinates or places in an
// order, 1 for another category, and 1 where only one of the two has the
// parameter.
type Neighbour struct {
	Trial    study.Trial
	Distance float64
}

// An Inactive parameter, and the condition under which it would be active.
type Inactive struct{ Name, Condition string }

// A Reason is what the surrogate saw in a configuration. Mean and Std are of the
// objective, in its own units and sign.
type Reason struct {
	Acquisition string
	Score       *float64 // of the acquisition function; nil where it draws a function instead
	// Factors are what the score multiplies (logarithms add): the acquisition
	// function by name, except while no trial is feasible; then constraint.NAME,
	// cost, feasibility and prior, as far as they play a part.
	Factors   []string
	Mean, Std float64
	Told      int          // trials the surrogate knew
	Refused   int          // trials that had failed as infeasible
	Pending   int          // trials that were pending
	Incumbent *study.Trial // the best feasible trial; nil: none
	// BetterThan is the share of the space predicted worse, SurerThan the share
	// predicted with a larger standard deviation; every branch has its part of it.
	BetterThan, SurerThan float64
	Purpose               string // exploration, exploitation or both
	Guard                 *Guard // nil: the whole space was searched
	Alternatives          []Alternative
}

// An Alternative is the best configuration found in another branch of the space.
type Alternative struct {
	Config           space.Configuration
	Score, Mean, Std float64
}

// Explain tells why the trial with that number or id was suggested. What the
// surrogate said is computed again from the part of the journal it was told, with
// the study that the journal recorded then; parse reads it, nil: today's study.
func (c Cycle) Explain(ctx context.Context, id string, parse func(recorded []byte) (*study.Study, error)) (*Explanation, []string, error) {
	now, warnings, err := c.Read(ctx)
	if err != nil {
		return nil, warnings, err
	}
	t, err := now.Trial(id)
	if err != nil {
		return nil, warnings, err
	}
	sp := c.Study.Space
	conf, err := sp.ParseJSON(now.Proposed(t.Number))
	if err != nil {
		if t.Outside || t.State == study.Reserved {
			return nil, warnings, study.Errorf(study.Mismatch, "", "trial %s does not fit today's space: %v", t.ID(), err)
		}
		conf = t.Config
	}
	e := &Explanation{Trial: *t, Config: conf}
	for i := range sp.Params() {
		if !conf.Active[i] {
			e.Inactive = append(e.Inactive, Inactive{sp.Param(i).Name, space.Format(sp.Param(i).Condition, sp)})
		}
	}
	before := now.Trials[:t.Number-1]
	if t.From > 0 {
		then, _, err := journal.ReadUpTo(ctx, c.Journal, t.From)
		if err != nil {
			return nil, warnings, err
		}
		before = then.Trials
		if t.Source == "model" {
			if e.Reason, err = c.recorded(now.StudyOf(t.Number), parse).reason(ctx, then, t, conf); err != nil {
				return nil, warnings, err
			}
		}
	}
	e.Nearest = nearest(sp, before, t.Number, conf)
	return e, warnings, nil
}

// recorded is the cycle with the study that the journal recorded with a trial; with
// today's if that cannot be read or has another space.
func (c Cycle) recorded(text []byte, parse func([]byte) (*study.Study, error)) Cycle {
	if text == nil || parse == nil || bytes.Equal(text, c.Journal.Study) {
		return c
	}
	if past, err := parse(text); err == nil && past.Space.Fingerprint() == c.Study.Space.Fingerprint() {
		c.Study = past
	}
	return c
}

// reason is what the surrogate said about conf, the suggestion for trial t.
func (c Cycle) reason(ctx context.Context, then *journal.State, t *study.Trial, conf space.Configuration) (*Reason, error) {
	fixed, err := parseFixed(c.Study.Space, t.Flags)
	if err != nil {
		return nil, err
	}
	c, _, err = c.withEarlier(ctx)
	if err != nil {
		return nil, err
	}
	o, err := look(ctx, c.Study, then.Trials, Request{
		Number: t.Number, Seed: then.Seed, Fixed: fixed, Warm: then.LastFit, Earlier: c.earlier,
	}, fitTurn)
	if err != nil {
		return nil, err
	}
	why := &Reason{Acquisition: headName(c.Study), Told: len(o.h.told), Refused: len(o.h.refused), Pending: len(o.h.pending)}
	if best := Best(c.Study, then.Trials, 1); len(best) > 0 {
		why.Incumbent = &best[0]
	}
	mean, std, _ := o.fit.predict(c.Study.Space, []space.Configuration{conf})
	why.Mean, why.Std = mean[0], std[0]
	domain := space.NewDomain(c.Study.Space, fixed)
	if err := domain.Err(); err != nil {
		return nil, err
	}
	sample := domain.Sample(generator(o.r, streamExplain), explainSample)
	point := c.Study.Space.EncodeAll([]space.Configuration{conf})
	o.place(why, sample, point)
	if c.Study.Acquisition.Name == "ts" {
		return why, nil
	}
	view := o.h
	// Where nothing new is left of what the guard looks at, the whole space is searched.
	if g, ok := neglected(c.Study, o.h, o.r, domain); ok && g.holds(point, 0) {
		view, why.Guard = g.view, o.guarded(g, conf, why.Incumbent)
	}
	a, err := acquisition(c.Study, o.fit, o.others, view, o.r)
	if err != nil {
		return nil, err
	}
	why.Score, why.Factors = &scoreOf(a, point)[0], o.factors(view)
	why.Alternatives, err = o.alternatives(ctx, a, domain, sample, conf)
	return why, err
}

// factors are the names of what acquisition multiplies, with the history as seen by
// the suggestion.
func (o *outlook) factors(view *history) []string {
	improves := !judged(o.others) || feasiblePoints(o.st, o.h.told) != nil
	var out []string
	if improves {
		out = append(out, headName(o.st))
	}
	for _, name := range sortedKeys(o.others) {
		if improves || name != "cost" {
			out = append(out, strings.TrimSuffix(name, otherSide))
		}
	}
	if hasPrior(o.st.Space) {
		out = append(out, "prior")
	}
	if drawnInward(o.st, view) {
		out = append(out, "middle")
	}
	return slices.Compact(out)
}

// explainSample is how many configurations stand for the space.
const explainSample = 1024

// place compares a point with a sample of the space and with the incumbent. It
// explores where the surrogate is vaguer than in half of the space; it exploits
// where it is surer, or where it expects to beat the incumbent.
func (o *outlook) place(why *Reason, sample, point *points.Set) {
	mean, std := o.fit.latent(points.Concat(point, sample))
	worse, vaguer := 0, 0
	for i := 1; i < len(mean); i++ {
		if mean[i] > mean[0] {
			worse++
		}
		if std[i] > std[0] {
			vaguer++
		}
	}
	n := float64(sample.Len())
	why.BetterThan, why.SurerThan = float64(worse)/n, float64(vaguer)/n
	beats := false
	if best := why.Incumbent; best != nil {
		beats = o.fit.sign*(why.Mean-best.Values[o.st.Objective.Name]) < 0
	}
	switch {
	case why.SurerThan >= 0.5:
		why.Purpose = "exploitation"
	case beats:
		why.Purpose = "both"
	default:
		why.Purpose = "exploration"
	}
}

// searched is the number of other branches that are searched; of the rest, the
// best of the sample counts.
const searched = 12

// alternatives are the best configurations of the branches that conf is not in,
// best first.
func (o *outlook) alternatives(ctx context.Context, a acq.Acquisition, domain *space.Domain, sample *points.Set, conf space.Configuration) ([]Alternative, error) {
	sp := o.st.Space
	score := scoreOf(a, sample)
	best := map[string]int{} // branch → the best of the sample
	for i := range sample.Len() {
		key := sp.BranchKey(sp.Decode(sample, i))
		if at, ok := best[key]; !ok || acq.Descending(score[i], score[at]) < 0 {
			best[key] = i
		}
	}
	delete(best, sp.BranchKey(conf))
	keys := sortedKeys(best)
	slices.SortStableFunc(keys, func(x, y string) int { return acq.Descending(score[best[x]], score[best[y]]) })
	out := make([]Alternative, len(keys))
	confs := make([]space.Configuration, len(keys))
	for k, key := range keys {
		at := sample.Slice(best[key], best[key]+1)
		confs[k], out[k].Score = sp.Decode(at, 0), score[best[key]]
		if k >= searched {
			continue
		}
		found, _, err := acq.Maximize(ctx, a, branch(domain, sp, key), acq.Options{
			Rand: generator(o.r, streamExplain+uint64(k)<<32), Incumbents: at,
			Candidates: 128, Starts: 4, Avoid: avoid(o.st, o.h), Workers: workers(),
		})
		if err == nil && !found[0].Tried {
			confs[k], out[k].Score = sp.Decode(found[0].Point, 0), found[0].Score
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	mean, std, _ := o.fit.predict(sp, confs)
	for k := range out {
		out[k].Config, out[k].Mean, out[k].Std = confs[k], mean[k], std[k]
	}
	slices.SortStableFunc(out, func(x, y Alternative) int { return acq.Descending(x.Score, y.Score) })
	return out, nil
}
