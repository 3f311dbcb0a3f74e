package runner

// The steps of a suggestion, for tests that end between two of them.
var (
	Reserve       = Session.reserve
	Settle        = Session.settle
	Undo          = Session.undo
	WithinBudget  = withinBudget
	ReadWarmStart = Session.readWarmStart
)
