package csp

import (
	"math/rand/v2"
	"slices"
)

// The share of its samples that multilevel splitting keeps at each level: at least a quarter if
// one clause alone leaves so many; rarer than one in fifty is too rare to measure well. Where
// nothing else measures it, more samples measure roughly what is ten times as rare.
const (
	keptShare   = 0.25
	leastKept   = 0.02
	rarelyKept  = 0.002
	manySamples = 4
	sweeps      = 4 // moves a variable between levels
)

// splitting estimates the number of solutions as the number of places times, for one
// group of clauses after the other, the share of the solutions of the groups before that
// satisfy it, too (Kahn & Harris 1951; Jerrum, Valiant & Vazirani 1986, Theoretical
// Computer Science 43). ok is false where a share is below the least.
func (s *State) splitting(r *rand.Rand, samples int, least float64) (n float64, ok bool) {
	at := make([][]int64, samples)
	for k := range at {
		at[k] = make([]int64, len(s.dom))
		for v := range s.dom {
			at[k][v] = s.pick(v, r)
		}
	}
	n = s.room()
	for done := 0; done < len(s.p.Clauses); {
		kept := at
		for first := true; done < len(s.p.Clauses); first = false {
			left := slices.DeleteFunc(slices.Clone(kept), func(x []int64) bool { return !s.p.holds(s.p.Clauses[done], x) })
			if !first && float64(len(left)) < keptShare*float64(samples) {
				break
			}
			kept = left
			done++
		}
		share := float64(len(kept)) / float64(samples)
		if share < least {
			return 0, false
		}
		n *= share
		if done == len(s.p.Clauses) {
			break
		}
		level := &Problem{Vars: s.p.Vars, Clauses: s.p.Clauses[:done]}
		level.Compile()
		w := (&State{p: level, dom: s.dom, at: make([]int64, len(s.dom))}).NewWalk(kept[0], r)
		next := make([][]int64, samples)
		for k := range next {
			copy(w.At, kept[k%len(kept)])
			w.Reset()
			w.Steps(sweeps)
			next[k] = slices.Clone(w.At)
		}
		at = next
	}
	return n, true
}
