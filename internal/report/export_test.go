package report

// Quote is how values are quoted for shells.
var Quote = quote

// Reaches reports whether a trial reaches the target of an objective.
var Reaches = (*Trial).reaches

// Acceptable reports whether a shell takes a name for a variable.
var Acceptable = acceptable
