// Package execute runs a study's command: one suggestion after the other, several at once, until the budget is used.
//
// Loop (loop.go) takes trials from a runner.Session and records their results; end.go gives back trials that a signal
// or a time limit ends and describes how a loop ended; life.go names the processes, finds out which died, and gives
// back their trials; claim.go makes sure that one process alone runs a trial; group.go starts and ends process groups,
// and group_linux.go ends processes that left them; command.go makes the command ready; attempt.go runs it once and
// judges how it ended, supervise.go waits for that and keeps its output, retry.go runs it again, records the result and
// ends a loop that fails from the start; find.go finds the result in it, and result.go and json.go read it.
//
// Errors that a user can act on are *study.Error values carrying the exit code and a hint.
package execute
