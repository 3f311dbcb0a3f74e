package policy

import "bohier/internal/study"

// Where little was tried the surrogate knows least at the ends of the ranges and expects
// most there (Siivola et al. 2018, "Correcting boundary over-exploration deficiencies in
// Bayesian optimization with virtual derivative sign observations"): a branch would be
// judged by its corners, which say little about the rest. A look at a branch is
// therefore drawn to the middle of its numbers, as by a prior of this width (see
// belief), the less the more trials beyond centred it has (docs/benchmarks.md).
const (
	centreWidth = 0.25
	centred     = 5
)

// drawnInward tells whether a suggestion looks at a branch and is drawn to its middle:
// what scores by a bound does not multiply with anything.
func drawnInward(st *study.Study, h *history) bool {
	_, err := logHead(headName(st))
	return h.only != nil && err == nil
}

// inward is the factor that does so; of parameters with a prior the user knows better.
func inward(st *study.Study, h *history) belief {
	n := 0
	for _, c := range h.configurations() {
		if h.only(c) {
			n++
		}
	}
	b := belief{weight: centred / float64(max(centred, n))}
	for c, i := range st.Space.Coordinates() {
		if p := st.Space.Param(i); p.Levels() == 0 && p.Prior == nil {
			b.at = append(b.at, coordBelief{coord: c, mode: 0.5, width: centreWidth})
		}
	}
	return b
}
