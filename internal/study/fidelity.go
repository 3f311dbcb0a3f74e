package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Fidelity describes how a trial can be judged before its end: after some epochs, folds or repeats,
// the units of its resource. The zero value: at its end only.
type Fidelity struct {
	Name   string    // of the resource, handed to the command: "epochs"
	Levels []float64 // resources at which trials are compared, ascending, at least two
	Listed bool      // the study file lists the levels
	Eta    float64   // ratio of neighbouring levels that was asked for
	Unit   float64   // levels are multiples of it; 0: any number

	Kind        string // FidelityCurve, FidelityFolds or FidelityRepeats
	Resume      bool   // a further leg continues where the one before ended
	Scheduler   string // SchedulerAuto and so on, as given
	Start       string // StartAuto, StartLow or StartSpread
	Probes      int    // straight trials at the beginning
	Model       string // auto curve crossval product final
	AcquireAt   string // auto full, or a level as text
	Use         string // levels all: which points of a curve the surrogate sees
	Checkpoints string // keep prune
}

// Kinds of fidelity.
const (
	FidelityCurve   = "curve"   // a report is the value after so much of the resource
	FidelityFolds   = "folds"   // a report is the value of one split of the data; their mean counts
	FidelityRepeats = "repeats" // a report is one measurement; their mean counts
)

// Schedulers, and where new trials start.
const (
	SchedulerAuto      = "auto"
	SchedulerASHA      = "asha"
	SchedulerStopping  = "stopping"
	SchedulerHyperband = "hyperband"
	SchedulerMedian    = "median"
	SchedulerNone      = "none"

	StartAuto   = "auto"
	StartLow    = "low"
	StartSpread = "spread"
)

// Early reports whether trials can be judged before their end.
func (f *Fidelity) Early() bool { return len(f.Levels) > 1 }

// Low is the lowest level.
func (f *Fidelity) Low() float64 { return f.Levels[0] }

// High is the full resource; 0: trials have none.
func (f *Fidelity) High() float64 {
	if len(f.Levels) == 0 {
		return 0
	}
	return f.Levels[len(f.Levels)-1]
}

// Resources are the names of the resources after which trials can be judged: none, or that of the fidelity.
func (f *Fidelity) Resources() []string {
	if !f.Early() {
		return nil
	}
	return []string{f.Name}
}

// Placeholders are the names, beside those of parameters, that stand in a command for the resource of a leg.
func (f *Fidelity) Placeholders() (names []string) {
	for _, name := range f.Resources() {
		names = append(names, name, ResumeFrom)
	}
	return names
}

// Names reports whether a name is that of the resource.
func (f *Fidelity) Names(name string) bool { return name != "" && name == f.Name }

// Top is the index of the full resource among the levels, K.
func (f *Fidelity) Top() int { return len(f.Levels) - 1 }

// Averaged reports whether the value at a level is the mean of several reports.
func (f *Fidelity) Averaged() bool { return f.Kind == FidelityFolds || f.Kind == FidelityRepeats }

// MeasuresOne reports whether all reports are measurements of one value, whose number
// no model has to know: those of a laboratory, unless the study says otherwise.
func (f *Fidelity) MeasuresOne() bool {
	return f.Kind == FidelityRepeats && (f.Model == "auto" || f.Model == "final")
}

// Rule is the scheduler in force: auto is asha where work can be taken up again, else
// stopping, because a promotion that trains from nothing wastes the earlier training.
func (f *Fidelity) Rule() string {
	switch {
	case f.Scheduler == SchedulerHyperband:
		return SchedulerASHA
	case f.Scheduler != SchedulerAuto:
		return f.Scheduler
	case f.Resume:
		return SchedulerASHA
	}
	return SchedulerStopping
}

// Starting is where new trials start, which hyperband says too.
func (f *Fidelity) Starting() string {
	if f.Scheduler == SchedulerHyperband {
		return StartSpread
	}
	return f.Start
}

// Ladder is the levels from low to high with ratios of about eta: K = max(1, round(ln(high/low)/ln eta)) steps of equal
// ratio, rounded half up to multiples of unit (0: not rounded), equal ones once. The ratios are equal so that no last
// step is odd. A level has 15 digits at most, so that 0.3 is one and not 0.30000000000000004, which no command would
// say.
func Ladder(low, high, eta, unit float64) []float64 {
	steps := LadderSteps(low, high, eta)
	out := []float64{low}
	for k := 1; k < steps; k++ {
		r := low * math.Pow(high/low, float64(k)/float64(steps))
		if unit > 0 {
			r = math.Floor(r/unit+0.5) * unit
		}
		r, _ = strconv.ParseFloat(strconv.FormatFloat(r, 'g', 15, 64), 64)
		if r > out[len(out)-1] && r < high {
			out = append(out, r)
		}
	}
	return append(out, high)
}

// LadderSteps is the number of steps of a Ladder before equal levels are joined.
func LadderSteps(low, high, eta float64) int {
	return max(1, int(math.Round(math.Log(high/low)/math.Log(eta))))
}

// LevelAt is the highest level index at or below resource r; −1: r is below all.
func (f *Fidelity) LevelAt(r float64) int {
	k, found := slices.BinarySearch(f.Levels, r)
	if found {
		return k
	}
	return k - 1
}

// ResumeFrom is the placeholder, and the shell variable, of the resource that a leg starts from.
const ResumeFrom = "resume_from"

// Mark names the property that trials of a study share by its fidelity: where it differs, their values are not
// comparable.
func (f *Fidelity) Mark() string {
	text := fmt.Sprintf("%s:%v:%v:%s", f.Name, f.Low(), f.High(), f.Kind)
	if f.Resume && !f.Averaged() {
		text += ":resume"
	}
	return text
}
