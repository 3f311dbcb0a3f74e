package policy

import "bohier/internal/study"

// Rung is the rung of a level.
func Rung(st *study.Study, trials []study.Trial, level int) []Entry {
	return newLadder(st, trials).rung(level)
}
