// Package csp finds, counts and draws solutions of constraints on integer variables:
// choices, whole numbers, and decimals as multiples of a power of ten.
//
// Start from Problem, which Compile prepares, and State, its variables' domains.
// State.Near finds a solution near a target, State.Count counts the solutions, and Walk moves from one
// solution to others so that all become equally likely.
//
// Method. Constraints narrow the domains until nothing changes: bounds consistency of linear rows, unit propagation of
// disjunctions, removal of values (Rossi, van Beek & Walsh 2006, Handbook of Constraint Programming, chapters 3 and 4).
// Choices are then tried in the order of the smallest domain. Numbers are sought around the point of the linear
// relaxation nearest to the target (package polytope), so that rounding and not search remains. A walk draws one
// variable given the others or, where equalities hold, moves along an integer direction of their null space (Gibbs
// sampling; hit and run: Smith 1984, Operations Research 32).
//
// Arithmetic is exact: the caller sees to it that the sum of |coefficient · place| of every row is below 2^62.
//
// A compiled Problem is read by many goroutines; a State belongs to one.
package csp
