package execute

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes processes whose parent ended children of this one, so that
// those that left their group are found. Children that it has by then, of a shell that
// became this program, are nobody's orphans.
var adoptOrphans = sync.OnceFunc(func() {
	groups.Lock()
	defer groups.Unlock()
	self := strconv.Itoa(os.Getpid())
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if f := stat(pid); len(f) > 1 && f[1] == self {
				groups.ours[pid] = true
			}
		}
	}
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
})

// killStrays ends what a trial left behind outside of its group: processes that this one
// adopted and that have the trial in their environment, or whose trial cannot be told while
// no other is under way. That may take a few rounds, because the children of a killed process
// are adopted in turn; a process that the kernel does not let go is left to the kernel. An
// empty trial stands for all.
func killStrays(trial string) {
	mark := []byte("\x00BOHIER_TRIAL=")
	if trial != "" {
		mark = append(append(mark, trial...), 0)
	}
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if !killRound(mark) {
			return
		}
	}
}

// killMarked kills every process that has all of the marks in its environment, and reports
// whether there were any.
func killMarked(marks ...string) (found bool) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		env, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if len(env) == 0 {
			continue
		}
		env = append([]byte{0}, env...)
		if !slices.ContainsFunc(marks, func(m string) bool { return !bytes.Contains(env, []byte("\x00"+m+"\x00")) }) {
			found = true
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return found
}

// killRound kills the strays there are, and reports whether there were any.
func killRound(mark []byte) (found bool) {
	groups.Lock() // a process that begins is known before it is looked at
	defer groups.Unlock()
	if (len(groups.ids) <= 1 || groups.over) && os.Getpid() != 1 { // which adopts other orphans, too
		mark = nil
	}
	entries, _ := os.ReadDir("/proc")
	self, group := strconv.Itoa(os.Getpid()), strconv.Itoa(syscall.Getpgrp())
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || groups.ours[pid] {
			continue
		}
		f := stat(pid)
		// What a command began is in the command's group or in one of its own, never in
		// this process's: a child in that one was begun by somebody else here.
		if len(f) < 3 || f[1] != self || f[2] == group {
			continue
		}
		if f[0] == "Z" { // adopted, and ended by itself
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
			continue
		}
		env, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if bytes.Contains(append([]byte{0}, env...), mark) {
			found = true
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return found
}
