package report

// Database is what a database can do for a journal.
type Database struct {
	Schema        string   `json:"schema"`
	OK            bool     `json:"ok"`
	Journal       string   `json:"journal"`
	Server        string   `json:"server"`
	SchemaVersion int      `json:"schema_version"`
	TLS           bool     `json:"tls"`
	Pooled        bool     `json:"pooled"` // by a transaction pooler, as the URL says
	Commit        string   `json:"synchronous_commit"`
	Standbys      int      `json:"standbys"`
	Connections   int      `json:"connections_left"`
	RoundTrip     float64  `json:"round_trip_seconds"`
	Lock          float64  `json:"lock_seconds"` // of taking it, reading all, and leaving it
	Rights        []string `json:"rights"`       // worker, reader, keeper
	Problems      []string `json:"problems"`
}
