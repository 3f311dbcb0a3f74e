package study

// A Leaderboard is what is believed of a study's best configurations when their measurements
// are noisy: leaders, best posterior mean first. With several objectives it is the trials on
// Front, which is that of Standing, sorted by the first objective.
type Leaderboard struct {
	Leaders  []Leader
	Noise    map[string]NoiseLevel // of the objectives whose posterior means count in place of values, by name
	Luckiest *Leader               // the one with the best single trial; nil: the leader itself
	Front    *Front                // of the first trial of each configuration
	Standing *Standing             // every configuration by its means
	Warnings []string
}

// A Leader is a measured configuration with what the surrogates believe of it.
type Leader struct {
	Trial       Trial               // the first of its trials
	Values      []Measurement       // of all its feasible trials
	Believed    map[string]Estimate // by objective; one that is missing counts as measured
	Probability float64             // that it is the best, or on the front; NaN: unknown
	Luckiest    Trial               // the one of its trials with the best value
}

// Expected is what is believed of an objective, or its measured value without deviation.
func (l *Leader) Expected(objective string) Estimate {
	e, ok := l.Believed[objective]
	if !ok {
		e.Mean = l.Trial.Values.Of(objective)
	}
	return e
}

type (
	// Estimate is what the surrogate believes of the objective at a trial's
	// configuration, without noise.
	Estimate struct {
		Mean float64 `json:"mean"`
		Std  float64 `json:"std"`
	}

	// NoiseLevel is that of one measurement: its standard deviation at the leader, in the
	// objective's units, with the median of reported standard errors in it, and the
	// share of what the surrogate estimates in the variance of the values.
	NoiseLevel struct {
		SD     float64 `json:"sd"`
		Share  float64 `json:"share"`
		Source string  `json:"source"` // estimated, estimated and reported, or given
	}
)
