package report

import "bohier/internal/study"

// Changes are what a correction made of a trial's outcomes and state, in words: "loss 0.3 → 0.2".
func Changes(st *study.Study, was, now *study.Trial) (words []string) {
	if before, after := stateText(was), stateText(now); before != after {
		words = append(words, before+" → "+after)
	}
	text := func(t *study.Trial, name string) string {
		if v, ok := t.Values[name]; ok {
			return Number(v)
		}
		return "none"
	}
	for _, name := range st.Outcomes() {
		if before, after := text(was, name), text(now, name); before != after {
			words = append(words, name+" "+before+" → "+after)
		}
	}
	return words
}
