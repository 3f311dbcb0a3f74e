package runner

import (
	"time"

	"bohier/internal/journal"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A Cycle binds a study to its journal.
type Cycle struct {
	Study   *study.Study
	Journal journal.Options
}

// Ask says what Suggest is to propose.
type Ask struct {
	N        int              // how many; 0 means 1
	Fixed    space.Assignment // values to keep
	Key      string           // idempotency key; empty: none
	Worker   string           // gives back the worker's own pending trial
	DryRun   bool             // record nothing
	Deadline time.Duration    // > 0: return the best found by then
}

// Tell is what a user reports about a trial.
type Tell struct {
	study.Observation
	Failure   study.Failure    // not empty: the trial failed
	Note      string           // why
	Actual    space.Assignment // values really run, where they differ
	Replace   bool             // overwrite an earlier observation
	Replicate bool             // a further measurement
}
