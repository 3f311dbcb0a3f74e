package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bohier/internal/space"
	"bohier/internal/study"
)

// A surrogate that is sure of the wrong branch or category does not notice by itself.
// So branches share the suggestions whatever the surrogate believes, and now and then a
// suggestion is a coverage check: it looks only at the configurations with one of the
// values of categorical parameters that were tried least.
const (
	branchRule     = "region.branch"
	coverageRule   = "region.coverage"
	branchPeriod   = 2 // one suggestion in so many, at most
	coveragePeriod = 5 // one suggestion in so many
)

// branchShare chooses the branch that has the fewest trials for its rank. The best arm of
// K is found with the fewest pulls if that of rank r gets a share in proportion to 1/r, up to
// a factor of ln K (Audibert, Bubeck & Munos 2010). In a branch that is not the leader
// the search improves on the branch's own best: against the best of all it would ask
// where the surrogate knows least, in corners. The leader's share is for the whole space,
// and so is every other suggestion, whatever the shares: where branches have much in
// common the surrogate knows best.
func branchShare(v *View, p *study.Plan) string {
	if !v.Settled || v.Fixed || len(v.Branches) < 2 || !v.turn(branchRule, branchPeriod) {
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

// coverage chooses the region of a coverage check.
func coverage(v *View, p *study.Plan) string {
	if !v.Settled || v.Fixed || p.Region != nil || !v.turn(coverageRule, coveragePeriod) {
		return ""
	}
	if p.Region = leastSampled(v.Values); p.Region == nil {
		return ""
	}
	return fmt.Sprintf("one suggestion in %d; the rarest values were tried %d times", coveragePeriod, p.Region.Tried)
}

// leastSampled are the values that were tried least. It is nil where that is every
// value.
func leastSampled(values []Value) *study.Region {
	var r *study.Region
	most := 0
	for _, v := range values {
		most = max(most, v.Tried)
		switch {
		case r != nil && v.Tried > r.Tried:
			continue
		case r == nil || v.Tried < r.Tried:
			r = &study.Region{Tried: v.Tried}
		}
		if k := len(r.Values) - 1; k >= 0 && r.Values[k].Name == v.Param {
			r.Values[k].Values = append(r.Values[k].Values, v.Value)
		} else {
			r.Values = append(r.Values, study.RegionValues{Name: v.Param, Values: []string{v.Value}})
		}
	}
	if r == nil || r.Tried == most {
		return nil
	}
	return r
}

// settledIn reports whether there are trials enough of the study's own to doubt what
// they say; a warm start suggests before that.
func settledIn(st *study.Study, h *history) bool {
	return len(h.Told())+len(h.Infeasible) >= st.Replicates.Times()*InitialCount(st)
}

// regionOf is the part of a domain that a plan looks at.
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
