package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bohier/internal/study"
)

// claim tries to follow the last of members. A nil lease without error means that somebody else was faster.
func claim(o *Options, members []string) (*lease, error) {
	l := &lease{o: o, nonce: o.nonce(nonceLen), free: freePrefix + o.nonce(nonceLen-len(freePrefix)), start: o.clock.Now()}
	won, err := l.follow(members)
	if !won || err != nil {
		l.discard()
		return nil, err
	}
	return l, nil
}

// follow makes the lease the last of the list, and after an error perhaps leaves
// it there: then the next one must break it.
func (l *lease) follow(members []string) (won bool, err error) {
	o, last := l.o, lastOf(members)
	broken := !isFree(last)
	l.broke = broken
	if err := l.prepare(broken); err != nil {
		return false, readFailure(o, err)
	}
	if won, err := l.link(ownName, l.nonce, o.leasePath(last)); !won || err != nil {
		return false, err
	}
	if last == "" {
		_ = o.fs.Remove(l.name(ownName)) // it has the name that counts
		return true, nil
	}
	if broken {
		if err := o.fence(members); err != nil {
			return false, readFailure(o, err)
		}
	}
	now, err := leaseMembers(o)
	if err != nil {
		return false, err
	}
	switch at := slices.Index(now, l.nonce); {
	case at < 0: // last was dropped before this followed it
		_ = o.fs.Remove(o.leasePath(last))
		return false, nil
	case at < len(now)-1: // broken already
		return false, nil
	}
	first := func() bool { n, err := readNonce(o, o.leasePath("")); return err == nil && n == l.nonce }
	if won, err := l.rename(ownName, o.leasePath(""), first); !won || err != nil {
		return false, err
	}
	for _, n := range members {
		_ = o.fs.Remove(o.leasePath(n)) // the nonce never returns, so nobody follows it
	}
	if broken {
		return l.replaceJournal()
	}
	return true, nil
}

// prepare makes the names of the member and opens the journal, or in a breaker's case the file that is to replace it.
func (l *lease) prepare(broken bool) (err error) {
	o := l.o
	for _, own := range [][2]string{{ownName, l.nonce}, {freeName, l.free}} {
		put := func(f file) error { return writeAll(f, [][]byte{[]byte(own[1])}) }
		if err := createFile(o.fs, l.name(own[0]), put); err != nil {
			return err
		}
	}
	const create = os.O_RDWR | os.O_APPEND | os.O_CREATE | os.O_EXCL
	l.renewed = o.replaces
	if broken {
		if l.journal, err = o.fs.Open(l.name(copyName), create, 0o666); err != nil {
			return err
		}
	} else if l.journal, err = o.fs.Open(o.Path, os.O_RDWR|os.O_APPEND, 0); errors.Is(err, fs.ErrNotExist) {
		l.journal, err = nil, nil
	} else if err == nil {
		var size int64
		size, err = l.journal.Size()
		l.renewed = l.renewed || size == 0 // as an archive leaves it
	}
	if err == nil && l.renewed {
		l.fresh, err = o.fs.Open(l.name(newName), create, 0o666)
	}
	return err
}

// fence takes from members the files that they might rename, and the free nonce that would seem to prove their lease
// once the files that followed them are dropped.
func (o *Options) fence(members []string) error {
	for _, n := range members {
		for _, kind := range []string{ownName, freeName, copyName, newName} {
			if err := o.fs.Remove(o.Path + kind + n); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// link gives a file of the member another name, which nobody has yet.
func (l *lease) link(kind, content, to string) (won bool, err error) {
	for range 3 {
		if err = l.o.fs.Link(l.name(kind), to); err == nil {
			return true, nil
		}
		// The reply to a link can be lost on its way; the content of the file decides.
		b, e := readHead(l.o.fs, to, nonceLen+1)
		if e == nil && string(b) == content {
			return true, nil
		}
		// SFTP reports a name that exists only as an operation that failed (EPERM). When the name is gone
		// again by now, only another link can distinguish that from a file system without links.
		if e == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
	}
	return false, study.Wrap(study.Usage, err,
		"Put the journal on a file system with hard links, or test this one: bohier doctor --fs DIR",
		"the lock kind %q does not work for %s", LockLease, l.o.Path)
}

// rename puts a file of the member in the place of another. It fails when a breaker was faster. placed reports whether
// it happened although it failed: the reply can be lost on its way.
func (l *lease) rename(kind, to string, placed func() bool) (won bool, err error) {
	err = l.o.fs.Rename(l.name(kind), to)
	switch {
	case err == nil || placed():
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	}
	return false, readFailure(l.o, err)
}

// replaceJournal puts a copy in the place of the journal, whatever it holds.
func (l *lease) replaceJournal() (won bool, err error) {
	o := l.o
	from, err := o.fs.Open(o.Path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		l.journal.Close() // empty
		l.journal = nil
		err := o.fs.Remove(l.name(copyName))
		if errors.Is(err, fs.ErrNotExist) { // broken already
			return false, nil
		}
		return err == nil, err
	}
	if err != nil {
		return false, readFailure(o, err)
	}
	defer from.Close() // read only: nothing can be lost
	err = copyFile(l.journal, from)
	if err == nil {
		err = l.journal.Sync()
	}
	if err != nil {
		return false, notRecorded(o, fmt.Errorf("the lease was left by another process, "+
			"and the journal cannot be copied: %w", err))
	}
	if won, err := l.rename(copyName, o.Path, func() bool { return l.journal.At(o.Path) }); !won || err != nil {
		return false, err
	}
	if err := o.fs.SyncDir(filepath.Dir(o.Path)); err != nil {
		return false, notRecorded(o, err)
	}
	return true, nil
}

// giveBack ends the lease and reports whether it was this process's until now:
// nobody can have broken it before, nor written records that this process did not see.
func (l *lease) giveBack() (mine bool) {
	mine, err := l.link(freeName, l.free, l.o.leasePath(l.nonce))
	l.close()
	_ = l.o.fs.Remove(l.name(freeName)) // a remaining file does no harm
	if l.renewed {
		_ = l.o.fs.Remove(l.name(newName))
	}
	if l.broke || l.nonce[0] == letters[0] { // somebody has died, or nobody has looked for long
		l.o.tidy(l.nonce)
	}
	return mine && err == nil
}

// discard removes the files of a claim.
func (l *lease) discard() {
	l.close()
	_ = l.o.fence([]string{l.nonce}) // a remaining file does no harm
}

func (l *lease) close() {
	for _, f := range []file{l.journal, l.fresh} {
		if f != nil {
			_ = f.Close() // nothing of it was acknowledged
		}
	}
	l.journal, l.fresh = nil, nil
}
