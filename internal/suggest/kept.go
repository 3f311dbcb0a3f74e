package suggest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Kept is a process's memory of its requests. The zero value is ready, nil keeps nothing; several
// goroutines may use it.
type Kept struct {
	mu   sync.Mutex
	told any // what the results rest on
	by   map[resultsOf]*results
}

// mostResults bounds Kept: of the objectives, of all of them together, and of trials that are asked about.
const mostResults = 8

// results are the results of trials that are not pending, shared by all requests until one reports
// more. They are not changed once they are kept.
type results struct {
	tried  func() map[string]bool  // keys of their configurations
	silent func(*study.Trial) bool // selects trials that surrogates do not learn from; nil: none
	facts  sync.Map                // that follow, by their kind
}

// counts reports whether a trial tells something, or suggestions change it.
func (r *results) counts(t *study.Trial) bool {
	return r.silent == nil || t.State == study.Pending || t.State == study.Reserved || !r.silent(t)
}

// once is the result of f for a history, or for an earlier request with the same results. It must not depend
// on pending trials, and is not to be changed.
func once[T any](h *history, name string, f func() T) T {
	fact, _ := kept(h, name, nil, func() (T, error) { return f(), nil })
	return fact
}

// resultsOf is all that results depend on.
type resultsOf struct {
	space     *space.Space
	objective string // the only one, or the first
	among     int
	excluded  int // the number of the trial that is asked about, if it has a configuration; 0: none
}

// results are those of the trials for a request.
func (m *Kept) results(st *study.Study, trials []study.Trial, r Request) *results {
	of := resultsOf{space: st.Space, objective: st.Objective().Name, among: len(st.Among)}
	if n := r.Number; n > 0 && n <= len(trials) && trials[n-1].State != study.Reserved {
		of.excluded = n
	}
	if m == nil || r.Told == nil {
		return newResults(st, trials, r.Number)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.told != r.Told || len(m.by) == mostResults && m.by[of] == nil {
		m.told, m.by = r.Told, map[resultsOf]*results{}
	}
	if m.by[of] == nil {
		m.by[of] = newResults(st, trials, r.Number)
	}
	return m.by[of]
}

// newResults finds the results that answer the request for trial number.
func newResults(st *study.Study, trials []study.Trial, number int) *results {
	all, told := &history{st: st}, []*study.Trial(nil)
	for k := range trials {
		if t := &trials[k]; all.sort(t, number) && !t.Outside && t.State != study.Pending {
			told = append(told, t)
		}
	}
	return &results{tried: keysOf(st, told), silent: all.share()}
}

// A seen is the keys of configurations with a result and of pending ones, as far as they could be proposed again.
type seen struct{ told, pending func() map[string]bool }

func (s seen) has(key []byte) bool { return s.told()[string(key)] || s.pending()[string(key)] }

func (s seen) len() int {
	told := s.told()
	n := len(told)
	for key := range s.pending() {
		if !told[key] {
			n++
		}
	}
	return n
}

// keysOf finds the keys of configurations that could be proposed when they are asked for.
func keysOf(st *study.Study, trials []*study.Trial) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		keys := make(map[string]bool, len(trials))
		for _, t := range trials {
			if st.Space.Proposable(t.Config) == nil {
				keys[st.Space.Key(t.Config)] = true
			}
		}
		return keys
	})
}

// A stage is a fact with all that it depends on beside the results. It is not changed.
type stage struct {
	of   []any
	fact any
}

// kept is the result of f, or of an earlier request with the same results for which f depended on the same.
func kept[T any](h *history, name string, of []any, f func() (T, error)) (T, error) {
	name = fmt.Sprint(len(h.st.Among), h.st.Objective().Name, " ", name)
	if was, ok := h.known.facts.Load(name); ok && reflect.DeepEqual(was.(stage).of, of) {
		return was.(stage).fact.(T), nil
	}
	fact, err := f()
	if err == nil {
		h.known.facts.Store(name, stage{of, fact})
	}
	return fact, err
}

// once runs a stage of fits, unless a request before did for the same results and models. The requests of a batch
// differ in pending trials alone, which no fit knows.
func (s fitting) once(name string, fit func() error) error {
	h, warm := s.h, s.r.Warm.Clone()
	if h.pace != nil {
		return fit()
	}
	gain := warm.Gain
	warm.Gain = nil // no fit reads it
	of := []any{s.plan.Factors, warm, s.r.Seed, s.r.Sources, h.At, len(h.pending) > 0}
	for _, g := range s.plan.Goals(s.st) {
		of = append(of, g.Model)
	}
	fitted, err := kept(h, name, of, func() (*surrogates, error) {
		err := fit()
		out := new(surrogates)
		if err == nil {
			out.take(s.surrogates)
		}
		return out, err
	})
	if err != nil {
		return err
	}
	s.take(fitted)
	for _, g := range s.goals {
		k := slices.IndexFunc(s.st.Objectives, func(ob study.Objective) bool { return ob.Name == g.plan.Name })
		g.h, g.plan = h.alone()[k], s.plan.Goals(s.st)[k]
	}
	s.note.Gain = gain
	return nil
}

// take has s copy the fits of others, without their history.
func (s *surrogates) take(from *surrogates) {
	s.curves, s.extrapolation = from.curves, from.extrapolation
	s.flat, s.others, s.note = slices.Clone(from.flat), maps.Clone(from.others), from.note.Clone()
	s.goals = lists.Of(from.goals, func(g *goal) *goal { return &goal{plan: g.plan, fit: g.fit, noisy: g.noisy} })
}
