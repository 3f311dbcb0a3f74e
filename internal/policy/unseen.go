package policy

import (
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

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

// possible is the size of the sample that tells which values constraints allow.
const possible = 512

// unseen are the values of choices that no trial has.
func unseen(h *history, r Request) []study.RegionValues {
	st := h.st
	sp := st.Space
	var out []study.RegionValues
	var sample *points.Set
	for co, i := range sp.Coordinates() {
		p := sp.Param(i)
		if !p.Nominal() {
			continue
		}
		seen := make([]bool, p.Levels())
		for _, t := range h.own() {
			if !t.Outside && t.Config.Active[i] {
				seen[int(t.Config.Value[i])] = true
			}
		}
		u := study.RegionValues{Name: p.Name}
		for k, known := range seen {
			if known {
				continue
			}
			if sample == nil {
				domain := space.NewDomain(sp, nil)
				if domain.Err() != nil {
					return nil
				}
				sample = domain.Sample(generator(r, streamRegion), possible)
			}
			if has(sample, co, k) {
				u.Values = append(u.Values, p.Values[k])
			}
		}
		if u.Values != nil {
			out = append(out, u)
		}
	}
	return out
}

// has reports whether a point has a level of a coordinate.
func has(q *points.Set, co, level int) bool {
	for i := range q.Len() {
		if q.Active(co, i) && int(q.At(co, i)) == level {
			return true
		}
	}
	return false
}
