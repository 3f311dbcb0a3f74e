package runner

import "bohier/internal/surrogate"

// The steps of a suggestion, for tests that end between two of them.
var (
	Reserve       = Session.reserve
	Settle        = Session.settle
	Undo          = Session.undo
	WithinBudget  = withinBudget
	ReadWarmStart = Session.readWarmStart
)

// Fitted is the surrogate behind an analysis.
func (a *Analysis) Fitted() *surrogate.Fitted { return a.fit }
