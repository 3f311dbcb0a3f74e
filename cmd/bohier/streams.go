package main

import (
	"io"
	"path/filepath"
)

// streams is everything a command may touch of the world around it, besides
// study files and journals.
type streams struct {
	Stdin    io.Reader
	Stdout   io.Writer                   // results only
	Stderr   io.Writer                   // messages
	Env      func(string) (string, bool) // os.LookupEnv
	Dir      string                      // relative paths start here; empty: the working directory
	Terminal bool                        // Stderr is a terminal
	Width    int                         // of that terminal, in columns

	Log   logger // set once the global flags are known
	Color bool   // likewise
}

// path resolves a path given by the user.
func (s streams) path(p string) string {
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(s.Dir, p)
}

// env is the value of an environment variable, empty when unset.
func (s streams) env(name string) string {
	v, _ := s.Env(name)
	return v
}

// write sends the whole result to Stdout in one call.
func (s streams) write(result []byte) error {
	if _, err := s.Stdout.Write(result); err != nil {
		return undelivered(err)
	}
	return nil
}
