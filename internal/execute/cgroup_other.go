//go:build !linux

package execute

import "syscall"

// A cgroup is a control group of its own for a command, which only Linux has.
type cgroup struct{}

func cgroupParent() string { return "" }

func newCgroup(string) *cgroup { return nil }

func (g *cgroup) path() string { return "" }

func (g *cgroup) hold(*syscall.SysProcAttr) {}

func (g *cgroup) kill() {}

func (g *cgroup) end() {}

func killCgroup(string) bool { return false }

// pidSpace names the set of processes that this one can see: there is one.
func pidSpace() string { return "" }

// A process that leaves the group of a trial's command is on its own here, or its end is the
// system's business (see adoptOrphans).
func killStrays(string) {}

func killMarked(_, _ string) bool { return false }
