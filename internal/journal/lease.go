package journal

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"bohier/internal/study"
)

// leaseTime is how long a lease must be seen unchanged before it may be broken.
// Its holder stops writing after half of it.
const leaseTime = 30 * time.Second

// A lease is the right to write that works without any lock of the file system:
// a file taken by link(2), which is atomic on every network file system.
//
// The file J.lease holds a nonce. To break the lease N one must have watched the
// same nonce for leaseTime on one's own clock and then create J.lease-N, by
// link, which only one process ever can: it is the breaker of N and puts its own
// lease in place of N by rename. A breaker may itself die, so J.lease-N holds the
// breaker's nonce and is broken by the same rule. The nonces thus form a chain,
// J.lease → J.lease-N → …, and its last member owns the lease for the first half
// of leaseTime after it appeared; after that it touches nothing.
type lease struct {
	o     *Options
	nonce string
	start time.Duration
}

func (l *lease) spent() bool { return l.o.clock.Now()-l.start > leaseTime/2 }

func (o *Options) leasePath(broken string) string {
	if broken == "" {
		return o.Path + ".lease"
	}
	return o.Path + ".lease-" + broken
}

// takeLease waits for the lease.
func takeLease(ctx context.Context, o *Options, deadline time.Duration) (*lease, error) {
	watched, since := "", o.clock.Now()
	for wait := 2 * time.Millisecond; ; wait = min(2*wait, 250*time.Millisecond) {
		chain, err := leaseChain(o)
		if err != nil {
			return nil, readFailure(o, err)
		}
		last := ""
		if len(chain) > 0 {
			last = chain[len(chain)-1]
		}
		if last != watched {
			watched, since = last, o.clock.Now()
		}
		if last == "" || o.clock.Now()-since >= leaseTime {
			l, err := claim(o, chain)
			if l != nil || err != nil {
				return l, err
			}
			continue
		}
		if o.clock.Now() >= deadline {
			return nil, study.Errorf(study.LockTimeout, "Nothing was written; run the command again. A lease left by a crash is broken after 30 s: --lock-timeout 60s waits that long.",
				"the lease %s was not obtained in %v", o.leasePath(""), o.LockTimeout)
		}
		if err := o.clock.Sleep(ctx, min(wait, max(deadline-o.clock.Now(), time.Millisecond))); err != nil {
			return nil, interrupted(o, err)
		}
	}
}

// leaseChain is the nonces from the lease file to the last breaker; empty when
// the lease is free.
func leaseChain(o *Options) ([]string, error) {
	var chain []string
	name := ""
	for len(chain) < 1000 {
		b, err := readFile(o.fs, o.leasePath(name))
		if errors.Is(err, fs.ErrNotExist) {
			return chain, nil
		}
		if err != nil {
			return nil, err
		}
		name = string(b)
		if !plainNonce(name) {
			return nil, errors.New("the lease file " + o.leasePath("") + " holds something else")
		}
		chain = append(chain, name)
	}
	return nil, errors.New("too many broken leases in a row")
}

func plainNonce(s string) bool {
	if len(s) != nonceLen {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > 'z' || s[i] > '9' && s[i] < 'a' {
			return false
		}
	}
	return true
}

const nonceLen = 16

// claim tries to follow the last nonce of chain. A nil lease without error means
// that somebody else was faster.
func claim(o *Options, chain []string) (*lease, error) {
	l := &lease{o: o, nonce: o.nonce(nonceLen), start: o.clock.Now()}
	last := ""
	if len(chain) > 0 {
		last = chain[len(chain)-1]
	}
	tmp := o.Path + ".lease.tmp-" + l.nonce
	if err := createFile(o.fs, tmp, []byte(l.nonce)); err != nil {
		return nil, readFailure(o, err)
	}
	defer func() { _ = o.fs.Remove(tmp) }()
	// The reply to a link can be lost on its way; what the file says decides.
	linkErr := o.fs.Link(tmp, o.leasePath(last))
	if b, err := readFile(o.fs, o.leasePath(last)); err != nil || string(b) != l.nonce {
		if linkErr == nil || errors.Is(linkErr, fs.ErrExist) {
			return nil, nil
		}
		return nil, failure(study.Usage, linkErr, "Put the journal on a file system with hard links, or see what this one can do with: bohier doctor --fs DIR",
			"the lock kind %q does not work for %s", LockLease, o.Path)
	}
	if last == "" {
		return l, nil
	}
	// The chain may have been replaced since it was read: then this claim is void.
	now, err := leaseChain(o)
	if err != nil || len(now) != len(chain)+1 || now[0] != chain[0] || now[len(chain)] != l.nonce || l.spent() {
		if err == nil && (len(now) == 0 || now[0] != chain[0]) {
			_ = o.fs.Remove(o.leasePath(last))
		}
		return nil, nil
	}
	if err := o.fs.Rename(tmp, o.leasePath("")); err != nil {
		return nil, readFailure(o, err)
	}
	for _, n := range chain {
		_ = o.fs.Remove(o.leasePath(n)) // the nonce never returns, so nobody follows it
	}
	return l, nil
}

// release gives the lease back, unless it is so old that somebody may be about
// to break it.
func (l *lease) release() {
	if !l.spent() {
		_ = l.o.fs.Remove(l.o.leasePath(""))
	}
}
