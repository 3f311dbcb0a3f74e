// Package policy decides what to try next. Next is the heart: a pure function of study,
// trials and request that proposes one configuration.
//
// The rules are: what a study gets that leaves a choice open (defaults.go), which kernel
// and transform make a suggestion (modelchoice.go), when to look where little was tried
// (region.go, coverage.go) or to ask for more than a little (xi.go), which margin a
// constraint gets (margin.go), how pending trials count (pending.go) and what the user
// believes (userprior.go). Explain says why a configuration was suggested.
//
// Functions may be called concurrently. Errors that a user can act on are *study.Error
// values carrying the exit code and a hint.
package policy
