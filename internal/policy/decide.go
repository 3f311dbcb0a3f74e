package policy

import (
	"hash/fnv"
	"math/rand/v2"

	"bohier/internal/study"
)

// Decide makes the plan of a suggestion: the methods that the study names, changed by
// the rules, which can act in it, one after the other. It is pure and fits nothing.
func Decide(v *View, rules []Rule) *study.Plan {
	p := named(v)
	if v.Goals != nil {
		rules = decideGoals(v, rules, p)
	}
	for _, r := range rules {
		if why := r.Apply(v, p); why != "" {
			p.Rules = append(p.Rules, study.RuleUse{Name: r.Name, Why: why})
		}
	}
	return p
}

// named is the plan without rules: the settings that the study file names.
func named(v *View) *study.Plan {
	p := &study.Plan{
		Acquisition: Acquisition(v.Study), Baseline: study.BaselineAll, Incumbent: v.Best,
		Pending: countPending(v),
	}
	if v.Goals == nil {
		p.Model.Spec = v.model()
	}
	if v.Best == 0 && len(v.Study.Constraints) > 0 {
		p.Baseline = study.BaselineNone
	}
	for _, name := range ConstraintFactors(v.Study) {
		p.Factors = append(p.Factors, study.Factor{Name: name, Weight: 1})
	}
	if c := v.Study.Cost; c != nil && c.Exponent > 0 {
		p.Factors = append(p.Factors, study.Factor{Name: "cost", Weight: c.Exponent})
	}
	if v.PriorWeight > 0 {
		p.Factors = append(p.Factors, study.Factor{Name: "prior", Weight: v.PriorWeight})
	}
	return p
}

// How pending trials are counted. One joint draw of many outcomes averages over as much as several draws of few, so the
// draws get fewer as the trials get more. Where very many trials have results, one draw chooses batches that gain as
// much (bench/notes/speed.md). A trial that the surrogate would not try again if it were not pending changes no
// suggestion. Only the trials that it would try soonest count among very many: as many as half of the observed trials,
// so that the surrogate does not grow much by them, and few enough for a thousand to cost no more than a few hundred.
const (
	Draws        = 8    // joint draws of the outcomes of few pending trials
	manyPending  = 8    // from so many pending trials on fewer
	muchTold     = 4000 // results from which on there is one
	leastCounted = 32   // pending trials always count,
	MostCounted  = 128  // and so many at most
)

// countPending is how a plan counts so many pending trials.
func countPending(v *View) *study.PendingPlan {
	draws := max(1, Draws*manyPending/max(v.Pending, manyPending))
	if v.Pending > 0 && v.Observed >= muchTold {
		draws = 1
	}
	if draws == Draws {
		return nil
	}
	return &study.PendingPlan{Draws: draws, Most: min(max(leastCounted, v.Observed/2), MostCounted)}
}

// A View is the input of rules: the study, and plain numbers about its trials. No surrogate is behind it.
type View struct {
	Study  *study.Study
	Number int    // of the trial to suggest
	Seed   uint64 // of the study

	Observed, Infeasible, Pending int // trials
	Ends                          int // trials at full resource, of the observed
	Penalised                     int // of the infeasible: trials with a value that stands for a failure

	Fit *study.FitRecord // of the newest suggestion; never nil

	// Goals are the views of several objectives, each by itself. Fit is then theirs alone.
	Goals []*View

	Noisy       bool    // noise is material
	Best        int     // number of the best feasible trial; 0: there is none
	Gain        float64 // logarithm of the gain that the latest search expected; 0: none did
	Floor       int     // of one of several objectives: configurations that share its least value
	PriorWeight float64 // of the user's prior; 0: none

	// Poor counts the suggestions of the surrogate, made with so many results or more, that were worse than most
	// results before; nil: not known, and the mean is a level.
	Poor   func(from int) int
	Inside func() bool // reports whether the best trial that no surrogate suggested is in the middle of the space

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
	Failed int                  // of these infeasible ones
	Best   int                  // number of its best feasible trial; 0: none
	Rank   int                  // place of that trial among those of all branches, or all values; the last for none
	Done   func() bool          // reports whether nothing new is left of it; nil: something is
}

// Rules that act now and then draw their turns from the study's seed, their own name
// and the trial's number alone. So the turns of two rules do not depend on one another,
// and processes that ask at once, with numbers of their own, share the turns.

// turn reports whether a rule acts, once in every block of so many trials.
func (v *View) turn(rule string, every int) bool {
	at, h := max(0, v.Number-1), fnv.New64a()
	h.Write([]byte(rule))
	return at%every == rand.New(rand.NewPCG(v.Seed, h.Sum64()+uint64(at/every))).IntN(every)
}
