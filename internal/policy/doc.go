// Package policy decides what to try next. Next is the heart: a pure function of study,
// trials and request that proposes one configuration.
//
// Before the surrogate is asked, the study's own points and the initial design choose
// (initial.go). Then a View sums up the trials in plain numbers (view.go), Decide makes a
// study.Plan of it by the rules in force (rules.go lists all of them on one screen; each
// stands in the file of its subject: modelchoice.go, region.go, margin.go,
// pending.go, outcomes.go), and execute fits the plan's models and searches its region
// (execute.go) by the acquisition function that it asks for (improvement.go). Decide fits
// nothing, so the rules are tested in microseconds.
//
// What a study gets that leaves a choice open is in defaults.go. Explain says why a
// configuration was suggested, Rank and Pick order candidates.
//
// Functions may be called concurrently. Errors that a user can act on are *study.Error
// values carrying the exit code and a hint.
package policy
