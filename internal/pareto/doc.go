// Package pareto is the geometry of several objectives: which vectors of values no
// other one dominates, and the volume that they dominate.
//
// Everything is minimised. Vectors of one call have the same length, at least 1, and
// finite entries; a reference point bounds the region that counts, and a vector not below it in every entry has no
// volume. Nothing that is passed is changed.
//
// References: Zitzler & Thiele 1998 (hypervolume); While, Bradstreet & Barone 2012
// (its computation by exclusive volumes); Lacour, Klamroth & Fonseca 2017 (boxes);
// Ishibuchi et al. 2018 (reference point); Wierzbicki 1980 (achievement function).
package pareto
