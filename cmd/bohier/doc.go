// Command bohier tunes parameters of mixed and conditional spaces by Bayesian optimization.
//
// A command is a text and a function. help/NAME.txt describes what it does, and declares its arguments, flags, formats
// and exit codes (flags.go); a row of verbs (root.go) names the function, which finds the values of flags by name in
// its call, the world around it. Results go to Stdout and nothing else does; messages go to Stderr through a logger.
// Files several commands need: locate.go finds study and journal, exit.go is the one switch from errors to exit codes,
// render.go prints results; package report sets them for people.
//
// Nothing here decides anything about an optimization: package runner does.
package main
