package journal

import (
	"encoding/json"

	"bohier/internal/study"
)

// Kind names what a record says.
type Kind string

// The kinds.
const (
	KindHeader    Kind = "header"    // first line: run, lock kind, seed, study
	KindPlan      Kind = "plan"      // what decided the suggestion before it, and the fits behind it; optional
	KindReserve   Kind = "reserve"   // a trial number is taken, its configuration is being computed
	KindSuggest   Kind = "suggest"   // a reserved (or the next) number gets its configuration
	KindObserve   Kind = "observe"   // the outcome of a pending or abandoned trial
	KindReplace   Kind = "replace"   // a corrected outcome
	KindReplicate Kind = "replicate" // a further measurement of a complete trial
	KindPartial   Kind = "partial"   // values of some objectives of a pending or abandoned trial, or of those a complete one lacks
	KindAbandon   Kind = "abandon"   // a pending trial will not be run
	KindRelease   Kind = "release"   // a suggestion never reached its asker; the number is free again
	KindReturn    Kind = "return"    // a pending trial is given back: it waits for the next worker
	KindTake      Kind = "take"      // a worker takes a waiting trial
	KindEnqueue   Kind = "enqueue"   // a configuration, perhaps partial, to be proposed next
	KindAdd       Kind = "add"       // a trial that was measured elsewhere
	KindMigrate   Kind = "migrate"   // the study's space changed and the change was adopted
	KindReport    Kind = "report"    // what a trial came to at a resource; in studies with a fidelity
	KindPromote   Kind = "promote"   // a paused trial gets a further leg
	KindMeasure   Kind = "measure"   // what an observation measured beside its outcomes; always optional
	KindRemark    Kind = "remark"    // a further note on a trial; always optional
	KindNote      Kind = "note"      // anything else worth keeping; the study when it changed outside its space
)

// Format versions: what this program reads, and what it writes: the oldest that
// will do, so that older programs read on where they can. A journal that begins
// with a fidelity has the newer one.
const (
	Version      = 2
	withFidelity = 2
	plainFormat  = 1
)

// A Record is one line of the journal. Which fields a kind may and must carry
// is a table (see fields.go); the others are zero. Update fills Seq, Prev, CRC
// and At.
type Record struct {
	Seq  int
	Prev uint32
	CRC  uint32
	Kind Kind
	At   string // RFC 3339, informative

	Trial  int
	Tag    string
	Key    string
	Worker string
	Flags  string // what was asked beside the key

	Params json.RawMessage // configuration; for observe and replace: what was really run
	Source string
	From   int                // the last record the suggestion saw
	Fit    map[string]float64 // in journals that keep no plans: the fits behind a suggestion
	Plan   json.RawMessage    // a study.Plan
	Model  json.RawMessage    // a study.FitRecord
	Cut    int
	Spare  int // 1-based index of the spare configuration taken; 0: the first choice
	Queue  int // seq of the enqueue record this suggestion serves

	State   study.State
	Failure study.Failure
	Values  map[string]float64
	Cost    *float64
	Stderr  *float64
	Stderrs map[string]float64 // of several objectives
	Metrics study.Metrics
	Seconds *float64 // measure: how long the trial took
	Raw     string   // a reported value that is not a finite number
	Note    string

	Resource float64 // report and others: how much of the fidelity's resource
	Leg      int     // promote: its number; others: the leg they speak of
	Start    float64 // below it the trial is not judged
	To       float64 // the resource a leg is to reach
	Verdict  study.Verdict
	Curve    [][2]float64 // resources with values of the objective, before Resource

	Bohier    int // header: format version
	MinReader int
	Run       string
	Lock      string
	Seed      *uint64
	Space     string // fingerprint
	Study     json.RawMessage
	Fill      json.RawMessage // migrate: values of new parameters for old trials

	Optional bool // a reader that does not know the kind may skip the record
}

// Outcome is the observation a record carries.
func (r *Record) Outcome() study.Observation {
	return study.Observation{Values: r.Values, Cost: r.Cost, Stderr: r.Stderr, Stderrs: r.Stderrs}
}
