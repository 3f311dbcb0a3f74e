package journal

import (
	"errors"
	"fmt"
	"io"
	"os"

	"bohier/internal/jsonscan"
)

// The lock file has three fixed places: who has the lock, the last record known to
// be on disk, and the generation of the journal. Each is one JSON line with a
// checksum, padded with spaces; one that does not hold says nothing.
const (
	placeSize      = 512
	holderAt       = 0
	markAt         = placeSize
	generationAt   = 2 * placeSize
	lockByte       = 1 << 40          // the lock proper
	queueByte      = lockByte + 1     // who comes next; whoever has just had the lock waits behind
	holdByte       = lockByte + 1<<32 // + trial number: a reservation being computed
	holderKind     = "holder"
	markKind       = "mark"
	generationKind = "generation"
)

// A mark is the last record that was synced, by journal. It speaks of one generation
// of it: whoever replaces a journal by one with fewer records begins another. Under
// leases a mark is written after the lease has ended, so it can come at any time; one
// that comes after an archive or a repair is known by its generation for too old.
type mark struct {
	run        string
	seq        int // 0: nothing is known of the records
	sum        uint32
	generation string // empty: the first
}

// writePlace puts a line into the lock file.
func writePlace(f file, off int64, body string) error {
	b := sealed(body)
	if len(b) > placeSize-1 {
		return errors.New("longer than its place in the lock file")
	}
	for len(b) < placeSize-1 {
		b = append(b, ' ')
	}
	n, err := f.WriteAt(append(b, '\n'), off)
	if err == nil && n < placeSize {
		err = io.ErrShortWrite
	}
	return err
}

// sealed closes an object given without its brace with its checksum.
func sealed(body string) []byte {
	return fmt.Appendf([]byte(body), `,"crc":"%08x"}`, crc([]byte(body)))
}

// readPlace calls member for the members of a place, if it holds.
func readPlace(f file, off int64, member func(name string, s *jsonscan.Scanner)) bool {
	b := make([]byte, placeSize)
	n, _ := f.ReadAt(b, off)
	end := n
	for end > 0 && (b[end-1] == ' ' || b[end-1] == '\n') {
		end--
	}
	if _, ok := checksum(b[:end]); !ok {
		return false
	}
	s := jsonscan.Scanner{B: b[:end]}
	s.Object(func(name []byte) { member(string(name), &s) })
	return s.Err == nil
}

// writeMark puts a mark down. After an append its failure does no harm: an older
// mark is still true, and the next writer syncs once more.
func writeMark(f file, m mark) error {
	body := fmt.Sprintf(`{"t":%q,"run":%q,"seq":%d,"sum":"%08x"`, markKind, m.run, m.seq, m.sum)
	if m.generation != "" {
		body += fmt.Sprintf(`,"generation":%q`, m.generation)
	}
	return writePlace(f, markAt, body)
}

// newGeneration begins another generation of the journal, on disk before the journal
// is replaced. No mark there is speaks of it.
func (l *lock) newGeneration() (generation string, err error) {
	generation = l.o.nonce(nonceLen)
	err = writePlace(l.f, generationAt, fmt.Sprintf(`{"t":%q,"nonce":%q`, generationKind, generation))
	return generation, errors.Join(err, l.f.Sync())
}

func readGeneration(f file) (nonce string) {
	kind := ""
	ok := readPlace(f, generationAt, func(name string, s *jsonscan.Scanner) {
		switch name {
		case "t":
			kind = string(s.Text())
		case "nonce":
			nonce = string(s.Text())
		default:
			s.Value(0)
		}
	})
	if !ok || kind != generationKind {
		return ""
	}
	return nonce
}

// readMark is the mark in a lock file. Of one that is not of today's generation only
// the run counts; generation is today's in any case.
func readMark(f file) (m mark, ok bool) {
	kind := ""
	ok = readPlace(f, markAt, func(name string, s *jsonscan.Scanner) {
		switch name {
		case "t":
			kind = string(s.Text())
		case "run":
			m.run = string(s.Text())
		case "seq":
			m.seq = s.Count()
		case "sum":
			m.sum = hexadecimal(s)
		case "generation":
			m.generation = string(s.Text())
		default:
			s.Value(0)
		}
	})
	if ok = ok && kind == markKind; !ok {
		m = mark{}
	}
	if g := readGeneration(f); g != m.generation {
		m.seq, m.sum, m.generation = 0, 0, g
	}
	return m, ok
}

// readMarkFile is the mark beside a journal, for readers.
func readMarkFile(o *Options) (mark, bool) {
	f, err := o.fs.Open(o.lockPath(), os.O_RDONLY, 0)
	if err != nil {
		return mark{}, false
	}
	defer f.Close()
	return readMark(f)
}

// A holder is who has, or last had, the lock.
type holder struct {
	host  string
	pid   int
	since string
}

// writeHolder says who has the lock, for people who wait; no promise rests on it.
func writeHolder(f file, h holder) {
	_ = writePlace(f, holderAt, fmt.Sprintf(`{"t":%q,"host":%s,"pid":%d,"since":%q`,
		holderKind, appendString(nil, h.host), h.pid, h.since))
}

func readHolder(f file) (h holder, ok bool) {
	ok = readPlace(f, holderAt, func(name string, s *jsonscan.Scanner) {
		switch name {
		case "host":
			h.host = string(s.Text())
		case "pid":
			h.pid = s.Count()
		case "since":
			h.since = string(s.Text())
		default:
			s.Value(0)
		}
	})
	return h, ok
}

// ownLockFile reports whether a lock file is one of this program's: nothing, or
// something that begins as the holder's place does. A power failure may have left
// NULs of it.
func ownLockFile(f file) bool {
	begin := fmt.Appendf(nil, `{"t":%q,"host":`, holderKind)
	b := make([]byte, len(begin))
	n, err := f.ReadAt(b, holderAt)
	if err != nil && !errors.Is(err, io.EOF) {
		return true // unknown: what follows will fail, or not
	}
	for i := range n {
		if b[i] != begin[i] && b[i] != 0 {
			return false
		}
	}
	return true
}
