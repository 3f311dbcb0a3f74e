package policy

import (
	"fmt"
	"slices"
	"strings"

	"bohier/internal/space"
	"bohier/internal/study"
)

// A surrogate that is sure of the wrong branch or category does not notice by itself.
// So now and then a suggestion is a coverage check: it looks only at the branch with the
// fewest trials, or at the configurations with one of the values of categorical
// parameters that were tried least.
const (
	coverageRule   = "region.coverage"
	coveragePeriod = 5 // one suggestion in so many
)

// coverage chooses the region of a coverage check.
func coverage(v *View, p *study.Plan) string {
	if !v.Settled || v.Fixed || !v.turn(coverageRule, coveragePeriod) {
		return ""
	}
	byBranch := len(v.Branches) > 1 && v.deal(coverageRule+".kind", (v.Number-1)/coveragePeriod, 2) == 0
	if !byBranch || len(v.Values) == 0 {
		if p.Region = leastSampled(v.Values); p.Region != nil {
			return fmt.Sprintf("one suggestion in %d; the rarest values were tried %d times", coveragePeriod, p.Region.Tried)
		}
	}
	if len(v.Branches) < 2 {
		return ""
	}
	least := slices.MinFunc(v.Branches, func(a, b Branch) int { return a.Tried - b.Tried })
	p.Region = &study.Region{Branch: &least.Active, Tried: least.Tried}
	return fmt.Sprintf("one suggestion in %d; the least of %d branches was tried %d times", coveragePeriod, len(v.Branches), least.Tried)
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
	return len(h.Told())+len(h.Infeasible) >= InitialCount(st)
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
