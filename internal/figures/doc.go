// Package figures draws studies: which points, lines and axes answer which question. How they look
// is the business of package plot; the predictions of a surrogate come from the caller.
//
// Start from a Source; every picture is a function of one. Values are in the objective's own units and sign. Trials
// that do not fit today's space appear where only their values matter. Every function is pure.
package figures
