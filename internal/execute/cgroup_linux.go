package execute

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// cgroupParent is where this process may make control groups; empty: nowhere. It may as
// root, in many containers, and in a desktop session or a service of systemd's that has
// Delegate=yes. A command is tried in one, for much may stand in the way.
var cgroupParent = sync.OnceValue(func() string {
	where := ownCgroup()
	in, dir := newCgroup(where)
	if in == "" {
		return ""
	}
	defer endCgroup(in)
	defer dir.Close()
	if _, err := os.Stat(filepath.Join(in, "cgroup.kill")); err != nil { // Linux 5.14
		return ""
	}
	cmd := exec.Command("/bin/sh", "-c", ":")
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	begin(cmd.SysProcAttr, dir)
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

// begin has a command begin in the control group of a directory; nil: in none.
func begin(a *syscall.SysProcAttr, dir *os.File) {
	if dir != nil {
		a.UseCgroupFD, a.CgroupFD = true, int(dir.Fd())
	}
}
