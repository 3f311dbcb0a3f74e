package report

import (
	"encoding/json"

	"bohier/internal/space"
	"bohier/internal/study"
)

// The objects of the JSON contracts. Params holds the active parameters: numbers as JSON numbers, categories and
// ordinals as strings, bools as booleans.
type (
	// Suggestion is a pending trial as `suggest` prints it.
	Suggestion struct {
		Schema string          `json:"schema"`
		Trial  int             `json:"trial"`
		ID     string          `json:"id"`
		State  study.State     `json:"state"`
		Params json.RawMessage `json:"params"`
		Source string          `json:"source"`
		Args   []string        `json:"args"`

		Leg      int          `json:"leg,omitempty"` // of a study with a fidelity
		Fidelity *FidelityLeg `json:"fidelity,omitempty"`
	}

	// Receipt is the answer to a report about a trial; Recorded is false when nothing new was written.
	Receipt struct {
		Schema   string      `json:"schema"`
		Trial    int         `json:"trial"`
		ID       string      `json:"id"`
		State    study.State `json:"state"`
		Waiting  bool        `json:"waiting,omitempty"`
		Recorded bool        `json:"recorded"`

		Was          study.Values  `json:"was,omitempty"`          // values before a correction
		Changes      []string      `json:"-"`                      // its changes, in words
		Measurements *Measurements `json:"measurements,omitempty"` // of several, with this one

		Resource *float64      `json:"resource,omitempty"` // of a study with a fidelity
		Verdict  study.Verdict `json:"verdict,omitempty"`
		To       **float64     `json:"to,omitempty"` // how far to go on; null: not
	}

	// Enqueued is the answer to `enqueue`: the trial gets its number when it is suggested, so Trial and ID are null.
	Enqueued struct {
		Schema   string  `json:"schema"`
		Trial    *int    `json:"trial"`
		ID       *string `json:"id"`
		State    string  `json:"state"`
		Recorded bool    `json:"recorded"`
		Place    *int    `json:"place"` // in the queue, from 1; null: proposed already
		Key      *string `json:"key"`
	}

	// Trial is a trial with its result.
	Trial struct {
		Schema  string          `json:"schema"`
		Trial   int             `json:"trial"`
		ID      string          `json:"id"`
		State   study.State     `json:"state"`
		Waiting bool            `json:"waiting,omitempty"` // pending, and nobody runs it
		Failure study.Failure   `json:"failure,omitempty"`
		Note    string          `json:"note,omitempty"`
		Remarks []study.Remark  `json:"remarks,omitempty"`
		Outside bool            `json:"outside,omitempty"` // made under another space or context, and data only
		Params  json.RawMessage `json:"params"`
		Values  study.Values    `json:"values"`
		// With several objectives: 1 on the front, 2 on the front of the rest, and so on; and
		// the objectives that have no value yet.
		Rank       int              `json:"rank,omitempty"`
		Missing    []string         `json:"missing,omitempty"`
		Cost       *float64         `json:"cost"`
		Stderr     any              `json:"stderr,omitempty"` // a number; of several objectives an object
		Metrics    study.Metrics    `json:"metrics,omitempty"`
		Duration   *float64         `json:"duration,omitempty"` // seconds
		Replicates []Replicate      `json:"replicates,omitempty"`
		Source     string           `json:"source"`
		Posterior  *study.Posterior `json:"posterior,omitempty"` // of the best, where values are noisy or asked for
		// For a configuration measured more than once.
		Measurements *Measurements `json:"measurements,omitempty"`
		// By is "posterior" for the best by the surrogate, where values are noisy or
		// that was asked for, and "observed" for the best value there.
		By              string    `json:"by,omitempty"`
		ProbabilityBest *float64  `json:"probability_best,omitempty"`
		Luckiest        *Luckiest `json:"luckiest,omitempty"`
		Key             *string   `json:"key"`
		Worker          string    `json:"worker,omitempty"`
		SuggestedAt     *string   `json:"suggested_at"`
		ObservedAt      *string   `json:"observed_at"`

		// For a study with a fidelity; Values are the values at Resource.
		Resource *float64      `json:"resource,omitempty"`
		Leg      int           `json:"leg,omitempty"`
		Start    *float64      `json:"start,omitempty"`
		Verdict  study.Verdict `json:"verdict,omitempty"`
		Curve    []CurvePoint  `json:"curve,omitempty"`
		Way      string        `json:"-"` // where it has not the full one, such as "at 1 of 9 epochs"
	}

	// Replicate is a further measurement of a trial's configuration.
	Replicate struct {
		Values study.Values `json:"values"`
		Cost   *float64     `json:"cost"`
		Stderr any          `json:"stderr,omitempty"`

		Metrics  study.Metrics `json:"metrics,omitempty"`
		Duration *float64      `json:"duration,omitempty"`
	}

	// Status counts a study's trials. Ended is the reason why the study is over, or the run.
	Status struct {
		Schema    string  `json:"schema"`
		Study     string  `json:"study"`
		Complete  int     `json:"complete"`
		Pending   int     `json:"pending"`
		Failed    int     `json:"failed"`
		Abandoned int     `json:"abandoned"`
		Waiting   int     `json:"waiting"`            // of the pending ones
		Reserved  int     `json:"reserved,omitempty"` // without a configuration, part of the budget
		Budget    *Budget `json:"budget"`
		Best      *Trial  `json:"best"`
		// Noise is that of each objective, by name, where it is material: Best is then the leader.
		Noise map[string]study.NoiseLevel `json:"noise,omitempty"`
		// With several objectives Best is null, and the front is there.
		Front       []Trial      `json:"front,omitempty"`
		Knee        string       `json:"knee,omitempty"` // id of the best compromise
		Hypervolume *Hypervolume `json:"hypervolume,omitempty"`
		// Lacking counts the complete trials without a value of an objective, by name.
		Lacking   map[string]int `json:"lacking,omitempty"`
		Ended     string         `json:"ended,omitempty"`
		Queued    int            `json:"queued"`            // configurations waiting to be proposed
		Outside   int            `json:"outside,omitempty"` // trials made under another space or context
		Shortfall string         `json:"-"`                 // why there is no best among the complete ones
		// Cost and Progress appear once a cost is known.
		Cost     *Spending `json:"cost,omitempty"`
		Progress []Step    `json:"progress,omitempty"`

		// For a study with a fidelity.
		Paused   int             `json:"paused,omitempty"`
		Stopped  int             `json:"stopped,omitempty"`
		Fidelity *FidelityStatus `json:"fidelity,omitempty"`
	}

	// Budget is the number of trials that may be spent, and the rest of it.
	Budget struct {
		Trials int `json:"trials"`
		Left   int `json:"left"`
	}

	// Model describes a fitted surrogate. Hyperparameters, their ranges,
	// likelihoods and noise (a variance) are in units of the transformed objective.
	Model struct {
		Schema                string             `json:"schema"`
		Kernel                string             `json:"kernel"`
		Hyperparameters       map[string]float64 `json:"hyperparameters"`
		LogMarginalLikelihood *float64           `json:"log_marginal_likelihood"`
		Noise                 *float64           `json:"noise"`
		LOO                   *LOO               `json:"loo"`
		Warnings              []string           `json:"warnings"`
		Transform             string             `json:"transform,omitempty"`
		Ranges                map[string]Range   `json:"ranges,omitempty"`
		LogPosterior          *float64           `json:"log_posterior,omitempty"`
		Points                int                `json:"points,omitempty"`
		Evaluations           int                `json:"evaluations,omitempty"`
		Condition             *float64           `json:"condition,omitempty"`
		Fallbacks             []string           `json:"fallbacks"`
		Slopes                map[string]float64 `json:"slopes,omitempty"`
		Levels                []study.LevelModel `json:"levels,omitempty"`
		Gram                  [][]float64        `json:"gram,omitempty"`
	}

	// Models are the surrogates of several objectives, by name.
	Models struct {
		Schema     string           `json:"schema"`
		Objectives map[string]Model `json:"objectives"`
	}

	// Range is where a hyperparameter could lie: its bounds, null where it has none, and the central 90 % of its prior,
	// null without one. Bound is the one it touches, "lower" or "upper".
	Range struct {
		Low     *float64    `json:"low"`
		High    *float64    `json:"high"`
		Prior90 *[2]float64 `json:"prior90"`
		Fixed   bool        `json:"fixed"`
		Bound   *string     `json:"bound"`
	}

	// LOO is the quality of leave-one-out predictions, in the objective's units.
	LOO struct {
		RMSE       *float64 `json:"rmse"`
		LogLoss    *float64 `json:"log_loss"`
		Coverage90 float64  `json:"coverage90"`
	}

	// Prediction is the posterior at a configuration, in the objective's own units and sign: standard deviations of the
	// latent value and of an observation.
	Prediction struct {
		Schema string          `json:"schema"`
		Params json.RawMessage `json:"params"`
		*study.Expected
		// Objectives are the predictions of several, by name, in place of the three.
		Objectives map[string]study.Expected `json:"objectives,omitempty"`

		Config space.Configuration `json:"-"` // which Params has
	}

	// Version names the program.
	Version struct {
		Schema   string `json:"schema"`
		Version  string `json:"version"`
		Commit   string `json:"commit"`
		Go       string `json:"go"`
		Platform string `json:"platform"`
	}
)

// Replay is the outcome of computing suggestions again.
type Replay struct {
	Schema    string   `json:"schema"`
	OK        bool     `json:"ok"`
	Computed  int      `json:"computed"`
	Decisions int      `json:"decisions,omitempty"` // about levels
	Different []string `json:"different"`           // ids
}
