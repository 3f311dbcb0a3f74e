package journal

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"bohier/internal/study"
)

// leaseTime is how long a lease must be seen unchanged before it may be broken. Its holder stops writing after half of
// it. Waiting is a courtesy to a slow holder; that nothing is lost rests on no time at all.
const leaseTime = 30 * time.Second

// A lease is the right to write that works without any lock of the file system,
// by link(2), which creates a name once on every network file system.
//
// Leases form a list. J.lease holds the nonce of its first member and J.lease-N the nonce of the member that follows N.
// The last member has the lease, unless its nonce says that the lease is free. A process that wants the lease follows
// the last member: at once if that is free, else after it was the last for leaseTime. The holder gives the lease back
// by following itself with a free nonce, which fails if somebody was faster: so that one link is also the proof, before
// anything is acknowledged, that the lease was never broken. The new holder renames its file to J.lease, which drops
// the members before it.
//
// A holder may be held up anywhere, for any time, and go on. It still removes and replaces nothing of others:
//   - The file that a member will link or rename exists, under a name with its nonce,
//     before the nonce is in the list. The breaker of a lease first removes those names.
//   - A member writes only to a file that it opened before it was in the list. A
//     breaker replaces the journal by a copy, so that late writes and truncations of the
//     broken holder end in a file without a name.
//
// tidy removes the files that dead processes left of their leases.
type lease struct {
	o       *Options
	nonce   string
	free    string // the nonce that follows when the lease is given back
	start   time.Duration
	journal file // open for appending, until a writer takes it; nil: there is no journal yet
	fresh   file // for updates that replace the journal: it is empty, or the caller wants to
	broke   bool // another one's lease
	renewed bool // there is, or was, such a file
}

// Names of a member, before its nonce.
const (
	ownName  = ".lease.tmp-"  // its lease, renamed to J.lease
	freeName = ".lease.free-" // its free successor
	copyName = ".lease.copy-" // the copy of the journal, renamed to J
	newName  = ".lease.new-"  // a new journal, renamed to J
)

func (l *lease) spent() bool { return l.o.clock.Now()-l.start > leaseTime/2 }

func (l *lease) name(kind string) string { return l.o.Path + kind + l.nonce }

// leasePath is the name of the member that follows one; of the first for "".
func (o *Options) leasePath(after string) string {
	if after == "" {
		return o.Path + ".lease"
	}
	return o.Path + ".lease-" + after
}

// takeLease waits for the lease.
func takeLease(ctx context.Context, o *Options, deadline time.Duration) (*lease, error) {
	watched, since := "", o.clock.Now()
	for wait := 2 * time.Millisecond; ; wait = min(2*wait, 250*time.Millisecond) {
		members, err := leaseMembers(o)
		if err != nil {
			return nil, err
		}
		last := lastOf(members)
		if last != watched {
			watched, since = last, o.clock.Now()
		}
		if isFree(last) || o.clock.Now()-since >= leaseTime {
			l, err := claim(o, members)
			if l != nil || err != nil {
				return l, err
			}
			continue
		}
		if o.clock.Now() >= deadline {
			return nil, study.Errorf(study.LockTimeout,
				"Nothing was written; run the command again. A lease left by a crash is broken after 30 s: --lock-timeout 60s "+
					"waits that long.",
				"the lease %s was not obtained in %v", o.leasePath(""), o.LockTimeout)
		}
		if err := o.wait(ctx, wait, deadline); err != nil {
			return nil, err
		}
	}
}

// leaseMembers is the nonces of the list, first to last. Members are only dropped
// after the first has changed, so a walk between two equal firsts missed none.
func leaseMembers(o *Options) ([]string, error) {
	for range 1000 {
		first, err := readNonce(o, o.leasePath(""))
		if first == "" || err != nil {
			return nil, err
		}
		members := []string{first}
		for len(members) < 1000 {
			next, err := readNonce(o, o.leasePath(lastOf(members)))
			if err != nil {
				return nil, err
			}
			if next == "" {
				break
			}
			members = append(members, next)
		}
		if now, err := readNonce(o, o.leasePath("")); err != nil || now == first {
			return members, err
		}
	}
	return nil, readFailure(o, errors.New("the lease "+o.leasePath("")+" changes faster than it can be read"))
}

func lastOf(members []string) string {
	if len(members) == 0 {
		return ""
	}
	return members[len(members)-1]
}

const nonceLen = 16

// freePrefix begins a nonce that stands for nobody; with a vowel, as no other.
const freePrefix = "free"

func isFree(nonce string) bool { return nonce == "" || strings.HasPrefix(nonce, freePrefix) }

// readNonce is the nonce a lease file holds; empty when there is no such file.
func readNonce(o *Options, name string) (string, error) {
	b, err := readHead(o.fs, name, nonceLen+1)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", readFailure(o, err)
	}
	if !plainNonce(string(b)) {
		return "", study.Errorf(study.Usage,
			"Nothing was written. If no other bohier is writing this journal, remove that file and run the command again: rm "+
				study.ShellWord(name),
			"%s is not a lease of this program: it is empty or holds something else", name)
	}
	return string(b), nil
}

func plainNonce(s string) bool {
	return len(s) == nonceLen && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

// An entry is a file beside the journal.
type entry struct {
	name     string
	modified time.Time // by the clock of the file system
}

// strayAge is how old a name of no member must be to be taken for a leftover. Taking it
// from a claim that goes on would lose nothing, but cost that claim its turn.
const strayAge = time.Hour

// tidy removes the leases of dead processes; member is one that was in the list just now.
//
// It may be held up anywhere. A name J.lease-N says that N has been in the list; when N is not
// in the list afterwards, it never will be again, so nobody needs the files that follow it. Every other name can go at
// any time: a process that misses one loses its lease, as if the lease were broken.
func (o *Options) tidy(member string) {
	entries, err := o.fs.List(o.Path + ".")
	if err != nil {
		return
	}
	members, err := leaseMembers(o)
	if err != nil {
		return
	}
	var now time.Time
	for _, e := range entries {
		if e.name == o.leasePath(member) {
			now = e.modified
		}
	}
	for _, e := range entries {
		rest := e.name[len(o.Path):]
		if n, ok := strings.CutPrefix(rest, ".lease-"); ok {
			if plainNonce(n) && !slices.Contains(members, n) {
				_ = o.fs.Remove(e.name) // the next one will
			}
			continue
		}
		for _, kind := range []string{ownName, freeName, copyName, newName} {
			n, ok := strings.CutPrefix(rest, kind)
			if ok && plainNonce(n) && !slices.Contains(members, n) && now.Sub(e.modified) > strayAge {
				_ = o.fs.Remove(e.name) // the next one will
			}
		}
	}
}
