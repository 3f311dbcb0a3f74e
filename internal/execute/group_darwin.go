package execute

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// groupAttributes put a command in a group of its own.
func groupAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// bootID names this machine since it was started; empty: unknown.
func bootID() string {
	for _, name := range []string{"kern.bootsessionuuid", "kern.boottime"} {
		if b, err := exec.Command("sysctl", "-n", name).Output(); err == nil {
			return strings.TrimSpace(string(b))
		}
	}
	return ""
}

// adoptOrphans does nothing here.
func adoptOrphans() {}

// startTime is when a process began; empty: there is none.
func startTime(pid int) string {
	b, _ := exec.Command("ps", "-o", "lstart=", "-p", strconv.Itoa(pid)).Output()
	return strings.TrimSpace(string(b))
}

// groupLives reports whether processes are left of the group that ran a trial. Nobody else can have its number while
// one is left, unless all of it ended and the number came round; then a leader with another start time gives it away.
func groupLives(id int, started, _ string) bool {
	if syscall.Kill(-id, 0) != nil {
		return false
	}
	now := startTime(id)
	return now == "" || now == started
}
