package policy

import (
	"hash/fnv"
	"math/rand/v2"

	"bohier/internal/study"
)

// A View is what rules decide from: the study, and plain numbers about its trials. No
// surrogate is behind it.
type View struct {
	Study  *study.Study
	Number int    // of the trial to suggest
	Seed   uint64 // of the study

	Observed, Infeasible, Pending int // trials
	Ends                          int // trials at full resource, of the observed
	Feasible                      int // observed trials that satisfy every constraint

	Fit *study.FitRecord // of the newest suggestion; never nil

	// Goals are the views of several objectives, each by itself. Fit is then theirs alone.
	Goals []*View

	Noisy       bool    // noise is material
	Best        int     // number of the best feasible trial; 0: there is none
	Misses      float64 // how far off the latest predictions were, in standard deviations
	Floor       int     // of one of several objectives: configurations that share its least value
	PriorWeight float64 // of the user's prior; 0: none

	// Regions that rules may choose: none before the study has as many trials of its own as an
	// initial design (a warm start suggests earlier), and none where the caller fixed values.
	Branches []Branch           // none in a space with one branch
	Values   map[int][]Branch   // of choices, by parameter, without untried ones that constraints rule out
	Margins  map[string]float64 // of constraints by factor name, in standard deviations
}

// A Branch is an activity pattern of the space, or the configurations with one value of a choice.
type Branch struct {
	Active []string             // its conditional parameters
	Values []study.RegionValues // the value; nil: an activity pattern
	Tried  int                  // trials, pending and infeasible ones included
	Best   int                  // number of its best feasible trial; 0: none
	Rank   int                  // place of that trial among those of all branches, or all values; the last for none
	Done   func() bool          // reports whether nothing new is left of it; nil: something is
}

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
