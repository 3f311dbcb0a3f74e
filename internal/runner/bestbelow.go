package runner

import (
	"bohier/internal/fidelity"
	"bohier/internal/study"
)

// BestBelow are the best n trials at the level of a resource, and that resource; of 0, at the
// highest level where a trial counts. It is 0 where those at full resource do.
func BestBelow(st *study.Study, trials []study.Trial, at float64, n int) (best []study.Trial, level float64) {
	f := st.Fidelity
	k := f.LevelAt(at)
	if at == 0 {
		k = fidelity.Highest(st, trials)
	}
	if k < 0 || k == f.Top() {
		return nil, 0
	}
	return fidelity.BestAt(st, trials, k, n), f.Levels[k]
}
