package execute

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A command has a control group (version 2) of its own where one can be made, on Linux. A process cannot
// leave it by setsid, by giving up its parent or by clearing its environment, and all of
// it is killed at once. It goes by its directory; empty: there is none.

// newCgroup makes a control group below another, and opens its directory; empty: it cannot.
func newCgroup(parent string) (in string, dir *os.File) {
	if parent == "" {
		return "", nil
	}
	in, err := os.MkdirTemp(parent, "bohier-")
	if err != nil {
		return "", nil
	}
	if dir, err = os.Open(in); err != nil {
		_ = os.Remove(in)
		return "", nil
	}
	return in, dir
}

// killCgroup kills all processes of a control group and reports whether it still holds any.
func killCgroup(in string) (found bool) {
	if !strings.HasPrefix(filepath.Base(in), "bohier-") ||
		os.WriteFile(filepath.Join(in, "cgroup.kill"), []byte("1"), 0) != nil {
		return false
	}
	procs, err := os.ReadFile(filepath.Join(in, "cgroup.procs"))
	return err == nil && len(procs) > 0
}

// endCgroup kills the remaining processes of a control group and removes it.
func endCgroup(in string) {
	if in != "" {
		killCgroup(in)
		comes(time.Second, func() bool { return os.Remove(in) == nil }) // when all have ended
	}
}
