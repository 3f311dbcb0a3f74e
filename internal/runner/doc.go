// Package runner is the suggest/observe cycle.
//
// A Session binds a study to its journal: Suggest reserves numbers, lets package suggest choose without the lock, and
// commits (batch.go, share.go); Observe, Add and Enqueue record reports of the user (report.go). Replay computes
// suggestions again, Explain reports why one was made, Leaderboard ranks the configurations measured so far, and
// Analyze fits the surrogate for questions about it.
//
// Every function may be called concurrently. Errors that a user can act on are
// *study.Error values carrying the exit code and a hint.
package runner
