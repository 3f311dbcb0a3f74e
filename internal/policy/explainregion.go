package policy

import (
	"slices"

	"bohier/internal/space"
	"bohier/internal/study"
)

// A Region is the part of the space that a suggestion was sought in, in words.
type Region struct {
	study.Region
	Holds, Fails []string // of a branch: conditions that hold in it, and others
}

// describe puts the region of conf's plan into words; what the conditions imply is left
// out.
func describe(sp *space.Space, r *study.Region, conf space.Configuration) *Region {
	out := &Region{Region: *r}
	for i := range sp.Params() {
		if r.Branch == nil || !sp.Conditional(i) {
			continue
		}
		list := &out.Fails
		switch {
		case conf.Active[i]:
			list = &out.Holds
		case slices.ContainsFunc(sp.Parents(i), func(p int) bool { return !conf.Active[p] }):
			continue // goes without saying
		}
		if text := space.Format(sp.Param(i).Condition, sp); !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	return out
}
