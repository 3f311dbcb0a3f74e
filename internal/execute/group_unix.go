//go:build unix

package execute

import (
	_ "embed"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
)

// nonBlocking keeps the opening of a pipe from waiting for the other end.
const nonBlocking = syscall.O_NONBLOCK

// stopGroup asks the processes of a group to end, killGroup ends them.
func stopGroup(id int) { _ = syscall.Kill(-id, syscall.SIGTERM) }
func killGroup(id int) { _ = syscall.Kill(-id, syscall.SIGKILL) }

// guarding waits at the other end of a pipe until this process ends without a word: then it kills the control group
// ($2), if there is one, or else the process group, if it was given one, and on Linux processes that left the group but
// have the mark of this process ($1) in their environment.
//
//go:embed guard.sh
var guarding string

// guard has a command and its children killed when this process ends without releasing it, however it ends; it stands
// ready before the command begins. Where there is no shell, nothing guards.
func guard(mark, cgroup string) (pid int, assign func(group int), release func()) {
	cmd := exec.Command("/bin/sh", "-c", guarding, "sh", mark, cgroup)
	cmd.Env, cmd.Dir = []string{"PATH=/usr/bin:/bin"}, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // not with the group it guards, nor with this one
	pipe, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return 0, func(int) {}, func() {}
	}
	say := func(s string) { _, _ = io.WriteString(pipe, s+"\n") } // when it is gone, nobody guards
	return cmd.Process.Pid, func(group int) { say(strconv.Itoa(group)) }, func() {
		say("")
		_ = pipe.Close()
		_ = cmd.Wait()
	}
}

// endedBySignal reports whether a command ended like one that a scheduler stops: by TERM, INT, XCPU
// or KILL, or with the exit code by which a shell says so.
func endedBySignal(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	if !ok {
		return false
	}
	stopping := []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGXCPU, syscall.SIGKILL}
	return slices.ContainsFunc(stopping, func(s syscall.Signal) bool {
		return status.Signaled() && status.Signal() == s || status.Exited() && status.ExitStatus() == 128+int(s)
	})
}

// tryLock locks an open file for this process, or for reading where shared is set. ok is false where another process
// has it; supported is false where the file system has no such locks.
func tryLock(f *os.File, shared bool) (ok, supported bool, err error) {
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	switch {
	case err == nil:
		return true, true, nil
	case errors.Is(err, syscall.EWOULDBLOCK):
		return false, true, nil
	case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOSYS):
		return false, false, nil
	}
	return false, true, err
}
