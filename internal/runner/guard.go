package runner

import (
	"bohier/internal/acq"
	"bohier/internal/space"
	"bohier/internal/study"
)

// guardEvery is the share of suggestions that look at the least-tried branch
// only: one in five. A surrogate that is sure of the wrong branch does not notice
// by itself (measurements in docs/benchmarks.md).
const guardEvery = 5

// guarded is the domain a suggestion searches: now and then, in a conditional
// space, the branch with the fewest trials.
func guarded(st *study.Study, h *history, r Request, d *space.Domain) acq.Domain {
	if len(r.Fixed) > 0 || h.turn()%guardEvery != guardEvery-1 {
		return d
	}
	branches := st.Space.Branches()
	if len(branches) < 2 {
		return d
	}
	tried := map[string]int{}
	for _, list := range [][]*study.Trial{h.told, h.refused, h.pending} {
		for _, t := range list {
			if !t.Outside {
				tried[st.Space.BranchKey(t.Config)]++
			}
		}
	}
	least := ""
	for k, active := range branches {
		key := st.Space.BranchKey(space.Configuration{Active: active})
		if k == 0 || tried[key] < tried[least] {
			least = key
		}
	}
	return branch{Domain: d, s: st.Space, key: least}
}
