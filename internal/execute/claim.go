package execute

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"bohier/internal/study"
)

// A run executes a trial while it holds a lock on a file in the trial's
// directory. The system drops the lock when the process ends, however it ends,
// so a pending trial of a run on this machine whose lock is free is an orphan:
// nobody will ever report it, and the next run takes it up.

// worker names slot k of this process as the one a trial was suggested to.
func worker(k int) string { return fmt.Sprintf("%s%d/%d", workersHere(), os.Getpid(), k) }

func workersHere() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return "run@" + host + "/"
}

// left are the pending trials of runs on this machine, dead or alive.
func (l *loop) left(trials []study.Trial) []study.Trial {
	var out []study.Trial
	for k := range trials {
		t := &trials[k]
		if t.State == study.Pending && !t.Outside && strings.HasPrefix(t.Worker, workersHere()) {
			out = append(out, *t)
		}
	}
	return out
}

// claim locks a trial for this process; nil without an error means that another
// run has it.
func (l *loop) claim(t *study.Trial) (*os.File, error) {
	if err := os.MkdirAll(l.dir(t), 0o777); err != nil {
		return nil, &study.Error{Code: study.NotRecorded, Msg: "no directory for the trial's files", Err: err}
	}
	f, err := os.OpenFile(filepath.Join(l.dir(t), "lock"), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, &study.Error{Code: study.NotRecorded, Msg: "no directory for the trial's files", Err: err}
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, syscall.EWOULDBLOCK):
		f.Close()
		return nil, nil
	case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOSYS):
		return f, nil // no locks here: one run at a time is all that can be had
	}
	f.Close()
	return nil, err
}
