//go:build linux || darwin

package journal

import (
	"testing"

	"golang.org/x/sys/unix"
)

// A process that is just being started has the lock file open until its program
// begins: what a hold kept is free for others all the same.
func TestHoldEndsBesideAFork(t *testing.T) {
	o := options(t)
	holding := o
	holding.Hold = &Hold{}
	update(t, holding, func(s *State) ([]Record, error) { recs, _, err := s.Reserve(Asking{N: 1}); return recs, err })
	forked, err := unix.Dup(int(holding.Hold.f.(osFile).Fd()))
	must(t, err)
	defer unix.Close(forked)
	must(t, holding.Hold.Close())
	if next := mustAsk(t, o, "", 0.5); next.Number != 1 {
		t.Errorf("the reservation of trial 1 is held by nobody, yet the next to ask gets %s", next.ID())
	}
}
