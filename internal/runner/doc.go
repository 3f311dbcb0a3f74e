// Package runner is the suggest/observe cycle.
//
// Next is the heart: a pure function of study, trials and request that proposes
// one configuration. Around it, a Cycle binds a study to its journal: Suggest
// reserves a number, computes without the lock and commits; Observe, Add,
// Enqueue and Abandon record what the user reports. Analyse fits the surrogate for questions about it.
//
// The policy of the program lives here: which kernels a space gets and when the
// surrogate takes over from the design (policy.go), which kernel and transform
// make a suggestion (recipe.go), when to look where little was tried (guard.go) or
// to ask for more than a little (plateau.go), how pending trials count (pending.go).
//
// Every function may be called concurrently. Errors that a user can act on are
// *study.Error values carrying the exit code and a hint.
package runner
