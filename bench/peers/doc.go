// Package peers runs other optimizers, and this one, on the benchmark problems and
// compares them. Each is a program that speaks lines of JSON:
//
//	reads   {"problem": …, "seed": 1, "n": 100, …}      the problem as problems.MarshalJSON writes it
//	writes  {"peer": "name", "version": "1.2", "space": "native" | "flat"}
//	writes  a configuration                             n times, and reads
//	reads   its value, or both where the task says "objectives": 2
//
// and ends when its input does. A peer that cannot express conditions works on the flat space, where every parameter
// always has a value, and says so; values of inactive parameters are ignored. What it writes is checked: an answer
// outside the space, a crash and silence longer than the time limit end a run and are reported, and the others go on.
// Processor time and memory are the process's own.
package peers
