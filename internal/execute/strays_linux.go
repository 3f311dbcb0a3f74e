package execute

import (
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes processes whose parent ended children of this one, so that processes that
// left their group are found. Children that it has by then, of a shell that became this
// program, are nobody's orphans.
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

// killStrays ends what a trial left behind outside of its group: processes that this one
// adopted and that have the trial in their environment, or whose trial cannot be told while
// no other is under way. That may take a few rounds, because the children of a killed process
// are adopted in turn; a process that the kernel does not let go is left to the kernel. An
// empty trial stands for all.
func killStrays(trial string) {
	mark := trialMark(trial)
	if trial != "" {
		mark += "\x00"
	}
	comes(time.Second, func() bool { return !killRound(mark) })
}

// killMarked kills every process that has both marks in its environment, and reports whether
// there were any.
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
