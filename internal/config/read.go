package config

import (
	"io"
	"os"

	"bohier/internal/study"
)

// Load reads the study file at a path. The study is nil when the report holds
// errors.
func Load(path string, o Options) (*study.Study, Report) {
	data, err := readBounded(path)
	if err != nil {
		return nil, Report{Errors: []Problem{{File: path, Message: "cannot be read: " + err.Error(), Cause: err}}}
	}
	return Parse(path, data, o)
}

// readBounded reads one byte more than a study file may have: pipes and devices
// do not tell their size, and may have no end.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
}
