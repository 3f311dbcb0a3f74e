// Package polytope finds nearest points of polytopes and minimises smooth functions on
// them. A space with linear constraints and the refinement of candidates both use it.
//
// Start from Set: a box with linear inequalities and equalities. Set.Nearest projects
// a point; Minimize descends from a point of the set.
//
// Method. Both solve strictly convex quadratic programs by the dual active-set method of Goldfarb & Idnani 1983,
// Mathematical Programming 27, which begins at the unconstrained minimum, adds violated constraints one by one and
// detects an empty set after finitely many steps. A descent is sequential quadratic programming with the BFGS update of
// the Hessian (Nocedal & Wright 2006, Numerical Optimization, §18.1); since the constraints are linear, every point of
// the line search is in the set.
//
// Units. Coordinates and rows should be scaled to about 1: a constraint that is missed
// by less than 1e-10 counts as satisfied.
//
// Errors. There are none: an empty set has no nearest point, and a function that is
// +Inf or NaN somewhere rejects the step.
package polytope
