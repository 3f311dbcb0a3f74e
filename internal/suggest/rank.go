package suggest

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"bohier/internal/acq"
	"bohier/internal/lists"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// A Ranked configuration is one of a list of candidates.
type Ranked struct {
	Config   space.Configuration
	Score    float64    // of the acquisition function, larger is better
	Expected []Expected // of the objectives that were modelled
	Tried    bool       // tried before, refused or pending
}

// Rank orders candidates by the score that the suggestion r asks for would be chosen
// by, best first, ties in the order given.
func Rank(ctx context.Context, st *study.Study, trials []study.Trial, r Request,
	candidates []space.Configuration) ([]Ranked, error) {
	fitted, err := fitWhole(ctx, st, trials, r)
	if err != nil {
		return nil, err
	}
	s := explaining{scoring{fitted}}
	score, err := s.scores(candidates)
	if err != nil {
		return nil, err
	}
	return bestFirst(s.ranked(candidates, score)), nil
}

func bestFirst(list []Ranked) []Ranked {
	slices.SortStableFunc(list, func(a, b Ranked) int { return acq.Descending(a.Score, b.Score) })
	return list
}

// Pick chooses n of the candidates to be tried together, one after the other, the ones chosen before counting as
// pending: they come in the order of choice, each with its score then. Candidates that were tried before are not
// chosen, nor is one twice; the strings are warnings when that leaves fewer.
func Pick(ctx context.Context, st *study.Study, trials []study.Trial, r Request, candidates []space.Configuration,
	n int) ([]Ranked, []string, error) {
	fitted, err := fitWhole(ctx, st, trials, r)
	if err != nil {
		return nil, nil, err
	}
	s := explaining{scoring{fitted}}
	fresh := lists.Distinct(lists.Only(candidates, s.h.new), st.Space.Key)
	var warnings []string
	if len(fresh) < n {
		warnings = append(warnings, fmt.Sprintf("only %d of the candidates are new and different", len(fresh)))
	}
	var out []Ranked
	for len(out) < n && len(fresh) > 0 {
		score, err := s.scores(fresh)
		if err != nil {
			return nil, nil, err
		}
		at := 0
		for i := range score {
			if acq.Descending(score[i], score[at]) < 0 {
				at = i
			}
		}
		out = append(out, s.ranked(fresh[at:at+1], score[at:at+1])...)
		s.h.pending = append(s.h.pending, &study.Trial{State: study.Pending, Config: fresh[at]})
		fresh = slices.Delete(fresh, at, at+1)
		s.r.Number++ // draws of its own for the next
	}
	return out, warnings, nil
}

func (s explaining) ranked(confs []space.Configuration, score []float64) []Ranked {
	out := make([]Ranked, len(confs))
	for i, e := range s.expected(confs) {
		out[i] = Ranked{Config: confs[i], Score: score[i], Expected: e, Tried: !s.h.new(confs[i])}
	}
	return out
}

// searched is the number of other branches that are searched; of the rest, the best of the sample counts.
const searched = 12

// alternatives are the best configurations of the branches that conf is not in, best first.
func (s explaining) alternatives(ctx context.Context, a acq.Acquisition, domain *space.Domain, sample *points.Set,
	conf space.Configuration) ([]Ranked, error) {
	sp := s.st.Space
	score := acq.Scores(a(), sample)
	best := map[string]int{} // branch → the best of the sample
	for i := range sample.Len() {
		key := sp.BranchKey(sp.Decode(sample, i))
		if at, ok := best[key]; !ok || acq.Descending(score[i], score[at]) < 0 {
			best[key] = i
		}
	}
	delete(best, sp.BranchKey(conf))
	keys := slices.Sorted(maps.Keys(best))
	slices.SortStableFunc(keys, func(x, y string) int { return acq.Descending(score[best[x]], score[best[y]]) })
	confs, scores := make([]space.Configuration, len(keys)), make([]float64, len(keys))
	for k, key := range keys {
		at := sample.Slice(best[key], best[key]+1)
		confs[k], scores[k] = sp.Decode(at, 0), score[best[key]]
		if k >= searched {
			continue
		}
		found, _, err := acq.Maximize(ctx, a, branch(domain, sp, confs[k].Active), acq.Options{
			Rand: generator(s.r, streamExplain+uint64(k)<<32), Incumbents: at,
			Candidates: 128, Starts: 4, Avoid: avoid(s.h), Workers: surrogate.Workers(),
		})
		if err == nil && !found[0].Tried {
			confs[k], scores[k] = sp.Decode(found[0].Point, 0), found[0].Score
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return bestFirst(s.ranked(confs, scores)), nil
}
