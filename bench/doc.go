// Package bench holds what measures bohier from outside: black boxes with known optima (problems), the program that
// serves them to any optimizer in any language (cmd/blackbox), and the regression studies of the papers (regression,
// cmd/replicate). Its benchmarks print regrets of bench/notes (*Regret). Nothing in the program imports it.
package bench
