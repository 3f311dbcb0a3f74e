package report

// The objects of the commands that look after the journal.
type (
	// Verify is the verdict on a journal.
	Verify struct {
		Schema   string        `json:"schema"`
		OK       bool          `json:"ok"`
		Journal  string        `json:"journal"`
		Records  int           `json:"records"`
		Trials   int           `json:"trials"`
		Torn     int64         `json:"torn"` // bytes of an unfinished last line
		Problems []LineProblem `json:"problems"`
	}

	// LineProblem is a line that does not count.
	LineProblem struct {
		Line  int    `json:"line"`
		Cause string `json:"cause"`
	}

	// Replay is the outcome of computing suggestions again.
	Replay struct {
		Schema    string   `json:"schema"`
		OK        bool     `json:"ok"`
		Computed  int      `json:"computed"`
		Decisions int      `json:"decisions,omitempty"` // about levels
		Different []string `json:"different"`           // ids
	}

	// FileSystem is what a directory can do for a journal.
	FileSystem struct {
		Schema      string   `json:"schema"`
		OK          bool     `json:"ok"`
		Dir         string   `json:"dir"`
		Type        string   `json:"type"`
		Network     bool     `json:"network"`
		Lock        string   `json:"lock"`
		Locks       bool     `json:"locks"`
		Links       bool     `json:"links"`
		SyncDir     bool     `json:"sync_dir"`
		SyncSeconds float64  `json:"sync_seconds"`
		Problems    []string `json:"problems"`
	}
)
