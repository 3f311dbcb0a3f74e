package policy

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A surrogate that is sure of the wrong branch does not notice by itself, so branches share the
// suggestions whatever the surrogate predicts.
const (
	branchRule   = "region.branch"
	branchPeriod = 2 // one suggestion in so many, at most
	branchTrials = 3 // trials for each number active at once before branches have shares, and the design has turns
)

// branchShare chooses the branch that has the fewest trials for its rank. The best arm of K is found with the fewest
// pulls if that of rank r gets a share in proportion to 1/r, up to a factor of ln K (Audibert, Bubeck & Munos 2010,
// "Best arm identification", COLT). In a branch that is not the leader the search improves on the branch's own best:
// against the best of all it would ask where the surrogate knows least, in corners. The leader's share is for the whole
// space, and so is every other suggestion, whatever the shares: where branches have much in common the surrogate knows
// best. While trials are few a rank shows where a branch happened to be searched, not its worth, and no branch has a
// share (bench/notes/branches.md).
//
// Values of a choice are branches as well, where few choices are active at once: one that
// works only with the right number has failed wherever else it was tried, and the surrogate
// expects the same of the rest. The search leaves a branch that could not catch up in time.
func branchShare(v *View, p *study.Plan) string {
	groups := [][]Branch{v.Branches}
	for _, i := range sharedChoices(v.Study) {
		groups = append(groups, v.Values[i])
	}
	groups = slices.DeleteFunc(groups, func(all []Branch) bool { return len(all) == 0 })
	if len(groups) == 0 { // the study has not begun, or values are fixed
		return ""
	}
	trials := 0
	for _, b := range groups[0] {
		trials += b.Tried
	}
	if p.Design || trials < branchTrials*slopes(v.Study.Space) || !v.turn(branchRule, branchPeriod) {
		return ""
	}
	all := slices.SortedStableFunc(slices.Values(slices.Concat(groups...)), func(a, b Branch) int {
		return cmp.Or((a.Tried+1)*a.Rank-(b.Tried+1)*b.Rank, a.Rank-b.Rank)
	})
	b := all[slices.IndexFunc(all, func(b Branch) bool { return b.Rank == 1 || b.Done == nil || !b.Done() })]
	if b.Rank == 1 {
		return ""
	}
	p.Region = &study.Region{Values: b.Values, Tried: b.Tried, Rank: b.Rank}
	what := fmt.Sprintf("of %d branches that", len(v.Branches))
	if b.Values == nil {
		p.Region.Branch = &b.Active
	} else {
		what = "the value of " + b.Values[0].Name
	}
	if b.Best > 0 {
		p.Baseline, p.Incumbent = study.BaselineRegion, b.Best
	}
	return fmt.Sprintf("%s of rank %d was tried %d times only", what, b.Rank, b.Tried)
}

// sharedChoices are the parameters whose values share the suggestions as branches do: choices
// that no condition mentions, few of them active at once.
func sharedChoices(st *study.Study) []int {
	if choices(st.Space) > fewChoices {
		return nil
	}
	return nominals(st.Space, false)
}

// nominals are the choices without an order that conditions mention, or the others.
func nominals(s *space.Space, mentioned bool) []int {
	m := s.Mentioned()
	return lists.Where(len(m), func(i int) bool { return s.Param(i).Nominal() && m[i] == mentioned })
}

// A surrogate expects of an untried value the average of the others, and never tries it where those disappoint. A
// value that failed may work elsewhere, or nowhere, so every failure makes its turns rarer.
const (
	unseenRule   = "region.unseen"
	unseenPeriod = 4 // one suggestion in so many and as many more as the value has failures, until it has a result
)

// tryUnseen seeks the best configuration among those with a value that no trial has, or failed ones alone.
func tryUnseen(v *View, p *study.Plan) string {
	var untried []study.RegionValues
	n, fewest := 0, math.MaxInt
	for _, i := range slices.Sorted(maps.Keys(v.Values)) {
		u := study.RegionValues{Name: v.Study.Space.Param(i).Name}
		for _, b := range v.Values[i] {
			if b.Tried == b.Failed {
				u.Values = append(u.Values, b.Values[0].Values[0])
				fewest = min(fewest, b.Failed)
			}
		}
		if n += len(u.Values); u.Values != nil {
			untried = append(untried, u)
		}
	}
	if p.Design || p.Region != nil || n == 0 || !v.turn(unseenRule, unseenPeriod+fewest) {
		return ""
	}
	p.Region = &study.Region{Values: untried}
	return study.Count(n, "value") + " without a result"
}

// A surrogate that has learnt a broad valley is sure of the rest of the space, and polishes.
const (
	elsewhereRule   = "design.elsewhere"
	elsewherePeriod = 2     // one suggestion in so many
	littleGain      = 0.001 // standard deviations; a search that expects less polishes
)

// lookElsewhere asks for a point of the design while polishing gains next to nothing: an error of
// the surrogate shows only where the surrogate would not look.
func lookElsewhere(v *View, p *study.Plan) string {
	few := v.Ends < branchTrials*slopes(v.Study.Space)
	if few || v.Gain >= math.Log(littleGain) || !v.turn(elsewhereRule, elsewherePeriod) {
		return ""
	}
	p.Design = true
	return fmt.Sprintf("the latest search expected to gain %.2g standard deviations", math.Exp(v.Gain))
}
