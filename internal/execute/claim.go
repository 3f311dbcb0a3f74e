package execute

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"bohier/internal/study"
)

// A claim is the right of a slot of this process to run a trial.
type claim struct {
	f    *os.File
	self process
	turn *sync.Mutex // among the slots of this process
}

// claim locks a trial for a slot of this process and ends the processes of it that a killed process left running; nil
// without an error means that another process runs it.
//
// A leg is over for the journal before its command has ended, so that its successor may be here already. It waits for a
// command of this process, and up to clearTime for one of another and for a command that starts at this moment, which
// has a copy of all open files, and so their locks, between fork and exec.
func (l *loop) claim(t *study.Trial) (*claim, error) {
	turn, _ := l.turns.LoadOrStore(t.Number, new(sync.Mutex))
	c := &claim{self: l.self, turn: turn.(*sync.Mutex)}
	c.turn.Lock()
	var free bool
	var err error
	if c.f, free, err = lockFile(filepath.Join(l.dir(t), "lock")); free {
		if free = l.clear(c.f, t); free {
			err = c.group(0, "")
		}
	}
	if err != nil || !free {
		c.Close()
		return nil, notKept(err)
	}
	return c, nil
}

// lockFile opens a file and locks it, where the file system has locks; not free: another process keeps it.
func lockFile(name string) (f *os.File, free bool, err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return nil, false, err
	}
	if f, err = openShared(name, os.O_RDWR|os.O_CREATE); err != nil {
		return nil, false, err
	}
	free = comes(clearTime, func() bool {
		ok, supported, failed := tryLock(f, false)
		err = failed
		return ok || !supported || failed != nil
	})
	return f, free && err == nil, err
}

// clearTime is the time that remaining processes of a killed run, or of a leg, have to end.
const clearTime = 5 * time.Second

// comes waits until something is so, though not for longer than d; false: it is not.
func comes(d time.Duration, so func() bool) bool {
	end := time.Now().Add(d)
	for wait := time.Millisecond; !so(); wait = min(2*wait, d/100) {
		if time.Now().After(end) {
			return false
		}
		time.Sleep(wait)
	}
	return true
}

// clear ends the group that a lock file names, and the processes that left the group; false: it does not end.
func (l *loop) clear(f *os.File, t *study.Trial) bool {
	p, ok := readProcess(f)
	if !ok || p.Boot == "" || p.Boot != l.self.Boot || p.Space != l.self.Space {
		return true
	}
	left := func() bool {
		group := p.Group > 1 && groupLives(p.Group, p.Start, t.ID())
		if group {
			killGroup(p.Group)
		}
		caged := p.Cgroup != "" && killCgroup(p.Cgroup)
		marked := p.Run != "" && killMarked(runMark(p.Run), trialMark(t.ID()))
		return group || marked || caged
	}
	if !comes(clearTime, func() bool { return !left() }) {
		return false
	}
	if p.Cgroup != "" {
		_ = os.Remove(p.Cgroup) // the directory of a group that is empty by now
	}
	return true
}

// group notes the process group of the command, 0 for none, and its control group.
func (c *claim) group(id int, in string) error {
	p := c.self
	if id > 0 {
		p.Group, p.Start = id, startTime(id)
	}
	if len(in) < recordSize/2 {
		p.Cgroup = in
	}
	return p.write(c.f)
}

// Close gives the trial up.
func (c *claim) Close() {
	if c.f != nil {
		c.f.Close()
	}
	c.turn.Unlock()
}
