package journal

import (
	"slices"
	"strings"
	"time"
)

// An entry is a file beside the journal.
type entry struct {
	name     string
	modified time.Time // by the clock of the file system
}

// strayAge is how old a name of no member must be to be taken for a leftover. Taking it
// from a claim that goes on would lose nothing, but cost that claim its turn.
const strayAge = time.Hour

// tidy removes what processes that died left of their leases; member is one that was in
// the list just now.
//
// It may be held up anywhere. A name J.lease-N says that N has been in the list; when N is not
// in the list afterwards, it never will be again, so nobody needs what follows it. Every other
// name can go at any time: a process that misses one loses its lease, as if the lease were
// broken.
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
