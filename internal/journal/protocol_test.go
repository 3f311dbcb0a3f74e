package journal

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"
)

// A protocol is the lease as an abstract machine: writers that append one record each, with every step that another one
// can see, and nothing else. Its state is small, so that all states are visited: every order of the steps, each writer
// held up anywhere for any time (so that any lease may be broken as soon as it is seen, and any look at the clock may
// say either), dead anywhere (which is held up for ever), every reply to a link lost or vague, every write cut short.
//
// lease.go and lease_claim.go are what it describes; TestLeaseInterleavings runs them
// and has the machine follow every step that they take.
type protocol struct {
	writers int
	tries   uint8 // claims of each writer, after which its patience ends
	tidies  bool  // writers remove what others left, at last
	quiet   bool  // links fail in no other way than that the name exists

	// Mistakes to put back: what the protocol once did.
	unlinks  bool // a lease is given back by removing J.lease, if half its time has not passed
	sameFile bool // who breaks a lease writes to the file of the one who had it
	blind    bool // told of no lease that is taken away, only of records that are

	hasty bool // who tidies reads the list before the names

	anyOrder bool // who tidies removes names in the order of the directory

	seen  map[[2]uint64]struct{}
	acked int // ends with an acknowledgement
	path  []said
}

const (
	maxWriters = 4
	maxClaims  = 5 // of each writer
	claims     = maxWriters*maxClaims + 1
	early      = claims - 1 // the claim before the first, given back
	maxRecords = 8
	maxMembers = 12
)

// A nonce is 0 for none, 1+2k for claim k, 2+2k for what follows it when it is given back.
type nonce = uint8

func isFreed(n nonce) bool { return n == 0 || n%2 == 0 }

// A place is a name of the list: 0 is J.lease, n is J.lease-n.
type place = uint8

// An element of a file is a record, or what a write cut short left of one.
type element struct {
	by, seq, after uint8 // writer, place, and the writer of the record before
	half, bad      bool  // bad: two writes in one line
}

type fileText struct {
	n uint8
	e [maxRecords]element
}

// size is in halves of a record.
func (c *fileText) size() uint8 {
	n := 2 * c.n
	if c.n > 0 && c.e[c.n-1].half {
		n--
	}
	return n
}

// cut shortens the file.
func (c *fileText) cut(size uint8) {
	for c.n > (size+1)/2 {
		c.n--
		c.e[c.n] = element{}
	}
	if size%2 == 1 && c.n > 0 {
		c.e[c.n-1].half = true
	}
}

// add is an append: after a half line it makes a line that does not hold.
func (c *fileText) add(e element) {
	if c.n > 0 && c.e[c.n-1].half {
		c.e[c.n-1] = element{bad: true}
		return
	}
	c.e[c.n] = e
	c.n++
}

// whole is how many records count, and whether anything else than an unfinished last line follows.
func (c *fileText) whole() (n uint8, sound bool) {
	last := uint8(0)
	for i := range c.n {
		e := c.e[i]
		if e.half && i == c.n-1 {
			return i, true
		}
		if e.half || e.bad || e.seq != i+1 || e.after != last {
			return i, false
		}
		last = e.by
	}
	return c.n, true
}

// A machine is a state of the protocol.
type machine struct {
	at      [claims*2 + 1]nonce // what the places hold
	own     uint32              // names that exist, by claim
	free    uint32
	copied  uint32
	after   uint32 // claims that somebody has followed, for the checks alone
	journal int8   // which file has the name; -1: none
	files   [claims]fileText
	w       [maxWriters]writerState
}

type writerState struct {
	pc      step8
	tries   uint8
	n       nonce // of the claim
	members [maxMembers]nonce
	count   uint8 // of members
	first   nonce // what a walk began with
	cur     nonce // where it is
	found   uint8 // 1: the second walk met n, 2: and something after it
	broken  bool
	h, from int8  // files: the one written to, and what a breaker copies
	i       uint8 // in loops
	end     uint8 // size of the journal as read
	rec     element
	will    bool   // acknowledge
	acked   uint8  // the place of the acknowledged record
	listed  uint64 // places that hold something
}

// A step8 is where a writer is.
type step8 uint8

const (
	sWalk step8 = iota
	sNext
	sAgain
	sDecide
	sOpen
	sLink
	sLinkBack
	sFence
	sNow
	sNowNext
	sNowAgain
	sDropLast
	sTakeOver
	sDrop
	sOpenFrom
	sCopy
	sPlace
	sNoJournal
	sOwn
	sSize
	sRead
	sCut
	sCheck
	sWrite
	sHalf
	sTakeBack
	sCutBack
	sCreate
	sLook
	sLookBack
	sGive
	sGiveBack
	sUnlink
	sTidyList
	sTidyWalk
	sTidyNext
	sTidyAgain
	sTidy
	sDone
)

// An event is a step as others can see it; the zero event is one that nobody can.
type event struct {
	op   string
	a, b uint8
	ok   bool
}

func (e event) is(ok bool) event { e.ok = ok; return e }

type said struct {
	event
	writer int
}

// begin is a journal with two records and one lease before, given back.
func (p *protocol) begin() machine {
	var m machine
	m.at[0], m.at[1+2*early] = 1+2*early, 2+2*early
	m.files[early] = fileText{n: 2}
	m.files[early].e[0], m.files[early].e[1] = element{by: 8, seq: 1}, element{by: 9, seq: 2, after: 8}
	m.journal = early
	return m
}

// torn is the same after a write that was cut short.
func (p *protocol) torn() machine {
	m := p.begin()
	m.files[early].add(element{by: 8, seq: 3, after: 9, half: true})
	return m
}

// left is the same by a holder that died.
func (p *protocol) left() machine {
	m := p.torn()
	m.at[1+2*early] = 0
	m.free = bit(1 + 2*early)
	return m
}

// nothing is no journal and no lease.
func (p *protocol) nothing() machine { return machine{journal: -1} }

// encode writes what tells a state from others. Writers are alike: a state in which
// two have changed places is the same one.
func (m *machine) encode(b []byte, writers int) []byte {
	var order, rank [maxWriters]uint8
	for k := range writers {
		order[k] = uint8(k)
	}
	like := func(k uint8) uint64 {
		w := &m.w[k]
		v := uint64(w.pc)<<56 | uint64(w.tries)<<52 | uint64(w.count)<<48 | uint64(w.found)<<46 | uint64(w.i)<<40 | uint64(w.end)<<32 |
			uint64(w.acked)<<24 | uint64(w.rec.seq)<<16 | uint64(flag(w.will)<<3|flag(w.broken)<<2|flag(w.h == m.journal))
		if w.n != 0 {
			v |= uint64(m.at[w.n]%2)<<8 | uint64(flag(m.own&bit(w.n) != 0)<<2|flag(m.free&bit(w.n) != 0)<<1|flag(m.copied&bit(w.n) != 0))<<9
		}
		return v
	}
	slices.SortFunc(order[:writers], func(a, b uint8) int { return cmp.Compare(like(a), like(b)) })
	for i, k := range order[:writers] {
		rank[k] = uint8(i)
	}
	claim := func(c uint8) uint8 {
		if c >= early {
			return c
		}
		return rank[c/maxClaims]*maxClaims + c%maxClaims
	}
	name := func(n nonce) nonce {
		if n == 0 {
			return 0
		}
		return 1 + 2*claim((n-1)/2) + (n-1)%2
	}
	by := func(n uint8) uint8 {
		if n == 0 || n > maxWriters {
			return n
		}
		return rank[n-1] + 1
	}
	set := func(s uint32) (out uint32) {
		for s != 0 {
			c := bits.TrailingZeros32(s)
			s &^= 1 << c
			out |= 1 << claim(uint8(c))
		}
		return out
	}
	file := func(f int8) int8 {
		if f < 0 {
			return f
		}
		return int8(claim(uint8(f)))
	}
	var at [claims*2 + 1]nonce
	for i, n := range m.at {
		if n != 0 {
			at[name(uint8(i))] = name(n)
		}
	}
	for i, n := range at {
		if n != 0 {
			b = append(b, byte(i), n)
		}
	}
	b = append(b, 255, byte(file(m.journal)))
	for _, s := range []uint32{m.own, m.free, m.copied} {
		b = binary.LittleEndian.AppendUint32(b, set(s))
	}
	used := uint32(0)
	if m.journal >= 0 {
		used |= 1 << m.journal
	}
	for _, k := range order[:writers] {
		w := &m.w[k]
		b = append(b, byte(w.pc), w.tries, name(w.n), w.count, name(w.first), name(w.cur), w.found, byte(file(w.h)),
			byte(file(w.from)), w.i, w.end, w.acked,
			w.rec.seq, by(w.rec.after)<<4|flag(w.will)<<1|flag(w.broken)|flag(w.n != 0 && m.after&bit(w.n) != 0)<<2)
		for _, n := range w.members[:w.count] {
			b = append(b, name(n))
		}
		if w.listed != 0 {
			listed := uint64(0)
			for l := w.listed; l != 0; l &= l - 1 {
				listed |= 1 << name(uint8(bits.TrailingZeros64(l)))
			}
			b = binary.LittleEndian.AppendUint64(b, listed)
		}
		for _, f := range []int8{w.h, w.from} {
			if f >= 0 && w.pc != sDone {
				used |= 1 << f
			}
		}
	}
	for to := range uint8(claims) {
		i := uint8(claims)
		for c := used; c != 0; c &= c - 1 {
			if f := uint8(bits.TrailingZeros32(c)); claim(f) == to {
				i = f
			}
		}
		if i == claims { // nobody will look at it any more
			continue
		}
		c := &m.files[i]
		b = append(b, to, c.n)
		for _, e := range c.e[:c.n] {
			b = append(b, by(e.by)<<4|e.seq, by(e.after)<<4|flag(e.half)<<1|flag(e.bad))
		}
	}
	return b
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func bit(n nonce) uint32 { return 1 << ((n - 1) / 2) }

// check is what must hold in every state: the journal is sound, and has every acknowledged record where it was.
func (p *protocol) check(m *machine) error {
	if m.journal < 0 {
		for k := range p.writers {
			if m.w[k].acked > 0 {
				return fmt.Errorf("record of writer %d was acknowledged and there is no journal", k)
			}
		}
		return nil
	}
	c := &m.files[m.journal]
	n, sound := c.whole()
	if !sound {
		return fmt.Errorf("the journal is damaged: %v", c.e[:c.n])
	}
	for k := range p.writers {
		if at := m.w[k].acked; at > 0 && (at > n || c.e[at-1].by != uint8(k+1)) {
			return fmt.Errorf("record %d of writer %d was acknowledged and is gone: %v", at, k, c.e[:c.n])
		}
	}
	return nil
}

// holder reports whether a claim has the lease: it was won, is not given back, and nobody has followed it.
func (p *protocol) holder(m *machine, n nonce) bool {
	if isFreed(n) || m.after&bit(n) != 0 {
		return false
	}
	for k := range p.writers {
		if w := &m.w[k]; w.n == n && w.pc >= sSize && w.pc < sUnlink {
			return true
		}
	}
	return false
}

var errProtocol = errors.New("the protocol fails")

// explore visits every state that can be reached from m, depth first.
func (p *protocol) explore(m machine) error {
	if p.seen == nil {
		p.seen = map[[2]uint64]struct{}{}
	}
	return p.visit(&m)
}

var hashSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func (p *protocol) visit(m *machine) error {
	var room [512]byte
	b := m.encode(room[:0], p.writers)
	key := [2]uint64{maphash.Bytes(hashSeeds[0], b), maphash.Bytes(hashSeeds[1], b)}
	if _, ok := p.seen[key]; ok {
		return nil
	}
	p.seen[key] = struct{}{}
	err := p.check(m)
	from, to := 0, p.writers
	for k := range p.writers {
		// A step that nobody else can see or change comes at once: it makes no difference when.
		if w := &m.w[k]; p.alone(m, k) || w.pc == sDecide || w.pc == sOpen && w.broken && !p.sameFile ||
			w.pc == sFence && w.nothing(m) {
			from, to = k, k+1
		}
	}
	for k := from; k < to && err == nil; k++ {
		err = p.step(m, k, func(next *machine, tell event) error {
			p.path = append(p.path, said{tell, k})
			if next.w[k].acked > 0 && m.w[k].acked == 0 {
				p.acked++
			}
			if err := p.visit(next); err != nil {
				return err
			}
			p.path = p.path[:len(p.path)-1]
			return nil
		})
	}
	if err != nil && !errors.Is(err, errProtocol) {
		err = fmt.Errorf("%w: %w, after\n%s", errProtocol, err, tellPath(p.path))
	}
	return err
}

func tellPath(path []said) string {
	var out strings.Builder
	for i := range path {
		if path[i].op != "" {
			fmt.Fprintf(&out, "  %c: %s %d %d %v\n", 'A'+path[i].writer, path[i].op, path[i].a, path[i].b, path[i].ok)
		}
	}
	return out.String()
}

// alone reports whether a writer works on a file that has no name and that nobody else
// looks at: it never gets one any more.
func (p *protocol) alone(m *machine, k int) bool {
	w := &m.w[k]
	if w.pc < sSize || w.pc > sLookBack || w.pc == sCreate || w.h < 0 || w.h == m.journal {
		return false
	}
	for other := range p.writers {
		if o := &m.w[other]; other != k && o.pc != sDone && (o.h == w.h || o.from == w.h) {
			return false
		}
	}
	return true
}

// nothing reports whether the next name that a fence takes away is gone already, for good.
func (w *writerState) nothing(m *machine) bool {
	return [3]uint32{m.own, m.free, m.copied}[w.i%3]&bit(w.members[w.i/3]) == 0
}

func (w *writerState) last() nonce {
	if w.count == 0 {
		return 0
	}
	return w.members[w.count-1]
}

func (w *writerState) push(n nonce) error {
	if w.count == maxMembers {
		return errors.New("the list is longer than the model allows")
	}
	w.members[w.count] = n
	w.count++
	return nil
}

func (w *writerState) has(n nonce) bool { return slices.Contains(w.members[:w.count], n) }
