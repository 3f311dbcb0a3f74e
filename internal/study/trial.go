package study

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/space"
)

// State is the state of a trial.
type State string

// The states. Reserved trials have a number and no configuration yet; they are not shown to users.
const (
	Reserved  State = "reserved"
	Pending   State = "pending"
	Complete  State = "complete"
	Failed    State = "failed"
	Abandoned State = "abandoned"

	// Paused and Stopped are states of studies with a Fidelity: a trial that may be
	// promoted, and one that a verdict ended early.
	Paused  State = "paused"
	Stopped State = "stopped"
)

// Failure is why a trial failed.
type Failure string

// The failures: an infeasible configuration is never proposed again, a
// transient failure says nothing about the configuration.
const (
	Infeasible Failure = "infeasible"
	Transient  Failure = "transient"
)

// A Trial is a numbered configuration and its result.
type Trial struct {
	Number  int
	Tag     string // four characters that distinguish copies of a journal
	Key     string // the caller's idempotency key; empty: none
	Worker  string
	State   State
	Failure Failure  // when Failed
	Note    string   // why, in the reporter's words; "nan" for a value that is not a number
	Remarks []Remark // further notes, in the order they came

	Config space.Configuration
	// Outside means that the trial is data only. It is Stale, measured under another context, or its configuration does
	// not fit today's space: Config is then empty, and Own has its values as they were recorded. If the trial fits, Own
	// has the values that were recorded in another spelling, such as 1.1 for 1.10. A Forbidden one is Outside because
	// it breaks a rule of today: surrogates learn from its Config.
	Outside, Stale, Forbidden bool
	Waiting                   bool // pending, and given back: nobody runs it until somebody takes it
	Released                  bool // reserved and given back: free for the next asker, no part of the budget

	Own    []space.Setting
	Source string

	Observation
	Replicates []Observation // further measurements of the same configuration
	Course     *Course       // how far it got; nil: the study has no Fidelity

	Leg int // the leg that an answer is about; 0: the newest

	From       int        // the last journal record the suggestion saw
	Fit        *FitRecord // of a suggestion just made; trials that were read have none (journal.State.Made)
	Cut        int        // acquisition evaluations done when a deadline stopped the search; 0: none did
	Spare      int        // 1-based index of the spare configuration taken; 0: the first choice
	Flags      string     // the request beside the key; a key reused with another one is a conflict
	Suggested  string     // RFC 3339 time, empty when unknown
	ObservedAt string
	Returns    int // how often it was given back
	Lost       int // so many of them because its worker was silent for too long
}

// An Observation is the user's report about a trial.
type Observation struct {
	Values Values // objective and constraint outcomes by name
	Cost   *float64
	Stderr *float64 // standard error of the objective
	// Stderrs are those of several objectives, by name; Stderr is nil then.
	Stderrs Values

	Metrics  Metrics  // further measured values; nil: none
	Duration *float64 // seconds the trial took; nil: unknown
}

// ID is the trial's name for users: number and tag, as in "7-k3f9".
func (t *Trial) ID() string {
	if t.Tag == "" {
		return fmt.Sprint(t.Number)
	}
	return fmt.Sprintf("%d-%s", t.Number, t.Tag)
}

// Teaches reports whether surrogates learn from the trial's results.
func (t *Trial) Teaches() bool { return !t.Outside || t.Forbidden }

// MeasuredUnder reports whether all that is known of the trial was measured under a context.
func (t *Trial) MeasuredUnder(context string) bool {
	if len(t.Values) == 0 && (t.State != Failed || t.Failure == Transient) {
		return true
	}
	further := t.Replicates
	if t.Course != nil {
		for _, p := range t.Course.Points {
			further = append(slices.Clip(further), p.Observation)
		}
	}
	own, _ := t.Metrics.Of(ContextMetric).(string)
	return own == context && !slices.ContainsFunc(further, func(o Observation) bool {
		was, known := o.Metrics.Get(ContextMetric)
		return known && was != context
	})
}

// Observations are all that was reported of the trial's configuration, replicates last.
func (t *Trial) Observations() iter.Seq2[int, *Observation] {
	return func(yield func(int, *Observation) bool) {
		for k := -1; k < len(t.Replicates); k++ {
			o := &t.Observation
			if k >= 0 {
				o = &t.Replicates[k]
			}
			if !yield(k+1, o) {
				return
			}
		}
	}
}

// Pointers are those to trials, which take more room than the answers to most questions.
func Pointers(trials []Trial) []*Trial {
	return lists.Make(len(trials), func(k int) *Trial { return &trials[k] })
}

// In are pointers to the trials in a state.
func In(state State, trials []Trial) []*Trial {
	var out []*Trial
	for k := range trials {
		if trials[k].State == state {
			out = append(out, &trials[k])
		}
	}
	return out
}

// Suggestion is a proposal of suggest.Next; it becomes a pending trial.
type Suggestion struct {
	Config space.Configuration
	Source string     // initial design model enqueued fallback:<reason>
	Plan   *Plan      // nil: the surrogate was not asked
	Fit    *FitRecord // of the surrogates used, the next warm start; nil: none
	Cut    Cut
	// Spare holds the next best configurations, best first, for when another process takes Config first.
	Spare    []space.Configuration
	Warnings []string
	Details  func() []Detail // fits and search of the suggestion; nil: none
}

// A Cut is where a deadline ended a suggestion, by which a replay ends it there, too.
type Cut struct {
	Fits   int // the step of the fits before which they ended; 0: they did not
	Search int // the steps after which the search ended; 0: it did not
}

// A Detail is a step of a computation: names, each with its value. The first is "event".
type Detail []any

// String is the step as a line for people: "fit: points 6, log_posterior -3.21".
func (d Detail) String() string {
	var parts []string
	for k := 2; k+1 < len(d); k += 2 {
		value := fmt.Sprint(d[k+1])
		switch v := d[k+1].(type) {
		case float64:
			value = fmt.Sprintf("%.6g", v)
		case json.RawMessage:
			value = string(v)
		}
		parts = append(parts, fmt.Sprint(d[k])+" "+value)
	}
	return fmt.Sprint(d[1]) + ": " + strings.Join(parts, ", ")
}

// A Remark is a note on a trial beside the one of its outcome.
type Remark struct {
	At   string `json:"at"` // RFC 3339 time
	Text string `json:"text"`
}

// between separates two notes on a trial.
const between = "; "

// Said is all that was noted on a trial.
func (t *Trial) Said() string {
	var all []string
	for _, r := range append([]Remark{{Text: t.Note}}, t.Remarks...) {
		if r.Text != "" && !slices.Contains(all, r.Text) {
			all = append(all, r.Text)
		}
	}
	return strings.Join(all, between)
}

// Says reports whether a note on the trial is there already, by itself or among others.
func (t *Trial) Says(text string) bool {
	return strings.Contains(between+t.Said()+between, between+text+between)
}

// Remark adds a note to those of the trial, unless it is there or empty.
func (t *Trial) Remark(at, text string) {
	if text != "" && !t.Says(text) {
		t.Remarks = append(slices.Clip(t.Remarks), Remark{at, text})
	}
}

// Again is a trial with the verdict that answers its report at p once more, to its reporter (nil: to the asker of its
// leg): only the holder of the leg under way is answered to go on. A leg is the reporter's if the report was made in
// it, or if it was given as the report's answer, and so was decided from the records before the report.
func (t *Trial) Again(p *Point) Trial {
	c, out := t.Course, *t
	out.Course = c.Clone()
	switch t.State {
	case Complete:
		out.Course.Verdict = VerdictDone
	case Paused:
		out.Course.Verdict = VerdictPause
	case Pending:
		out.Course.Verdict = VerdictPause
		if n := c.Leg(); p == nil || p.Leg == n || p.Leg == n-1 && c.Last().Seen < p.Seq {
			out.Course.Verdict = VerdictGo
		}
	default:
		out.Course.Verdict = VerdictStop
	}
	return out
}

// Newest is the report that came last; nil: there is none.
func (c *Course) Newest() *Point {
	var newest *Point
	for i := range c.Points {
		if newest == nil || c.Points[i].Seq >= newest.Seq {
			newest = &c.Points[i]
		}
	}
	return newest
}

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
	Rule error  // that its configuration breaks; nil: none
	// Said means that the key is made of what the addition says. A trial that has the key, and says something else, was
	// corrected since, and stays as it is.
	Said bool

	Replicates []Observation // further measurements, of a complete one
}
