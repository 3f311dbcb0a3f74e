package journal

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Every order of the steps of a few writers under leases, with any pause and any death,
// loses nothing that was acknowledged, and nobody's lease is taken by another.
func TestLeaseProtocol(t *testing.T) {
	begins := map[string]func(*protocol) machine{
		"a journal": (*protocol).begin, "a torn tail": (*protocol).torn, "a dead holder": (*protocol).left,
		"no journal": (*protocol).nothing,
	}
	for name, begin := range begins {
		sizes := []protocol{{writers: 2, tries: 1}}
		if name == "a journal" {
			sizes = []protocol{{writers: 2, tries: 2}, {writers: 2, tries: 1, tidies: true}}
		}
		if soak(0, 1) > 0 {
			sizes = []protocol{{writers: 2, tries: 4}, {writers: 3, tries: 1}, {writers: 2, tries: 2, tidies: true}}
			if name == "a journal" {
				sizes = append(sizes, protocol{writers: 3, tries: 2, quiet: true},
					protocol{writers: 3, tries: 1, quiet: true, tidies: true})
			}
		}
		for _, p := range sizes {
			t.Run(fmt.Sprintf("%s, writers %d, claims %d, tidies %v", name, p.writers, p.tries, p.tidies), func(t *testing.T) {
				t.Parallel()
				if err := p.explore(begin(&p)); err != nil {
					t.Error(err)
				}
				if p.acked == 0 {
					t.Error("nothing is ever acknowledged")
				}
				figure(t, "states of the lease protocol", len(p.seen), 500)
			})
		}
	}
}

// The mistakes that the protocol once had lose records in the machine, too: so it could find others.
func TestLeaseProtocolMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		p    protocol
		want string
	}{
		"a writer held up in its write goes on in the next one's file": {protocol{sameFile: true}, "is gone"},
		"the same, acknowledged at once": {protocol{sameFile: true, unlinks: true,
			blind: true}, "is gone"},
		"a late release by name removes the next one's lease": {protocol{unlinks: true},
			"removes the lease of another"},
		"a release by name is no proof: acknowledged and then forgotten": {protocol{unlinks: true, blind: true}, "is gone"},
		"who tidies removes a member that came between": {protocol{tidies: true, hasty: true, quiet: true,
			blind: true}, "is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			p := c.p
			if p.hasty && soak(0, 1) == 0 {
				t.Skip("takes half a minute: with BOHIER_SOAK=1")
			}
			p.writers, p.tries = 3, 2
			if err := p.explore(p.begin()); !errors.Is(err, errProtocol) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%d states: %v", len(p.seen), err)
			}
		})
	}
}
