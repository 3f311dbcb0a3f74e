package execute

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
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

// processes are the processes there are, with the fields of their status from the third on.
func processes(yield func(pid int, stat []string) bool) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if f := stat(pid); len(f) > 19 && !yield(pid, f) {
			return
		}
	}
}

// marked reports whether entries of a process's environment begin with all of the marks; one
// that ends in NUL is a whole entry.
func marked(pid int, marks ...string) bool {
	env, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	env = append([]byte{0}, env...)
	return !slices.ContainsFunc(marks, func(m string) bool { return !bytes.Contains(env, []byte("\x00"+m)) })
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
	lives := false
	for pid, f := range processes {
		switch {
		case f[2] != strconv.Itoa(id) || f[0] == "Z" || f[0] == "X":
		case pid == id:
			return f[19] == started
		default:
			lives = lives || marked(pid, trialMark(trial)+"\x00")
		}
	}
	return lives
}
