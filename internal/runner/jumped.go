package runner

import (
	"fmt"

	"bohier/internal/study"
)

// jumped is the warning that a report beyond a level stands in for one at it; empty where
// none does, or did before: a study is told once.
func (c Session) jumped(before []study.Trial, after *study.Trial) string {
	f := c.Study.Fidelity
	for i := range before {
		if level, _ := f.FirstJumped(before[i].Course); level > 0 {
			return ""
		}
	}
	level, at := f.FirstJumped(after.Course)
	if level == 0 {
		return ""
	}
	return fmt.Sprintf("level %v was jumped over by trial %s: reported at %v, which stands in for it; report at levels, so that trials are compared at the same %s",
		level, after.ID(), at, f.Name)
}
