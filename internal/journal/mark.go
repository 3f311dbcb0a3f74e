package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// The lock file has three fixed places: who has the lock, the last record known to be on disk, and the generation of
// the journal. Each is one JSON line with a checksum, padded with spaces; one that does not hold says nothing.
const (
	placeSize      = 512
	holderAt       = 0
	markAt         = placeSize
	generationAt   = 2 * placeSize
	lockByte       = 1 << 40          // the lock proper
	queueByte      = lockByte + 1     // who comes next; the last holder of the lock waits behind
	holdByte       = lockByte + 1<<32 // + trial number: a reservation being computed
	holderKind     = "holder"
	markKind       = "mark"
	generationKind = "generation"
)

// A mark is the last record that was synced, by journal. It belongs to one generation of the
// journal: a process that replaces a journal by one with fewer records begins another. Under
// leases a mark is written after the lease has ended, so it can come at any time; one that
// comes after an archive or a repair is known by its generation for too old.
type mark struct {
	T          string `json:"t"`
	Run        string `json:"run"`                  // empty: there is no mark
	Seq        int    `json:"seq"`                  // 0: nothing is known of the records
	Sum        string `json:"sum"`                  // eight hexadecimal digits
	Generation string `json:"generation,omitempty"` // empty: the first
}

// markOf is the mark of record seq.
func (s *State) markOf(seq int, generation string) mark {
	return mark{Run: s.Run, Seq: seq, Sum: fmt.Sprintf("%08x", s.sums[seq-1]), Generation: generation}
}

// A generation is the name of a journal's generation.
type generation struct {
	T     string `json:"t"`
	Nonce string `json:"nonce"`
}

// A holder is who has, or last had, the lock.
type holder struct {
	T     string `json:"t"`
	Host  string `json:"host"`
	PID   int    `json:"pid"`
	Since string `json:"since"`
}

// writePlace puts a line into the lock file.
func writePlace(f file, off int64, what any) error {
	b, err := json.Marshal(what)
	if err != nil {
		return err
	}
	if b = sealed(b[:len(b)-1]); len(b) > placeSize-1 {
		return errors.New("longer than its place in the lock file")
	}
	b = append(append(b, bytes.Repeat([]byte{' '}, placeSize-1-len(b))...), '\n')
	n, err := f.WriteAt(b, off)
	if err == nil && n < placeSize {
		err = io.ErrShortWrite
	}
	return err
}

// sealed closes an object given without its brace with its checksum.
func sealed(body []byte) []byte { return seal(body, crc(body)) }

// readPlace reads a place, if it holds.
func readPlace(f file, off int64, into any) bool {
	b := make([]byte, placeSize)
	n, _ := f.ReadAt(b, off)
	b = bytes.TrimRight(b[:n], " \n")
	_, ok := Sum(b)
	return ok && json.Unmarshal(b, into) == nil
}

// writeMark puts a mark down. After an append its failure does no harm: an older
// mark is still true, and the next writer syncs once more.
func writeMark(f file, m mark) error {
	m.T = markKind
	return writePlace(f, markAt, m)
}

// newGeneration begins another generation of the journal, on disk before the journal
// is replaced. No mark there is speaks of it.
func (l *lock) newGeneration() (nonce string, err error) {
	nonce = l.o.nonce(nonceLen)
	err = writePlace(l.f, generationAt, generation{generationKind, nonce})
	return nonce, errors.Join(err, l.f.Sync())
}

// readMark returns the mark in a lock file. Only the run counts of a mark from an earlier
// generation; generation is today's in any case.
func readMark(f file) (m mark) {
	if !readPlace(f, markAt, &m) || m.T != markKind {
		m = mark{}
	}
	var g generation
	if !readPlace(f, generationAt, &g) || g.T != generationKind {
		g.Nonce = ""
	}
	if m.T = ""; g.Nonce != m.Generation {
		m.Seq, m.Sum, m.Generation = 0, "", g.Nonce
	}
	return m
}

// readMarkFile is the mark beside a journal, for readers.
func readMarkFile(o *Options) mark {
	f, err := o.fs.Open(o.lockPath(), os.O_RDONLY, 0)
	if err != nil {
		return mark{}
	}
	defer f.Close()
	return readMark(f)
}

// ownLockFile reports whether a lock file is one of this program's: nothing, or something that begins as the holder's
// place does. A power failure may have left NULs of it.
func ownLockFile(f file) bool {
	begin := fmt.Appendf(nil, `{"t":%q,"host":`, holderKind)
	b := make([]byte, len(begin))
	n, err := f.ReadAt(b, holderAt)
	if err != nil && !errors.Is(err, io.EOF) {
		return true // unknown: the next operation will fail, or not
	}
	for i := range n {
		if b[i] != begin[i] && b[i] != 0 {
			return false
		}
	}
	return true
}
