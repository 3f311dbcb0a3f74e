package suggest

import (
	"sync"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// Kept is what a process keeps of its requests. The zero value is ready, nil keeps nothing; several
// goroutines may use it.
type Kept struct {
	surrogates surrogate.Fits
	mu         sync.Mutex
	of         resultsOf
	newest     *results
}

func (m *Kept) fits() *surrogate.Fits {
	if m == nil {
		return nil
	}
	return &m.surrogates
}

// results are what trials that are not pending say to all requests until one says more. They are not
// changed once they are kept.
type results struct {
	tried func() map[string]bool // keys of their configurations
	leads map[int]bool           // numbers of the best of very many; nil: nobody asked
}

// resultsOf is all that results depend on.
type resultsOf struct {
	space     *space.Space
	objective string // the only one, or the first
	among     int
	told      any
	excluded  int // the number of the trial that is asked about, if it has a configuration; 0: none
}

// results are those of the trials for a request. Where they are not known yet they are empty, and what
// keeps them is to be called when they are complete.
func (m *Kept) results(st *study.Study, trials []study.Trial, r Request) (known *results, keep func()) {
	of := resultsOf{space: st.Space, objective: st.Objective().Name, among: st.Among, told: r.Told}
	if n := r.Number; n > 0 && n <= len(trials) && trials[n-1].State != study.Reserved {
		of.excluded = n
	}
	if m == nil || r.Told == nil {
		return &results{}, func() {}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.newest != nil && m.of == of {
		return m.newest, nil
	}
	known = &results{}
	return known, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.of, m.newest = of, known
	}
}

// A seen is the keys of configurations with a result and of pending ones.
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

// keysOf finds the keys of configurations when they are asked for.
func keysOf(st *study.Study, trials []*study.Trial) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		keys := make(map[string]bool, len(trials))
		for _, t := range trials {
			keys[st.Space.Key(t.Config)] = true
		}
		return keys
	})
}
