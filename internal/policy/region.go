package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bohier/internal/space"
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
// to be looked at, not what it holds, and no branch has a share (docs/benchmarks/branches.md).
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

// settledIn reports whether there are trials enough of the study's own to doubt what
// they say; a warm start suggests before that.
func settledIn(h *history) bool {
	return len(h.Told())+len(h.Infeasible) >= h.st.Replicates.Times()*initialCount(h.st)
}

// regionOf is the part of a domain that a plan looks at: a branch, or the configurations
// with one of some values.
func regionOf(d *space.Domain, sp *space.Space, r *study.Region) subdomain {
	if r.Branch != nil {
		active := strings.Join(*r.Branch, "\x00")
		for _, b := range sp.Branches() {
			if strings.Join(activeNames(sp, b), "\x00") == active {
				return branch(d, sp, sp.BranchKey(space.Configuration{Active: b}))
			}
		}
	}
	wanted := map[int][]bool{} // by coordinate and level
	for co, i := range sp.Coordinates() {
		for _, rv := range r.Values {
			if p := sp.Param(i); p.Name == rv.Name {
				wanted[co] = make([]bool, p.Levels())
				for k, text := range p.Values {
					wanted[co][k] = slices.Contains(rv.Values, text)
				}
			}
		}
	}
	return subdomain{d, hasOneOf(wanted)}
}
