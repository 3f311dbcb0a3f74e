package suggest

import (
	"bohier/internal/acq"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// avoid recognises configurations that are not to be proposed: those tried before
// and the surroundings of pending ones.
func avoid(h *history) func(q *points.Set, i int) bool {
	m, pending := space.NewGower(h.st.Space), pointsOf(h.st, h.pending)
	return func(q *points.Set, i int) bool {
		for j := 0; pending != nil && j < pending.Len(); j++ {
			if m.Within(q, i, pending, j, acq.Separation) {
				return true
			}
		}
		return h.seen[h.st.Space.Key(h.st.Space.Decode(q, i))]
	}
}

// TooClose are the choices of a suggestion, as trials, that lie too close to a
// trial that became pending after the state they were computed from; none when no
// choice would be left. Processes that ask at once find the same optima.
func TooClose(sp *space.Space, sug *study.Suggestion, then, now []*study.Trial) []*study.Trial {
	if sug.Source != "model" {
		return nil
	}
	m := space.NewGower(sp)
	confs := append([]space.Configuration{sug.Config}, sug.Spare...)
	choices := sp.EncodeAll(confs)
	known := map[int]bool{}
	for _, t := range then {
		known[t.Number] = true
	}
	near := make([]bool, choices.Len())
	n := 0
	for _, t := range now {
		if known[t.Number] || t.Outside {
			continue
		}
		at := sp.EncodeAll([]space.Configuration{t.Config})
		for k := range near {
			if !near[k] && m.Within(choices, k, at, 0, acq.Separation) {
				near[k] = true
				n++
			}
		}
	}
	if n == len(near) {
		return nil
	}
	var out []*study.Trial
	for k, is := range near {
		if is {
			out = append(out, &study.Trial{Config: confs[k]})
		}
	}
	return out
}
