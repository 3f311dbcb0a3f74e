package config

import (
	"fmt"
	"io"
	"os"

	"bohier/internal/study"
)

// Load reads the study file at a path. The study is nil when the report holds
// errors.
func Load(path string, o Options) (*study.Study, Report) {
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return nil, Report{Errors: []Problem{{File: path, Message: "there is no such file",
			Hint: "`bohier init` writes one to start from; -c FILE names another"}}}
	case err == nil && info.IsDir():
		return nil, Report{Errors: []Problem{{File: path, Message: "this is a directory, not a study file"}}}
	case err == nil && info.Size() > maxBytes:
		return nil, Report{Errors: []Problem{{File: path,
			Message: fmt.Sprintf("the file has %d bytes; at most %d (1 MiB) are read", info.Size(), maxBytes)}}}
	}
	data, err := readBounded(path)
	if err != nil {
		return nil, Report{Errors: []Problem{{File: path, Message: "cannot be read: " + err.Error()}}}
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
