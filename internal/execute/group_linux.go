package execute

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
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

// adoptOrphans makes processes whose parent ended children of this one, so that processes that left their group are
// found. Children that it has by then, of a shell that became this program, are nobody's orphans.
var adoptOrphans = sync.OnceFunc(func() {
	groups.Lock()
	defer groups.Unlock()
	self := strconv.Itoa(os.Getpid())
	for pid, f := range processes {
		if f[1] == self {
			groups.ours[pid] = true
		}
	}
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
})

// killStrays ends the processes that a trial left behind outside of its group: processes that this one adopted and that
// have the trial in their environment, or whose trial cannot be told while no other is under way. That may take a few
// rounds, because the children of a killed process are adopted in turn; a process that the kernel does not let go is
// left to the kernel. An empty trial stands for all.
func killStrays(trial string) {
	mark := trialMark(trial)
	if trial != "" {
		mark += "\x00"
	}
	comes(time.Second, func() bool { return !killRound(mark) })
}

// killMarked kills every process that has both marks in its environment, and reports whether there were any.
func killMarked(run, trial string) (found bool) {
	for pid := range processes {
		if pid != os.Getpid() && marked(pid, run+"\x00", trial+"\x00") {
			found = true
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return found
}

// killRound kills the strays there are, and reports whether there were any.
func killRound(mark string) (found bool) {
	groups.Lock() // a process that begins is known before it is looked at
	defer groups.Unlock()
	if (len(groups.ids) <= 1 || groups.over) && os.Getpid() != 1 { // which adopts other orphans, too
		mark = ""
	}
	self, group := strconv.Itoa(os.Getpid()), strconv.Itoa(syscall.Getpgrp())
	for pid, f := range processes {
		// A process that a command began is in the command's group or in one of its own, never
		// in this process's: a child in that one was begun by somebody else here.
		if groups.ours[pid] || f[1] != self || f[2] == group {
			continue
		}
		if f[0] == "Z" { // adopted, and ended by itself
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
			continue
		}
		if mark == "" || marked(pid, mark) {
			found = true
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return found
}
