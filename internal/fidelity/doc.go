// Package fidelity decides which trials of a study with learning curves go on: whether
// a worker is given a promotion or a new trial, at which level new trials start, and
// whether a trial that reports is to end. Everything is a function of the study and of
// what its trials reported; there is no surrogate and no I/O.
//
// Sources: Jamieson & Talwalkar 2016 and Li et al. 2018 (brackets), Li et al. 2020
// (asynchronous promotion), Golovin et al. 2017 (median rule).
package fidelity
