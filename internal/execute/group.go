package execute

import (
	"errors"
	"io/fs"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// groups are the process groups under way in this process, so that a second signal can end
// them. Every command runs in a group of its own, which dies with the command.
var groups = struct {
	sync.Mutex
	ids  map[int]string // and their control groups
	ours map[int]bool   // processes of this one that are no strays: leaders and their guards
	over bool           // no group may begin any more
}{ids: map[int]string{}, ours: map[int]bool{}}

// KillCommands ends every command of this process at once, with all processes that it started, lets no other begin, and
// has the scheduler cancel its jobs.
func KillCommands() {
	groups.Lock()
	groups.over = true
	for id, in := range groups.ids {
		killGroup(id)
		killCgroup(in)
	}
	groups.Unlock()
	killStrays("")
	jobsUnderWay.Range(func(b, _ any) bool { _ = b.(*job).end(); return true }) // it ends whether or not they do
}

// start begins a command in a group of its own, and reports once how it ended, with the time that it took. forget ends
// processes that are left of it, and is to be called then. mark names this process in its environment.
func start(cmd *exec.Cmd, mark string, took *time.Duration) (ended <-chan error, in string, forget func(), err error) {
	cmd.SysProcAttr = groupAttributes()
	in, dir := newCgroup(cgroupParent())
	if in == "" {
		adoptOrphans()
	}
	defer dir.Close() // or there is none
	begin(cmd.SysProcAttr, dir)
	groups.Lock()
	defer groups.Unlock()
	guardian, assign, release := guard(mark, in)
	groups.ours[guardian] = true
	begun, end := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread() // on Linux a command is killed when the thread that started it ends
		defer runtime.UnlockOSThread()
		since := time.Now()
		err := startError(cmd.Start())
		if begun <- err; err != nil {
			return
		}
		state, err := cmd.Process.Wait() // and not for its output
		if *took = time.Since(since); err == nil && !state.Success() {
			err = &exec.ExitError{ProcessState: state}
		}
		end <- err
	}()
	if err = <-begun; err != nil {
		assign(0)
		release()
		delete(groups.ours, guardian)
		endCgroup(in)
		return nil, "", nil, err
	}
	id := cmd.Process.Pid
	assign(id)
	groups.ids[id], groups.ours[id] = in, true
	if groups.over {
		killGroup(id)
		killCgroup(in)
	}
	return end, in, func() {
		endCgroup(in)
		release()
		groups.Lock()
		defer groups.Unlock()
		delete(groups.ids, id)
		delete(groups.ours, id)
		delete(groups.ours, guardian)
	}, nil
}

// startError is why a command did not start. A fork copies descriptors to numbers above the
// highest it has; that the limit leaves none there, Linux calls a bad descriptor (dup(2)).
func startError(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(path.Err, syscall.EBADF) {
		return &fs.PathError{Op: path.Op, Path: path.Path, Err: syscall.EMFILE}
	}
	return err
}
