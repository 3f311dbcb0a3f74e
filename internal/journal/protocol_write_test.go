package journal

import "math/bits"

// write is the steps of a holder, from reading the journal to giving the lease back.
func (s *stepping) write() {
	m, w := s.m, &s.m.w[s.k]
	give := sGive
	if s.p.unlinks {
		give = sUnlink
	}
	abort := func(tell event) {
		s.to(give, tell, func(_ *machine, w *writerState) { w.will, w.h, w.end, w.rec, w.i = false, -1, 0, element{}, 0 })
	}
	switch w.pc {
	case sSize:
		if w.h < 0 {
			s.to(sCreate, event{}, nil)
			abort(event{}) // its time is up
			return
		}
		size := m.files[w.h].size()
		s.to(sRead, event{op: "size", a: size}, func(_ *machine, w *writerState) { w.end = size })
	case sRead:
		c := m.files[w.h]
		c.cut(min(w.end, c.size()))
		n, sound := c.whole()
		if !sound || n == 0 {
			abort(event{op: "load"})
			return
		}
		rec := element{by: uint8(s.k + 1), seq: n + 1, after: c.e[n-1].by}
		pc := sCheck
		if c.n > n {
			pc = sCut
		}
		s.to(pc, event{op: "load"}, func(_ *machine, w *writerState) { w.rec, w.end = rec, 2*n })
	case sCut:
		s.to(sCheck, event{op: "cut"}, func(m *machine, w *writerState) { m.files[w.h].cut(min(w.end, m.files[w.h].size())) })
		abort(event{})
	case sCheck:
		size := m.files[w.h].size()
		tell := event{op: "size", a: size}
		if size != w.end {
			abort(tell)
			return
		}
		s.to(sWrite, tell, nil)
		abort(event{})
	case sWrite:
		s.to(sLook, event{op: "write", ok: true}, func(m *machine, w *writerState) { m.files[w.h].add(w.rec) })
		s.to(sHalf, event{op: "write"}, func(m *machine, w *writerState) {
			e := w.rec
			e.half = true
			m.files[w.h].add(e)
		})
	case sHalf:
		// The rest comes, wherever the end is by then, or it fails.
		s.to(sLook, event{op: "write rest"}, func(m *machine, w *writerState) {
			c := &m.files[w.h]
			if c.n > 0 && c.e[c.n-1].half && c.e[c.n-1].by == w.rec.by {
				c.e[c.n-1].half = false
				return
			}
			c.add(element{bad: true})
		})
		s.to(sTakeBack, event{}, nil)
		abort(event{})
	case sTakeBack:
		size := m.files[w.h].size()
		tell := event{op: "size", a: size}
		if size <= w.end {
			abort(tell)
			return
		}
		s.to(sCutBack, tell, nil)
	case sCutBack:
		s.to(give, event{op: "cut"}, func(m *machine, w *writerState) {
			m.files[w.h].cut(min(w.end, m.files[w.h].size()))
			w.will, w.h, w.end, w.rec, w.i = false, -1, 0, element{}, 0
		})
	case sCreate:
		if m.journal >= 0 {
			abort(event{op: "create"})
			return
		}
		s.to(give, event{op: "create", ok: true}, func(m *machine, w *writerState) {
			f := (w.n - 1) / 2
			m.files[f] = fileText{n: 2}
			m.files[f].e[0], m.files[f].e[1] = element{by: 8, seq: 1}, element{by: uint8(s.k + 1), seq: 2, after: 8}
			m.journal = int8(f)
			w.rec, w.will = m.files[f].e[1], true
		})
	case sLook:
		if s.p.unlinks {
			s.to(give, event{}, func(_ *machine, w *writerState) { w.acked = w.rec.seq; w.h, w.end, w.rec = -1, 0, element{} })
			return
		}
		if w.h != m.journal {
			abort(event{op: "look"})
			return
		}
		s.to(sLookBack, event{op: "look", ok: true}, nil)
	case sLookBack:
		c := &m.files[w.h]
		if c.size() != w.end+2 || c.e[c.n-1] != w.rec {
			abort(event{op: "look back"})
			return
		}
		s.to(give, event{op: "look back"}, func(_ *machine, w *writerState) { w.will, w.h, w.end = true, -1, 0 })
	case sGive:
		s.link(m.free&bit(w.n) != 0, w.n+1, w.n, sDone, sGiveBack, s.p.acknowledge)
	case sGiveBack:
		s.linkBack(w.n+1, w.n, sGive, sDone, s.p.acknowledge, func(tell event) { s.to(sDone, tell, s.p.end) })
	case sUnlink:
		s.to(sDone, event{}, s.p.end) // its time is up
		s.remove(sDone, 0, s.p.end)
	case sTidyList, sTidyWalk, sTidyNext, sTidyAgain, sTidy:
		s.tidy()
	}
}

// acknowledge is the end of a writer that gave its own lease back.
func (p *protocol) acknowledge(m *machine, w *writerState) {
	if w.will {
		w.acked = w.rec.seq
	}
	p.end(m, w)
}

// tidy removes what others left: it lists the names, then reads the list of members, and
// then removes names of none of them: nobody needs any, so one order stands for all.
func (s *stepping) tidy() {
	m, w := s.m, &s.m.w[s.k]
	switch w.pc {
	case sTidyList:
		next := sTidyWalk
		if s.p.hasty && w.found == 0 {
			s.to(next, event{}, nil)
			return
		}
		if s.p.hasty {
			next = sTidy
		}
		s.to(next, event{op: "list"}, func(m *machine, w *writerState) {
			w.found = 0
			for at, n := range m.at {
				if at > 0 && n != 0 && !w.has(nonce(at)) {
					w.listed |= 1 << at
				}
			}
		})
	case sTidyWalk, sTidyNext, sTidyAgain:
		s.walk(sTidyWalk, sTidyNext, sTidyAgain, func(w *writerState, n nonce) error { return w.push(n) },
			func(tell event) {
				s.to(sTidy, tell, func(_ *machine, w *writerState) {
					w.clear()
					for _, n := range w.members[:w.count] {
						w.listed &^= 1 << n
					}
					if s.p.hasty {
						w.pc, w.found = sTidyList, 1
					}
				})
			},
			func(w *writerState) { *w = writerState{pc: w.pc, h: -1, from: -1, acked: w.acked, listed: w.listed} })
	case sTidy:
		done := func(m *machine, w *writerState) {
			if w.listed == 0 {
				*w = writerState{pc: sDone, h: -1, from: -1, acked: w.acked}
			}
		}
		for listed := w.listed; listed != 0; listed &= listed - 1 {
			at := place(bits.TrailingZeros64(listed))
			s.remove(sTidy, at, func(m *machine, w *writerState) {
				w.listed &^= 1 << at
				done(m, w)
			})
			if !s.p.anyOrder {
				break
			}
		}
		if w.listed == 0 {
			s.to(sDone, event{}, func(m *machine,
				w *writerState) {
				*w = writerState{pc: sDone, h: -1, from: -1, acked: w.acked}
			})
		}
		// Old names of no member, at any time; what is old the machine does not know.
		for c := range early {
			n := nonce(1 + 2*c)
			if names := m.own | m.free | m.copied; names&bit(n) != 0 && !w.has(n) {
				s.to(sTidy, event{op: "remove names of", a: n}, func(m *machine, _ *writerState) {
					m.own, m.free, m.copied = m.own&^bit(n), m.free&^bit(n), m.copied&^bit(n)
				})
			}
		}
	}
}
