package execute

import (
	"os/exec"
	"runtime"
	"sync"
)

// Every command runs in a process group of its own, which dies with it. The groups
// under way are known to the whole process, so that a second signal can end them.
var groups = struct {
	sync.Mutex
	ids  map[int]bool
	over bool // no group may begin any more
}{ids: map[int]bool{}}

// KillCommands ends every command of this process at once, with what it started,
// and lets no other begin.
func KillCommands() {
	groups.Lock()
	defer groups.Unlock()
	groups.over = true
	for id := range groups.ids {
		killGroup(id)
	}
}

// starts are commands to be started by one thread that lives as long as the
// process: on Linux a command is killed when the thread that started it ends.
var starts = sync.OnceValue(func() chan<- func() {
	queue := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range queue {
			f()
		}
	}()
	return queue
})

// start begins a command in a group of its own; forget is to be called when it
// has ended.
func start(cmd *exec.Cmd) (forget func(), err error) {
	cmd.SysProcAttr = groupAttributes()
	done := make(chan struct{})
	starts() <- func() {
		defer close(done)
		err = cmd.Start()
	}
	<-done
	if err != nil {
		return nil, err
	}
	id := cmd.Process.Pid
	groups.Lock()
	defer groups.Unlock()
	groups.ids[id] = true
	if groups.over {
		killGroup(id)
	}
	release := guard(id)
	return func() {
		release()
		groups.Lock()
		defer groups.Unlock()
		delete(groups.ids, id)
	}, nil
}
