package report

// Reaches reports whether a trial reaches the target of an objective.
var Reaches = (*Trial).reaches

// Acceptable reports whether a shell takes a name for a variable.
var Acceptable = acceptable
