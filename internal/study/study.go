package study

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"bohier/internal/kernels"
	"bohier/internal/space"
)

// A Study is one optimisation as its study file declares it, checked and with
// every default filled in. It is immutable after loading.
type Study struct {
	Name        string
	Context     string // the context of measurements, such as a commit; empty: any
	File        string // path of the study file as given; empty when built in memory
	Journal     string // path of the journal, resolved against the study file's directory
	TrialsDir   string // where the files of trials are kept; empty: beside the journal
	Space       *space.Space
	Objectives  []Objective // at least one
	Among       []Objective // of studies that For returns: the objectives of the study; else nil
	Constraints []Constraint
	Cost        *Cost // nil: cost plays no part
	Initial     Initial
	Surrogate   Surrogate
	Acquisition Acquisition
	Policy      Policy
	WarmStart   *WarmStart // nil: none
	Stop        Stop
	Replicates  Replicates
	Budget      Budget
	Seed        *uint64 // nil: drawn once and kept in the journal's header
	Run         *Run    // nil: no command
	Fidelity    Fidelity
}

// Direction reports whether small or large objective values are good.
type Direction int

// The directions.
const (
	Minimize Direction = iota
	Maximize
)

func (d Direction) String() string {
	if d == Maximize {
		return "maximize"
	}
	return "minimize"
}

// Sign is +1 for Minimize and −1 for Maximize: sign·value is to be minimised.
func (d Direction) Sign() float64 {
	if d == Maximize {
		return -1
	}
	return 1
}

// Objective is the number to optimise.
type Objective struct {
	Name      string
	Direction Direction
	Target    *float64 // stop once reached; nil: none
	Transform string   // none log power copula auto
	Reference *float64 // of several objectives: worse values have no hypervolume; nil: inferred
	Noise     Noise
}

// Constraint bounds a measured outcome: Name ≤ Bound, or ≥ when AtLeast.
type Constraint struct {
	Name    string
	AtLeast bool
	Bound   float64
}

// Holds reports whether a measured value keeps the bound.
func (c Constraint) Holds(v float64) bool {
	if c.AtLeast {
		return v >= c.Bound
	}
	return v <= c.Bound
}

// String is the constraint as a study file has it: "latency_ms <= 200".
func (c Constraint) String() string {
	sign := " <= "
	if c.AtLeast {
		sign = " >= "
	}
	return c.Name + sign + strconv.FormatFloat(c.Bound, 'g', -1, 64)
}

// Outcomes are the names of the measured quantities, the objectives first; an outcome with two
// bounds, or an objective with one, comes once.
func (st *Study) Outcomes() []string {
	names := st.Goals()
	for _, c := range st.Constraints {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Cost is a measured cost; the acquisition divides by cost^Exponent.
type Cost struct {
	Name     string
	Exponent float64
}

// Initial describes how a study begins.
type Initial struct {
	Points []space.Assignment // proposed first; missing parameters are drawn
	Design string             // halton random sobol uniform
	Count  int                // points before the surrogate takes over; 0: by rule
}

// Surrogate settings; see the design of the kernels for their meaning.
type Surrogate struct {
	Kernel        Kernel
	Hyper                 // of the key hyperparameters
	Form          string  // gp kriging
	Nugget        float64 // kriging; < 0: estimated
	Reinterpolate bool
	Mean          string // constant linear zero
	Inference     string // mle map
	Optimizer     string // lbfgs direct
	Starts        int    // 0: by rule
	Evaluations   int    // > 0 caps likelihood calls
	Warping       string // auto true false
}

// Kernel settings; and a term of a frequency modulated kernel.
type Kernel = kernels.Spec

// Hyper overrides hyperparameters by name; `*` in brackets matches any parameter.
type Hyper struct {
	Fixed   map[string]float64
	Initial map[string]float64
	Bounds  map[string][2]float64
	Prior   map[string]Density
}

// Names are those of the hyperparameters with settings, sorted.
func (h Hyper) Names() []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(h.Fixed)), maps.Keys(h.Initial))
	names = slices.AppendSeq(slices.AppendSeq(names, maps.Keys(h.Bounds)), maps.Keys(h.Prior))
	slices.Sort(names)
	return names
}

// Sets reports whether a hyperparameter whose name begins so has a setting.
func (h Hyper) Sets(prefix string) bool {
	return slices.ContainsFunc(h.Names(), func(name string) bool { return strings.HasPrefix(name, prefix) })
}

// OfCurves is the model of curves that alone has hyperparameters with settings; "": there are none.
func (h Hyper) OfCurves() string { return kernels.FidelityWith(h.Sets) }

// Density is a prior on a hyperparameter: a family name and its numbers.
type Density struct {
	Family string // lognormal normal uniform
	Args   [2]float64
}

// Acquisition settings.
type Acquisition struct {
	Name       string // ei logei lcb; empty: chosen by the study
	Kappa      float64
	Optimizer  string // hybrid de
	Candidates int    // 0: by rule
	Starts     int
}

// WarmStart shares earlier studies' trials through a task kernel.
type WarmStart struct {
	Journals []string
}

// Stop holds optional stopping rules.
type Stop struct {
	Regret      float64 // > 0: stop when the bound on the remaining regret falls below
	Hypervolume *Gain   // nil: no such rule
}

// Gain stops a study of several objectives once its last Trials complete trials raised
// the hypervolume by less than Gain of itself.
type Gain struct {
	Gain   float64
	Trials int
}

// Replicates say when a configuration is measured again. The zero value: never.
type Replicates struct {
	Each int  // > 1: every configuration is measured so many times
	Auto bool // where values are noisy and the surrogate expects more of it than of a new configuration

	// With Auto: the largest share of the surrogate's suggestions, and the most measurements of one configuration.
	Share float64
	Most  int
}

// NewReplicates are those of "auto".
func NewReplicates() Replicates { return Replicates{Auto: true, Share: 0.3, Most: 16} }

// Times is how often every configuration is measured.
func (r Replicates) Times() int { return max(1, r.Each) }

// Budget limits a study; zero values mean no limit, except Failures.
type Budget struct {
	Trials   int
	Failures int // transient failures in all
	Wall     time.Duration
	Resource float64 // units of the fidelity in all; 0: no limit
	FailFast int     // run ends when this many trials, its first ones, fail alike; 0: off
}

// FailFast is the usual number of first failures that end a run.
const FailFast = 3

// TimeoutMeans is the meaning of a timeout for a configuration.
type TimeoutMeans string

// The meanings of a timeout. The empty text is TimeoutRetry.
const (
	TimeoutRetry      TimeoutMeans = "retry"      // the trial is run once more; the second timeout is infeasible
	TimeoutInfeasible TimeoutMeans = "infeasible" // the configuration is never proposed again
	TimeoutTransient  TimeoutMeans = "transient"  // nothing
)

// LostTime is the silence after which the trials of a worker are given back, unless the study says otherwise.
const LostTime = 10 * time.Minute

// Runs reports whether there is a command, and not settings alone for one that comes later.
func (r *Run) Runs() bool { return r != nil && (len(r.Command) > 0 || r.Shell != "" || r.Submits()) }

// Submits reports whether a scheduler runs every trial as a job.
func (r *Run) Submits() bool { return len(r.Submit) > 0 }

// Run is the user's command.
type Run struct {
	Command      []string // argv with {name} placeholders
	Shell        string   // instead of Command; values come through the environment
	Timeout      time.Duration
	TimeoutMeans TimeoutMeans
	Grace        time.Duration // from TERM to KILL; 0: by the reason of the stop
	Parallel     int
	Retries      int
	ResultFile   string
	ResultRegex  string
	Result       map[string]string // outcome → path of its value in a reported object; see the key run.result
	Lost         time.Duration     // silence after which a worker's trials are given back; 0: LostTime, negative: never
	Pass         []string          // variables of the database that the command gets
	Stop         string            // how a verdict ends a command: term file; empty: term
	Jobs                           // in place of Command and Shell: a job of a scheduler for every trial
}

// Jobs are the commands of a scheduler that runs every trial as a job of its own. A job's name
// is its handle: the worker of the trial finds the job by it.
type Jobs struct {
	Submit []string      // argv with placeholders: those of JobWords and of parameters; empty: no jobs
	Find   []string      // prints something while a job of that name waits or runs, and nothing when it is gone
	Cancel []string      // ends the jobs of that name
	Job    string        // name of a trial's job, with {run}, {id} and {trial}
	Every  time.Duration // between two looks at a job
}

// JobWords are the placeholders in the commands of Jobs that name no parameter: the job's name, the
// directory of the trial, its id and its number.
var JobWords = []string{"job", "dir", "id", "trial"}
