package study

type (
	// CourseReason is how far a trial got in a study with a fidelity: its place among the
	// entries at the highest level it has a value at, and how many of them went on.
	CourseReason struct {
		Name     string   `json:"name"`
		Start    float64  `json:"start"`
		Resource float64  `json:"resource"`
		Leg      int      `json:"leg"`
		Level    *float64 `json:"level"`
		Place    int      `json:"place,omitempty"`
		Entries  int      `json:"entries,omitempty"`
		Promoted int      `json:"promoted,omitempty"`
		Why      string   `json:"why"` // of its newest leg; empty: somebody named its level
	}

	// Inactive is a parameter a configuration does not have, and the condition it
	// does not meet.
	Inactive struct {
		Name      string `json:"name"`
		Condition string `json:"condition"`
	}
)
