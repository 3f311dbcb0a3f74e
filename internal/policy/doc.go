// Package policy decides what the surrogate is to do next. Decide makes a study.Plan of a View,
// plain numbers about a study's trials, by the rules in force: rules.go lists all of them on
// one screen, and each stands in the file of its subject. The defaults of a study that leaves a
// choice open are in defaults.go.
//
// The package fits nothing and knows no model, so rules are tested in microseconds. Package
// suggest sums up the trials in a View, and executes the plan.
//
// All functions are pure and may be called concurrently.
package policy
