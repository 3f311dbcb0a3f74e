// Package policy decides the next step of the surrogate. Decide makes a study.Plan of a View, plain numbers about a
// study's trials, by the rules in force: rules.go lists all of them on one screen, and each stands in the file of its
// subject. The defaults of a study that leaves a choice open are in defaults.go.
//
// In a study with learning curves NextLeg (legs.go) gives a worker a promotion or a new trial, and
// Judge (rung.go) decides whether a trial that reports is to end; start.go has the level at which new trials start,
// trust.go the worth of a level. Sources: Jamieson & Talwalkar 2016 and Li et al. 2018 (brackets), Li et al. 2020
// (asynchronous promotion), Golovin et al. 2017 (median rule).
//
// The package fits nothing and knows no model, so rules are tested in microseconds. Package suggest
// summarises the trials in a View, and executes the plan.
//
// All functions are pure and may be called concurrently.
package policy
