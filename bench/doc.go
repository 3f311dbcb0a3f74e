// Package bench holds what measures bohier from outside: black boxes with known
// optima (problems), and the program that serves them to any optimizer in any
// language (cmd/blackbox). Nothing in the program imports it.
package bench
