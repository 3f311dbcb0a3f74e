package journal

import (
	"errors"
	"fmt"
)

// step calls next for every state that the next step of writer k can lead to, with what others see of it.
func (p *protocol) step(m *machine, k int, next func(m *machine, tell event) error) error {
	s := &stepping{p: p, m: m, k: k, next: next}
	s.do()
	return s.err
}

// A stepping is one step of one writer.
type stepping struct {
	p    *protocol
	m    *machine
	k    int
	next func(m *machine, tell event) error
	err  error
}

// to is one way to go on: a copy of the state, changed.
func (s *stepping) to(pc step8, tell event, change func(m *machine, w *writerState)) {
	if s.err != nil {
		return
	}
	m := *s.m
	w := &m.w[s.k]
	w.pc = pc
	if change != nil {
		change(&m, w)
	}
	if s.err == nil {
		s.err = s.next(&m, tell)
	}
}

func (s *stepping) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

// lose is the end of a claim that somebody else was faster with: another one.
func (s *stepping) lose(tell event) { s.to(sWalk, tell, discard) }

// discard removes the names of the claim; nobody looks for them.
func discard(m *machine, w *writerState) {
	b := bit(w.n)
	m.own, m.free, m.copied = m.own&^b, m.free&^b, m.copied&^b
	*w = writerState{pc: w.pc, tries: w.tries, h: -1, from: -1}
}

// end is the end of the writer.
func (p *protocol) end(m *machine, w *writerState) {
	if w.n != 0 {
		b := bit(w.n)
		m.own, m.free, m.copied = m.own&^b, m.free&^b, m.copied&^b
	}
	*w = writerState{pc: sDone, h: -1, from: -1, acked: w.acked}
	if p.tidies {
		w.pc = sTidyList
	}
}

// clear forgets what the walks found.
func (w *writerState) clear() { w.first, w.cur, w.found, w.i = 0, 0, 0, 0 }

// forget is clear when the members are of no use any more, either.
func (w *writerState) forget() {
	w.clear()
	w.count, w.members, w.broken = 0, [maxMembers]nonce{}, false
}

// remove takes a name of the list away.
func (s *stepping) remove(pc step8, from place, change func(m *machine, w *writerState)) {
	if n := s.m.at[from]; !s.p.blind && n != s.m.w[s.k].n && s.p.holder(s.m, n) {
		s.fail("writer %d removes the lease of another: nonce %d", s.k, n)
	}
	s.to(pc, event{op: "remove", a: from, ok: s.m.at[from] != 0}, func(m *machine, w *writerState) {
		m.at[from] = 0
		change(m, w)
	})
}

// link gives a name of the writer's the place; the reply may be lost, or say nothing.
func (s *stepping) link(exists bool, n nonce, to place, won, back step8, then func(m *machine, w *writerState)) {
	taken := s.m.at[to] != 0
	tell := event{op: "link", a: n, b: to}
	if exists && !taken {
		put := func(m *machine) {
			m.at[to] = n
			if !isFreed(to) {
				m.after |= bit(to)
			}
		}
		s.to(won, tell.is(true), func(m *machine, w *writerState) { put(m); then(m, w) })
		if !s.p.quiet { // the reply was lost
			s.to(back, tell, func(m *machine, _ *writerState) { put(m) })
		}
	}
	if !exists || taken {
		s.to(back, tell, nil)
	}
}

// linkBack looks what came of a link that failed. What it said decides when there is
// no such name by now: lost if it said that there was one, else once more, twice.
func (s *stepping) linkBack(n nonce, to place, again, won step8, then func(m *machine, w *writerState),
	lost func(tell event)) {
	there := s.m.at[to]
	tell := event{op: "read", a: to, b: there}
	if there == n {
		s.to(won, tell, func(m *machine, w *writerState) { w.i = 0; then(m, w) })
		return
	}
	lost(tell)
	if there == 0 && !s.p.quiet && s.m.w[s.k].i < 2 {
		s.to(again, tell, func(_ *machine, w *writerState) { w.i++ })
	}
}

// walk reads the list, one name at a time.
func (s *stepping) walk(begin, along, again step8, meet func(w *writerState, n nonce) error, done func(tell event),
	reset func(w *writerState)) {
	m, w := s.m, &s.m.w[s.k]
	switch w.pc {
	case begin:
		n := m.at[0]
		tell := event{op: "read", b: n}
		if n == 0 {
			done(tell)
			return
		}
		s.to(along, tell, func(_ *machine, w *writerState) {
			w.first, w.cur = n, n
			s.err = errors.Join(s.err, meet(w, n))
		})
	case along:
		n := m.at[w.cur]
		tell := event{op: "read", a: w.cur, b: n}
		if n == 0 {
			s.to(again, tell, nil)
			return
		}
		s.to(along, tell, func(_ *machine, w *writerState) {
			w.cur = n
			s.err = errors.Join(s.err, meet(w, n))
		})
	case again:
		tell := event{op: "read", b: m.at[0]}
		if m.at[0] == w.first {
			done(tell)
			return
		}
		s.to(begin, tell, func(_ *machine, w *writerState) { reset(w) })
	}
}

func (s *stepping) do() {
	m, p := s.m, s.p
	then := func(_ *machine, w *writerState) { w.i = 0 }
	w := &m.w[s.k]
	switch w.pc {
	case sWalk, sNext, sAgain:
		s.walk(sWalk, sNext, sAgain, func(w *writerState, n nonce) error { return w.push(n) },
			func(tell event) {
				s.to(sDecide, tell, func(_ *machine, w *writerState) { w.clear() })
			},
			func(w *writerState) { *w = writerState{pc: w.pc, tries: w.tries, h: -1, from: -1} })
	case sDecide:
		s.to(sDone, event{}, p.end) // nobody waits for ever
		if w.tries == p.tries {
			return
		}
		if !isFreed(w.last()) {
			s.to(sWalk, event{}, func(_ *machine, w *writerState) { *w = writerState{tries: w.tries, h: -1, from: -1} })
		}
		s.to(sOpen, event{}, func(_ *machine, w *writerState) { w.broken = !isFreed(w.last()) })
	case sOpen:
		s.open()
	case sLink, sLinkBack:
		won := sFence
		switch {
		case w.last() == 0:
			won = sOwn
		case !w.broken:
			won = sNow
		}
		if won == sFence {
			then = func(_ *machine, w *writerState) { w.i = 0; w.skipFreed() }
		}
		if won == sOwn {
			then = func(_ *machine, w *writerState) { w.forget() }
		}
		if w.pc == sLink {
			s.link(m.own&bit(w.n) != 0, w.n, w.last(), won, sLinkBack, then)
		} else {
			s.linkBack(w.n, w.last(), sLink, won, then, s.lose)
		}
	case sFence:
		s.fence()
	case sNow, sNowNext, sNowAgain:
		s.walk(sNow, sNowNext, sNowAgain, func(w *writerState, n nonce) error {
			switch {
			case n == w.n:
				w.found = 1
			case w.found == 1:
				w.found = 2
			}
			return nil
		}, func(tell event) {
			switch w.found {
			case 0:
				s.to(sDropLast, tell, func(_ *machine, w *writerState) { w.clear() })
			case 1:
				s.to(sTakeOver, tell, func(_ *machine, w *writerState) { w.clear() })
			case 2:
				s.lose(tell)
			}
		}, func(w *writerState) { w.clear() })
	case sDropLast:
		s.remove(sWalk, w.last(), discard)
	case sTakeOver:
		s.takeOver()
	case sDrop:
		s.remove(sDrop, w.members[w.i], func(_ *machine, w *writerState) {
			if w.i++; w.i < w.count {
				return
			}
			w.pc = sSize
			if w.broken && !p.sameFile {
				w.pc = sOpenFrom
			}
			w.forget()
		})
	case sOpenFrom:
		s.openFrom()
	case sCopy:
		s.to(sDone, event{op: "copy"}, p.end) // it failed
		s.to(sPlace, event{op: "copy"}, func(m *machine, w *writerState) { m.files[w.h], w.from = m.files[w.from], -1 })
	case sPlace:
		s.place()
	case sOwn: // the claim has the name that counts
		s.to(sSize, event{op: "remove own", ok: m.own&bit(w.n) != 0}, func(m *machine, w *writerState) { m.own &^= bit(w.n) })
	case sNoJournal:
		if m.copied&bit(w.n) == 0 {
			s.lose(event{op: "remove copy"})
			return
		}
		s.to(sSize, event{op: "remove copy", ok: true}, func(m *machine, w *writerState) { m.copied &^= bit(w.n); w.h = -1 })
	default:
		s.write()
	}
}

// open makes the names of a claim and opens the file to write to.
func (s *stepping) open() {
	w := &s.m.w[s.k]
	claim := s.k*maxClaims + int(w.tries)
	n := nonce(1 + 2*claim)
	tell := event{op: "open journal", a: n}
	if w.broken && !s.p.sameFile {
		tell.op = "open copy"
	}
	s.to(sLink, tell, func(m *machine, w *writerState) {
		w.tries++
		w.n, w.h, w.from = n, m.journal, -1
		m.own |= bit(n)
		m.free |= bit(n)
		if w.broken && !s.p.sameFile {
			w.h = int8(claim)
			m.files[claim] = fileText{}
			m.copied |= bit(n)
		}
	})
}

// fence takes the names of the members away.
func (s *stepping) fence() {
	m, w := s.m, &s.m.w[s.k]
	n := w.members[w.i/3]
	if s.p.holder(m, n) {
		s.fail("writer %d takes the names of a holder that nobody has followed: nonce %d", s.k, n)
	}
	kind := w.i % 3
	s.to(sFence, event{op: [3]string{"fence own", "fence free", "fence copy"}[kind], a: n},
		func(m *machine, w *writerState) {
			*[3]*uint32{&m.own, &m.free, &m.copied}[kind] &^= bit(n)
			w.i++
			w.skipFreed()
			if w.i/3 >= w.count {
				w.pc = sNow
				w.clear()
			}
		})
}

func (w *writerState) skipFreed() {
	for w.i/3 < w.count && isFreed(w.members[w.i/3]) {
		w.i += 3
	}
}

// takeOver renames the claim to J.lease.
func (s *stepping) takeOver() {
	m, w := s.m, &s.m.w[s.k]
	if m.own&bit(w.n) == 0 {
		s.lose(event{op: "rename lease", a: w.n})
		return
	}
	if n := m.at[0]; s.p.holder(m, n) && !s.p.blind {
		s.fail("writer %d puts its lease in the place of another: nonce %d", s.k, n)
	}
	s.to(sDrop, event{op: "rename lease", a: w.n, ok: true}, func(m *machine, w *writerState) {
		m.own &^= bit(w.n)
		m.at[0] = w.n
	})
}

func (s *stepping) openFrom() {
	m := s.m
	if m.journal < 0 {
		s.to(sNoJournal, event{op: "open from"}, nil)
		return
	}
	s.to(sCopy, event{op: "open from", ok: true}, func(m *machine, w *writerState) { w.from = m.journal })
}

// place puts the copy in the place of the journal.
func (s *stepping) place() {
	m, w := s.m, &s.m.w[s.k]
	if m.copied&bit(w.n) == 0 {
		s.lose(event{op: "rename journal", a: w.n})
		return
	}
	s.to(sSize, event{op: "rename journal", a: w.n, ok: true}, func(m *machine, w *writerState) {
		m.copied &^= bit(w.n)
		m.journal = w.h
	})
}
