package config

import (
	"io"
	"os"

	"bohier/internal/study"
)

// Load reads the study file at a path. The study is nil when the report holds
// errors.
func Load(path string, o Options) (*study.Study, Report) {
	var data []byte
	f, err := os.Open(path)
	if err == nil { // one byte more than is accepted: pipes and devices tell no size, and may have no end
		defer f.Close()
		data, err = io.ReadAll(io.LimitReader(f, maxBytes+1))
	}
	if err != nil {
		return nil, Report{Errors: []Problem{{File: path, Message: "cannot be read: " + err.Error(), Cause: err}}}
	}
	return Parse(path, data, o)
}
