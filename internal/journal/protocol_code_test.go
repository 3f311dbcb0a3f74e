package journal

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A transcript is what the calls of the real code say in the words of the protocol.
type transcript struct {
	m      *memFS
	path   string
	nonces map[*inode]nonce // lease files by what they hold
	claims map[string]nonce // by the nonce in their names
	by     []speaker
	events []said
}

// A speaker is a process as its calls show it.
type speaker struct {
	tries  uint8
	n      nonce
	opened bool // the file to write to
	won    bool // the link of its claim
	first  bool // in an empty list
	h      string
	copied bool // what follows is written to the copy that has become the journal
	from   bool // it copies the journal
	none   bool // there was none to copy
	loaded int  // 1: it knows the size, 2: and what the journal holds
	looked bool
	missed bool // it looks what came of a rename or a link that failed
}

func newTranscript(m *memFS, path string, processes int) *transcript {
	t := &transcript{m: m, path: path, nonces: map[*inode]nonce{}, claims: map[string]nonce{},
		by: make([]speaker, processes)}
	if first := m.names[path+".lease"]; first != nil {
		t.nonces[first], t.claims[string(first.data)] = 1+2*early, 1+2*early
		if n := m.names[path+".lease-"+string(first.data)]; n != nil {
			t.nonces[n] = 2 + 2*early
		} else if n := m.names[path+freeName+string(first.data)]; n != nil {
			t.nonces[n] = 2 + 2*early
		}
	}
	return t
}

// place is the place that a name of the list stands for.
func (t *transcript) place(name string) place {
	text, _ := strings.CutPrefix(name, t.path+".lease-")
	if name == t.path+".lease" {
		return 0
	}
	if n, ok := t.claims[text]; ok {
		return n
	}
	for node, n := range t.nonces {
		if string(node.data) == text {
			return n
		}
	}
	return 255
}

func (t *transcript) say(k int, e event) { t.events = append(t.events, said{e, k}) }

// hear adds a call that has happened; node is the open file of a stat.
func (t *transcript) hear(k int, call, name string, reply []byte, err error, node *inode) {
	s, ok := &t.by[k], err == nil
	rest, ours := strings.CutPrefix(name, t.path)
	if !ours || call == "list" && rest != "." || rest == ".lock" || strings.HasPrefix(rest, ".tmp-") ||
		strings.HasPrefix(rest, ".torn-") {
		return
	}
	missed := s.missed
	s.missed = false
	switch {
	case call == "list":
		t.say(k, event{op: "list"})
	case rest == "" || strings.HasPrefix(rest, copyName) && name == s.h && s.copied && call != "remove":
		t.journal(k, call, rest, reply, ok, node, missed)
	case rest == ".lease" || strings.HasPrefix(rest, ".lease-"):
		t.list(k, call, name, ok, missed)
	default:
		t.named(k, call, rest, ok)
	}
}

// list is a call on a name of the list.
func (t *transcript) list(k int, call, name string, ok, missed bool) {
	s, at := &t.by[k], t.place(name)
	switch call {
	case "open":
		if missed {
			return
		}
		e := event{op: "read", a: at}
		if ok {
			e.b = t.nonces[t.m.names[name]]
		}
		t.say(k, e)
	case "link":
		n := s.n
		if s.won {
			n++
		}
		t.say(k, event{op: "link", a: n, b: at, ok: ok})
		s.first = ok && at == 0
		s.won = s.won || ok
	case "rename":
		t.say(k, event{op: "rename lease", a: s.n, ok: ok})
		s.missed = !ok
	case "remove":
		t.say(k, event{op: "remove", a: at, ok: ok})
	}
}

// named is a call on a name of a claim.
func (t *transcript) named(k int, call, rest string, ok bool) {
	s := &t.by[k]
	for i, kind := range []string{ownName, freeName, copyName} {
		text, is := strings.CutPrefix(rest, kind)
		switch {
		case !is:
		case call == "create" && kind == ownName:
			*s = speaker{tries: s.tries + 1, n: nonce(1 + 2*(k*maxClaims+int(s.tries)))}
			t.claims[text], t.nonces[t.m.names[t.path+rest]] = s.n, s.n
		case call == "create" && kind == freeName:
			t.nonces[t.m.names[t.path+rest]] = s.n + 1
		case call == "create" && kind == copyName:
			s.opened, s.h = true, t.path+rest
			t.say(k, event{op: "open copy", a: s.n})
		case call == "remove" && t.claims[text] == s.n:
			if kind == ownName && s.first {
				s.first = false
				t.say(k, event{op: "remove own", ok: ok})
			}
			if kind == copyName && s.none {
				s.none = false
				t.say(k, event{op: "remove copy", ok: ok})
			}
		case call == "remove" && t.claims[text] != 0:
			t.say(k, event{op: []string{"fence own", "fence free", "fence copy"}[i], a: t.claims[text]})
		}
	}
}

// journal is a call on the journal, or on what a claim writes to.
func (t *transcript) journal(k int, call, rest string, reply []byte, ok bool, node *inode, missed bool) {
	s := &t.by[k]
	looks := string(reply) == "true" || string(reply) == "false"
	switch {
	case s.n == 0: // before the first claim
	case call == "open" && !s.opened:
		s.opened = true
		t.say(k, event{op: "open journal", a: s.n})
	case call == "open":
		s.from, s.none = ok, !ok
		t.say(k, event{op: "open from", ok: ok})
	case call == "rename":
		t.say(k, event{op: "rename journal", a: s.n, ok: ok})
		s.missed, s.from, s.copied = !ok, false, ok
	case call == "link":
		t.say(k, event{op: "create", ok: ok})
		s.missed = !ok
	case call == "stat" && looks:
		if !missed {
			t.say(k, event{op: "look", ok: string(reply) == "true"})
			s.looked = string(reply) == "true"
		}
	case s.from && rest == "":
		if call == "read" {
			s.from = false // one is enough for all
			t.say(k, event{op: "copy"})
		}
	case call == "stat" && s.won:
		t.say(k, event{op: "size", a: halves(node.data)})
		s.loaded = max(s.loaded, 1)
	case call == "read" && s.loaded == 1:
		s.loaded = 2
		t.say(k, event{op: "load"})
	case call == "read" && s.looked:
		s.looked = false
		t.say(k, event{op: "look back"})
	case call == "write":
		t.say(k, event{op: "write", ok: ok})
	case call == "truncate":
		t.say(k, event{op: "cut"})
	}
}

// halves is the size of a journal in halves of a record.
func halves(data []byte) (n uint8) {
	for _, c := range data {
		if c == '\n' {
			n += 2
		}
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// accepts reports whether the protocol can do what was said, from a state.
func (p *protocol) accepts(m machine, events []said) error {
	now := map[machine]bool{m: true}
	for i, e := range events {
		next := map[machine]bool{}
		silent := []machine{}
		for m := range now {
			silent = append(silent, m)
		}
		for len(silent) > 0 {
			m := silent[len(silent)-1]
			silent = silent[:len(silent)-1]
			if e.op == "end" {
				if w := &m.w[e.writer]; (w.pc == sDone || w.pc == sTidyList) && w.acked > 0 == e.ok {
					next[m] = true
					continue
				}
			}
			err := p.step(&m, e.writer, func(after *machine, tell event) error {
				switch {
				case tell == event{} && !now[*after]:
					now[*after] = true
					silent = append(silent, *after)
				case tell == e.event:
					next[*after] = true
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		if now = next; len(now) == 0 {
			return fmt.Errorf("the protocol does not do the last of these steps:\n%s", tellPath(events[:i+1]))
		}
	}
	return nil
}

var errUnlike = errors.New("the code and the protocol differ")

// conforms compares what an execution has said so far.
func (x *execution) conforms() error {
	t := x.heard
	if t == nil {
		return nil
	}
	p := &protocol{writers: len(x.procs), tries: maxClaims, quiet: true, tidies: true, anyOrder: true}
	if err := p.accepts(x.count.like(p), slices.Clip(t.events)); err != nil {
		return fmt.Errorf("%w: %w", errUnlike, err)
	}
	return nil
}
