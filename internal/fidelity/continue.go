package fidelity

import (
	"slices"

	"bohier/internal/study"
)

// ContinueRule is the rule of a study's policy by which a surrogate says which paused
// trials go on.
const ContinueRule = "fidelity.continue"

// Continues reports whether a surrogate says which paused trials of a study go on, in
// place of rungs and of what levels are worth.
func Continues(st *study.Study) bool {
	f := &st.Fidelity
	return f.Rule() == study.SchedulerASHA && f.Starting() == study.StartAuto && !f.MeasuresOne() &&
		!st.Policy.Plain && !slices.Contains(st.Policy.Without, ContinueRule)
}

// firstLook is the share of the full resource that a trial has had when a surrogate looks
// at it first. Before, networks say next to nothing about their end.
const firstLook = 0.1

// FirstLook is the lowest level with that share.
func FirstLook(f *study.Fidelity) int {
	for k, r := range f.Levels {
		if r >= firstLook*f.High() {
			return k
		}
	}
	return f.Top()
}
