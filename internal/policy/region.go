package policy

import (
	"cmp"
	"fmt"
	"slices"

	"bohier/internal/study"
)

// A surrogate that is sure of the wrong branch does not notice by itself, so branches
// share the suggestions whatever the surrogate believes.
const (
	branchRule   = "region.branch"
	branchPeriod = 2 // one suggestion in so many, at most
	branchTrials = 3 // trials for each number active at once before branches have shares
)

// branchShare chooses the branch that has the fewest trials for its rank. The best arm of
// K is found with the fewest pulls if that of rank r gets a share in proportion to 1/r, up to
// a factor of ln K (Audibert, Bubeck & Munos 2010). In a branch that is not the leader
// the search improves on the branch's own best: against the best of all it would ask
// where the surrogate knows least, in corners. The leader's share is for the whole space,
// and so is every other suggestion, whatever the shares: where branches have much in
// common the surrogate knows best. While trials are few a rank tells where a branch happened
// to be looked at, not what it holds, and no branch has a share (bench/notes/branches.md).
func branchShare(v *View, p *study.Plan) string {
	trials := 0
	for _, b := range v.Branches {
		trials += b.Tried
	}
	if len(v.Branches) == 0 || trials < branchTrials*slopes(v.Study.Space) || !v.turn(branchRule, branchPeriod) {
		return ""
	}
	open := slices.DeleteFunc(slices.Clone(v.Branches), func(b Branch) bool { return b.Done && b.Rank > 1 })
	b := slices.MinFunc(open, func(a, b Branch) int {
		return cmp.Or((a.Tried+1)*a.Rank-(b.Tried+1)*b.Rank, a.Rank-b.Rank)
	})
	if b.Rank == 1 {
		return ""
	}
	p.Region = &study.Region{Branch: &b.Active, Tried: b.Tried, Rank: b.Rank}
	if b.Best > 0 && len(v.Goals) == 0 {
		p.Baseline, p.Incumbent = study.BaselineRegion, b.Best
	}
	return fmt.Sprintf("of %d branches that of rank %d was tried %d times only", len(v.Branches), b.Rank, b.Tried)
}

// A surrogate knows nothing of a value that no trial has but what the others let it
// expect, and where those disappoint it never asks.
const (
	unseenRule   = "region.unseen"
	unseenPeriod = 4 // one suggestion in so many, until every value was tried
)

// tryUnseen seeks the best configuration among those with a value that no trial has.
func tryUnseen(v *View, p *study.Plan) string {
	if p.Region != nil || len(v.Unseen) == 0 || !v.turn(unseenRule, unseenPeriod) {
		return ""
	}
	n := 0
	for _, u := range v.Unseen {
		n += len(u.Values)
	}
	p.Region = &study.Region{Values: v.Unseen}
	return study.Count(n, "value") + " never tried"
}
