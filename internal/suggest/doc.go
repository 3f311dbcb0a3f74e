// Package suggest proposes what to try next. Next is the heart: a pure function of study,
// trials and request that proposes one configuration.
//
// Before the surrogate is asked, the study's own points and the initial design choose
// (initial.go). Then the trials are summed up in plain numbers (view.go). From them
// policy.Decide makes a plan, and execute (execute.go) fits the plan's models and searches its
// region by the acquisition function that it asks for (improvement.go, and goals.go for
// several objectives).
//
// Explain says why a configuration was suggested, Rank and Pick order candidates, and Weigh
// compares a suggestion with going on with a paused trial.
//
// Functions may be called concurrently. Errors that a user can act on are *study.Error
// values carrying the exit code and a hint.
package suggest
