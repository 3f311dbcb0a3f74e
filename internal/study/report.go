package study

import (
	"encoding/json"

	"bohier/internal/space"
)

// A Report is a message about a trial: its outcome, one that replaces it, a further measurement, or a part.
type Report struct {
	Observation
	Failure Failure          // not empty: the trial failed
	Note    string           // why, in the reporter's words
	Actual  space.Assignment // values that were really run, where they differ from the proposed ones
	Params  json.RawMessage  // the configuration with these; nil: the one proposed
	Mode    Mode
	Partial bool   // values are missing, and come later; of an addition: they are of less than the full resource
	Key     string // idempotency key of an addition or a further measurement; empty: none

	// In a study with a fidelity:
	At     float64 // the resource of the values, or where the trial failed; 0: that of the leg, or the full one
	Points []Point // values at other resources, ascending; more than one report
	Ask    bool    // the reporter goes on where the verdict says so
	Final  bool    // the values count at full resource: the command ended by itself
	First  bool    // of the points, those recorded with other values are left out, with a warning
}

// A Mode decides on a report about a trial that has an outcome.
type Mode int

// The modes.
const (
	Once      Mode = iota // the same again is fine, another one is a conflict
	Replace               // correct the outcome
	Replicate             // measure the same configuration again
)

// An Addition is a report about a configuration that was measured elsewhere.
type Addition struct {
	Config space.Configuration
	Report
	ID   string // the name of the trial in another table; empty: unknown
	Line int    // of the text that it comes from, from 1; 0: none

	Replicates []Observation // further measurements, of a complete one
}
