// Package runner is the suggest/observe cycle.
//
// A Session binds a study to its journal: Suggest reserves a number, lets package suggest choose without the lock, and
// commits; Observe, Add, Enqueue and Abandon record reports of the user. Replay computes suggestions again, Explain
// reports why one was made, Rank and Pick order candidates, and Analyze fits the surrogate for questions about it.
//
// Every function may be called concurrently. Errors that a user can act on are
// *study.Error values carrying the exit code and a hint.
package runner
