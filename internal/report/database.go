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
	Fsync         string   `json:"fsync"`
	FullPages     string   `json:"full_page_writes"`
	Standbys      int      `json:"standbys"`
	Async         int      `json:"standbys_async"` // of which so many are not waited for
	Connections   int      `json:"connections_left"`
	Rights        []string `json:"rights"` // worker, reader, keeper
	Warnings      []string `json:"warnings"`
	Problems      []string `json:"problems"`
}
