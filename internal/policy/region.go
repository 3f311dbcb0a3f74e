package policy

import (
	"fmt"
	"slices"
	"strings"

	"bohier/internal/gp"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A surrogate that is sure of the wrong branch or category does not notice by itself.
// So now and then a suggestion is a coverage check: it looks only at the branch with the
// fewest trials, or at the configurations with one of the values of categorical
// parameters that were tried least.
const (
	coveragePeriod = 5 // one suggestion in so many
	stalledPeriod  = 3 // of the other suggestions, once the search has stalled

	// The search has stalled when the latest stallWindow feasible trials gained less
	// than a share of stallTolerance of the lead that the best has over the first.
	stallWindow    = 10
	stallTolerance = 1e-3
)

func coverage(v *View, p *study.Plan) string { return cover(v, p, coveragePeriod) }

func stalledCoverage(v *View, p *study.Plan) string {
	if !v.Stalled || p.Region != nil {
		return ""
	}
	return cover(v, p, stalledPeriod)
}

// cover chooses the region of a coverage check in one turn of so many.
func cover(v *View, p *study.Plan, period int) string {
	const rule = "region.coverage"
	if !v.Settled || v.Fixed || !v.turn(fmt.Sprint(rule, period), period) {
		return ""
	}
	byBranch := len(v.Branches) > 1 && v.deal(rule+".kind", (v.Number-1)/period, 2) == 0
	if !byBranch || len(v.Values) == 0 {
		if p.Region = leastSampled(v.Values, func(v Value) int { return v.Tried }); p.Region != nil {
			return fmt.Sprintf("one suggestion in %d; the rarest values were tried %d times", period, p.Region.Tried)
		}
	}
	if len(v.Branches) < 2 {
		return ""
	}
	least := slices.MinFunc(v.Branches, func(a, b Branch) int { return a.Tried - b.Tried })
	p.Region = &study.Region{Branch: &least.Active, Tried: least.Tried}
	return fmt.Sprintf("one suggestion in %d; the least of %d branches was tried %d times", period, len(v.Branches), least.Tried)
}

// leastSampled are the values with the smallest count; negative counts do not take
// part. It is nil where that is every value.
func leastSampled(values []Value, count func(Value) int) *study.Region {
	var r *study.Region
	most := 0
	for _, v := range values {
		n := count(v)
		most = max(most, n)
		switch {
		case n < 0 || r != nil && n > r.Tried:
			continue
		case r == nil || n < r.Tried:
			r = &study.Region{Tried: n}
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

func nearBest(v *View, p *study.Plan) string {
	if !v.Stalled || p.Region == nil || p.Region.Values == nil {
		return ""
	}
	r := leastSampled(v.Values, func(v Value) int { return v.Near })
	if r == nil {
		return ""
	}
	r.NearBest = true
	p.Region = r
	return fmt.Sprintf("tried %d times within one category of trial %d", r.Tried, v.Best.Trial)
}

func regionBaseline(v *View, p *study.Plan) string {
	if p.Region == nil || p.Region.Branch == nil || p.Baseline == study.BaselineNone {
		return ""
	}
	b := v.branch(*p.Region.Branch)
	switch {
	case b.Best.Trial > 0:
		p.Baseline, p.Incumbent = study.BaselineRegion, b.Best.Trial
		return fmt.Sprintf("the best of the branch is trial %d", b.Best.Trial)
	case b.Pending > 0:
		p.Baseline, p.Incumbent = study.BaselineRegion, 0
		return fmt.Sprintf("the branch has %d pending trials", b.Pending)
	}
	p.Baseline, p.Incumbent = study.BaselineMedian, 0
	return "the branch has no feasible trial"
}

// branch is the branch with these active parameters.
func (v *View) branch(active []string) Branch {
	for _, b := range v.Branches {
		if slices.Equal(b.Active, active) {
			return b
		}
	}
	return Branch{}
}

// settledIn reports whether there are trials enough of the study's own to doubt what
// they say; a warm start suggests before that.
func settledIn(st *study.Study, h *history) bool {
	return len(h.Told())+len(h.Infeasible) >= initialCount(st)
}

// stalled reports whether the latest feasible trials gained next to nothing.
func stalled(st *study.Study, h *history) bool {
	var y []float64
	for _, t := range h.Observed {
		if st.Feasible(t) {
			y = append(y, st.Objective.Direction.Sign()*t.Values[st.Objective.Name])
		}
	}
	if len(y) < 2*stallWindow {
		return false
	}
	if st.Several() {
		return stalledFront(st, h)
	}
	best, before := slices.Min(y), slices.Min(y[:len(y)-stallWindow])
	return before-best <= stallTolerance*(gp.Median(y[:min(initialCount(st), stallWindow)])-best)
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
