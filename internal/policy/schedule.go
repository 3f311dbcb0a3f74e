package policy

import (
	"hash/fnv"
	"math/rand/v2"
)

// Rules that act now and then draw their turns from the study's seed, their own name
// and the trial's number alone. So the turns of two rules do not depend on one another,
// and processes that ask at once, with numbers of their own, share the turns.

// turn reports whether a rule acts, once in every block of so many trials.
func (v *View) turn(rule string, every int) bool {
	at := max(0, v.Number-1)
	return at%every == v.draw(rule, at/every).IntN(every)
}

// draw is the generator of a rule's block.
func (v *View) draw(rule string, block int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(rule))
	return rand.New(rand.NewPCG(v.Seed, h.Sum64()+uint64(block)))
}
