package fidelity

import (
	"slices"

	"bohier/internal/study"
)

// A Place is where a trial stands among the others at the highest level it has a value at.
type Place struct {
	Level    float64
	Place    int // from 1
	Entries  int
	Promoted int // entries that are judged there and went on
}

// PlaceOf is the place of trials[i]; ok is false where it has no value at a level.
func PlaceOf(st *study.Study, trials []study.Trial, i int) (p Place, ok bool) {
	l := ladder{st, &st.Fidelity, trials}
	k := l.f.LevelAt(l.f.Resource(trials[i].Course))
	if k < 0 {
		return p, false
	}
	rung := l.rung(k)
	at := slices.IndexFunc(rung, func(e Entry) bool { return e.Trial == i })
	level := Levels(st, trials)[k]
	return Place{Level: level.Resource, Place: at + 1, Entries: len(rung), Promoted: level.Promoted}, at >= 0
}
