// Command bohier tunes parameters of mixed and conditional spaces by Bayesian
// optimization.
//
// One command a file, each with the same four parts: a constructor, its
// options, its flags, and runX(s.ctx, streams, options) error, which does the work
// on the streams it is given. Results go to Stdout and nothing else does;
// messages go to Stderr through a logger. Files several commands need: locate.go
// finds study and journal, format.go holds -o, exit.go is the one switch from
// errors to exit codes, help.go prints help.
//
// Nothing here decides anything about an optimization: package runner does.
package main
