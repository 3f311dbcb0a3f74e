package execute

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A cgroup is a control group (version 2) of its own for a command. A process cannot
// leave it by setsid, by giving up its parent or by clearing its environment, and all of
// it is killed at once. Nil stands for none.
type cgroup struct {
	dir *os.File
}

// cgroupParent is where this process may make control groups; empty: nowhere. It may as
// root, in many containers, and in a desktop session or a service of systemd's that has
// Delegate=yes. A command is tried in one, for much may stand in the way.
var cgroupParent = sync.OnceValue(func() string {
	where := ownCgroup()
	if where == "" {
		return ""
	}
	g := newCgroup(where)
	if g == nil {
		return ""
	}
	defer g.end()
	if _, err := os.Stat(filepath.Join(g.path(), "cgroup.kill")); err != nil { // Linux 5.14
		return ""
	}
	cmd := exec.Command("/bin/sh", "-c", ":")
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	g.hold(cmd.SysProcAttr)
	if cmd.Run() != nil {
		return ""
	}
	return where
})

// ownCgroup is the directory of this process's control group; empty: unknown.
func ownCgroup() string {
	path, root, mount := "", "", ""
	own, _ := os.ReadFile("/proc/self/cgroup")
	for line := range strings.Lines(string(own)) {
		if p, ok := strings.CutPrefix(line, "0::"); ok {
			path = strings.TrimSuffix(p, "\n")
		}
	}
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(mounts)) {
		what, kind, _ := strings.Cut(line, " - ")
		if f := strings.Fields(what); strings.HasPrefix(kind, "cgroup2 ") && len(f) > 4 {
			root, mount = f[3], f[4]
		}
	}
	below, ok := strings.CutPrefix(path, strings.TrimSuffix(root, "/"))
	if path == "" || mount == "" || !ok || strings.Contains(path, "..") {
		return ""
	}
	return filepath.Join(mount, below)
}

// newCgroup makes a control group below another; nil: it cannot.
func newCgroup(parent string) *cgroup {
	if parent == "" {
		return nil
	}
	path, err := os.MkdirTemp(parent, "bohier-")
	if err != nil {
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		_ = os.Remove(path)
		return nil
	}
	return &cgroup{dir}
}

// path is the directory; empty: there is none.
func (g *cgroup) path() string {
	if g == nil {
		return ""
	}
	return g.dir.Name()
}

// hold has a command begin in the group.
func (g *cgroup) hold(a *syscall.SysProcAttr) {
	if g != nil {
		a.UseCgroupFD, a.CgroupFD = true, int(g.dir.Fd())
	}
}

func (g *cgroup) kill() {
	if g != nil {
		killCgroup(g.path())
	}
}

// end kills what is left and removes the group.
func (g *cgroup) end() {
	if g == nil {
		return
	}
	g.kill()
	comes(time.Second, func() bool { return os.Remove(g.path()) == nil }) // when all have ended
	_ = g.dir.Close()
}

// killCgroup kills all processes of a control group and reports whether it still holds any.
func killCgroup(path string) (found bool) {
	if !strings.HasPrefix(filepath.Base(path), "bohier-") ||
		os.WriteFile(filepath.Join(path, "cgroup.kill"), []byte("1"), 0) != nil {
		return false
	}
	procs, err := os.ReadFile(filepath.Join(path, "cgroup.procs"))
	return err == nil && len(procs) > 0
}
