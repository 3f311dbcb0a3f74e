// Package suggest proposes the next configuration. Next is the heart: a pure function of study, trials and request that
// proposes one configuration.
//
// Before the surrogate is asked, the study's own points and the initial design choose (initial.go). Then the trials are
// summed up in plain numbers (view.go). From them policy.Decide makes a plan. Its models are fitted to every objective
// (goals.go, levels.go with a fidelity) and every other outcome (outcomes.go). Then execute (execute.go) searches the
// plan's region by the acquisition function that it asks for (improvement.go).
//
// Explain reports why a configuration was suggested, Rank and Pick order candidates, and Weigh
// compares a suggestion with going on with a paused trial.
//
// Functions may be called concurrently. Errors that a user can act on are *study.Error
// values carrying the exit code and a hint.
package suggest
