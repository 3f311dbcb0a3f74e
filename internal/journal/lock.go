package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"bohier/internal/study"
)

// A Hold keeps the reservations of one command while it computes without the lock. When the process ends, however it
// ends, they are free for others. The zero value is ready; it serves one command on one journal, and one Update at a
// time: under the same Hold two would not exclude each other.
type Hold struct {
	f       file     // the lock file; nil: none yet, or in a store
	release []func() // of the numbers that are kept
	last    struct { // the update that took them, in a file
		before int   // the last record before it, or the header; 0: there is no such update
		end    int64 // where that ends
		after  Pos
	}
}

// Close gives the reservations up.
func (h *Hold) Close() error {
	if h == nil {
		return nil
	}
	// Closing alone would leave them to a command that this process is just about to
	// start: until it runs, it has the file open too.
	for _, release := range h.release {
		release()
	}
	f := h.f
	if h.f, h.release = nil, nil; f == nil {
		return nil
	}
	return f.Close()
}

// computing is the number of the turn to compute suggestions for everybody.
const computing = 0

// Compute takes the turn to compute suggestions, which ends with release, Close or
// the process; ok is false where another has it. The error means that the journal's
// place has no such turns: on network file systems they may not reach other machines.
func (h *Hold) Compute(ctx context.Context, o Options) (release func(), ok bool, err error) {
	o = o.defaults()
	if o.Store != nil {
		return o.Store.Hold(ctx, computing)
	}
	if h == nil || h.f == nil || o.lockKind() != LockPosix {
		return nil, false, errors.New("turns to compute do not work here")
	}
	return lockBytes{h.f}.Hold(ctx, computing)
}

// A Holder holds numbers: a store, the right to append to it, or a lock file.
type Holder interface {
	Hold(ctx context.Context, number int) (release func(), ok bool, err error)
}

// lockBytes are the bytes of a lock file.
type lockBytes struct{ file }

func (f lockBytes) Hold(_ context.Context, number int) (release func(), ok bool, err error) {
	at := holdByte + int64(number)
	if ok, err = f.TryLock(at); err != nil || !ok {
		return nil, false, err
	}
	return func() { _ = f.Unlock(at) }, true, nil // closing is all that can be done
}

// take holds numbers. Where another process has one, that process is about to append: a journal
// that is not begun has nothing to lock.
func (h *Hold) take(ctx context.Context, in Holder, numbers []int) error {
	for _, number := range numbers {
		release, ok, err := in.Hold(ctx, number)
		if err == nil && !ok {
			err = Moved{fmt.Errorf("trial %d is being computed by another process", number)}
		}
		if err != nil {
			return err
		}
		h.release = append(h.release, release)
	}
	return nil
}

// A lock is the exclusive right to write a journal.
type lock struct {
	o     *Options
	f     file // the lock file
	lease *lease
	got   time.Duration // when
	draft draft         // of the records written under it
}

// had reports a lock that was got then to Options.Locked.
func (o *Options) had(got time.Duration) {
	if o.Locked != nil {
		o.Locked(o.clock.Now() - got)
	}
}

// acquire takes the lock of a kind, waiting up to the timeout.
func acquire(ctx context.Context, o *Options, kind string) (*lock, error) {
	deadline := o.clock.Now() + o.LockTimeout
	for {
		l, err := acquireOnce(ctx, o, kind, deadline)
		if err != nil {
			return nil, err
		}
		if l.f.At(o.lockPath()) {
			return l, nil
		}
		// Somebody deleted the lock file: those who come next lock another one.
		if o.Hold != nil {
			_ = o.Hold.Close()
		}
		l.release()
	}
}

func acquireOnce(ctx context.Context, o *Options, kind string, deadline time.Duration) (*lock, error) {
	h := cmp.Or(o.Hold, &Hold{})
	if h.f == nil {
		f, err := o.fs.Open(o.lockPath(), os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, readFailure(o, err)
		}
		h.f = f
	}
	l := &lock{o: o, f: h.f}
	err := l.take(ctx, queueByte, kind, deadline)
	if err == nil {
		err = l.take(ctx, lockByte, kind, deadline)
		_ = l.f.Unlock(queueByte)
	}
	if err != nil {
		l.closeFile()
		return nil, err
	}
	l.got = o.clock.Now()
	if !ownLockFile(l.f) {
		l.release()
		return nil, study.Errorf(study.Usage,
			"Nothing was written. Give the journal another name with --journal, or move that file away.",
			"%s is not a lock file of this program", o.lockPath())
	}
	if kind == LockLease {
		ls, err := takeLease(ctx, o, deadline)
		if err != nil {
			l.release()
			return nil, err
		}
		l.lease = ls
	}
	// For people who wait; no promise rests on it.
	_ = writePlace(l.f, holderAt, holder{holderKind, o.Host, os.Getpid(), o.at()})
	return l, nil
}

// take waits for a byte of the lock file. A process that updates again and again would hardly leave a gap for one that
// looks from time to time; so one takes the place in the queue first, and keeps it until one has the lock.
func (l *lock) take(ctx context.Context, off int64, kind string, deadline time.Duration) error {
	for wait := time.Millisecond; ; wait = min(2*wait, 20*time.Millisecond) {
		ok, err := l.f.TryLock(off)
		switch {
		case errors.Is(err, errors.ErrUnsupported), // locks do not exist here
			slices.ContainsFunc(lockErrors, func(e error) bool { return errors.Is(err, e) }):
			return study.Wrap(study.Usage, err,
				"Put the journal on another file system, or test this one: bohier doctor --fs DIR",
				"the lock kind %q does not work for %s", kind, l.o.lockPath())
		case err != nil:
			return readFailure(l.o, err)
		case ok:
			return nil
		}
		if l.o.clock.Now() >= deadline {
			return lockTimeout(l.o, l.f)
		}
		if err := l.o.wait(ctx, wait, deadline); err != nil {
			return err
		}
	}
}

// wait sleeps a little, and not beyond the deadline.
func (o *Options) wait(ctx context.Context, d, deadline time.Duration) error {
	if err := o.clock.Sleep(ctx, min(d, max(deadline-o.clock.Now(), time.Millisecond))); err != nil {
		return interrupted(o, err)
	}
	return nil
}

func interrupted(o *Options, err error) error {
	return study.Wrap(study.LockTimeout, err, "Nothing was written; run the command again.",
		"waiting for the lock of %s was interrupted", o.Path)
}

func leaseLost(o *Options, err error) error {
	return study.Wrap(study.LockTimeout, err, "Nothing was written; run the command again.", "the lease of %s was lost",
		o.Path)
}

func lockTimeout(o *Options, lockFile file) error {
	var h holder
	who := "by a process that left no name"
	if readPlace(lockFile, holderAt, &h) {
		who = fmt.Sprintf("by process %d on %s since %s by its clock", h.PID, h.Host, h.Since)
	}
	return study.Errorf(study.LockTimeout, "Nothing was written; run the command again, or end that process.",
		"the lock of %s was not obtained in %v: held %s", o.Path, o.LockTimeout, who)
}

var errLeaseBroken = errors.New("this process was held up and another one has taken the lease")

// valid reports whether the holder may still write.
func (l *lock) valid() error {
	if l.lease != nil && l.lease.spent() {
		return study.Errorf(study.LockTimeout, "This process was held up; run the command again.",
			"nothing was written to %s: half of the lease has passed", l.o.Path)
	}
	if !l.f.At(l.o.lockPath()) {
		return study.Errorf(study.LockTimeout, "Leave that file where it is and run the command again.",
			"nothing was written to %s: the lock file was deleted while this process held the lock", l.o.Path)
	}
	return nil
}

// held reports whether another command computes a trial. On network file systems
// such locks may not reach other machines, so there the answer is always yes.
func (l *lock) held(number int) bool {
	if l.lease != nil {
		return true
	}
	locked, err := l.f.Locked(holdByte + int64(number))
	return locked || err != nil
}

// openJournal opens the journal for appending. Under a lease that has happened before the lease was taken.
func (l *lock) openJournal() (file, error) {
	if l.lease == nil {
		return l.o.fs.Open(l.o.Path, os.O_RDWR|os.O_APPEND, 0)
	}
	f := l.lease.journal
	l.lease.journal = nil
	if f == nil {
		return nil, fs.ErrNotExist
	}
	return f, nil
}

// confirm ends a lease, and fails unless this process had it all the time. The process may acknowledge reads and writes
// under the lease after that and not before.
func (l *lock) confirm() error {
	if l.lease == nil {
		return nil
	}
	mine := l.lease.giveBack()
	l.lease = nil
	if !mine {
		return errLeaseBroken
	}
	return nil
}

func (l *lock) release() {
	if d := l.draft; d.file != nil {
		_ = errors.Join(d.file.Close(), l.o.fs.Remove(d.name)) // it was not finished, and has no reader
	}
	_ = l.confirm()          // nothing is acknowledged
	_ = l.f.Unlock(lockByte) // closing unlocks too; with a Hold the file stays open
	l.o.had(l.got)
	l.closeFile()
}

func (l *lock) closeFile() {
	if l.o.Hold == nil { // else it is the Hold's
		_ = l.f.Close() // nothing in it needs to be on disk
	}
}
