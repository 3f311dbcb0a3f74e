package execute

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// groupAttributes put a command in a group of its own and have the kernel kill it
// when this process dies, however it dies.
func groupAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// bootID names this machine since it was started; empty: unknown.
func bootID() string {
	b, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(b))
}

// pidSpace names the set of processes that this one can see.
func pidSpace() string {
	name, _ := os.Readlink("/proc/self/ns/pid")
	return name
}

// startTime is when a process began, in ticks since boot; empty: there is none.
func startTime(pid int) string {
	if f := stat(pid); len(f) > 19 {
		return f[19]
	}
	return ""
}

// stat are the fields of a process's status from the third on; nil: there is none.
func stat(pid int) []string {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	end := bytes.LastIndexByte(b, ')') // the name before it may hold anything
	if err != nil || end < 0 {
		return nil
	}
	return strings.Fields(string(b[end+1:]))
}

// groupLives reports whether processes are left of the group that ran a trial: its
// leader with the start time known, or others with the trial in their environment.
func groupLives(id int, started, trial string) bool {
	entries, _ := os.ReadDir("/proc")
	lives := false
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		f := stat(pid)
		if len(f) <= 19 || f[2] != strconv.Itoa(id) || f[0] == "Z" || f[0] == "X" {
			continue
		}
		if pid == id {
			return f[19] == started
		}
		env, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		lives = lives || bytes.Contains(env, []byte("BOHIER_TRIAL="+trial+"\x00"))
	}
	return lives
}
