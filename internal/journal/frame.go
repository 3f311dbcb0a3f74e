package journal

import (
	"bytes"
	"errors"
	"fmt"
)

// A tail is what follows the last line that counts.
type tail struct {
	end    int64 // bytes that count; the next line is appended here
	size   int64 // bytes in the file
	open   bool  // the last line counts and lacks its newline
	warned bool  // CRLF line ends or a byte order mark were accepted
}

func (t tail) torn() bool { return t.size > t.end }

// A damage is a line that does not hold and is not an unfinished last line.
type damage struct {
	line  int
	cause error
}

func (d *damage) Error() string { return fmt.Sprintf("line %d: %v", d.line, d.cause) }
func (d *damage) Unwrap() error { return d.cause }

var (
	errChecksum = errors.New("the checksum does not hold")
	errTooLong  = errors.New("longer than a line may be")
	byteOrder   = []byte("\xef\xbb\xbf")
)

// scan calls visit for every line of data that counts, in order, with the
// record decoded; the record is reused. It stops with a *damage at the first
// line that does not hold, unless that line is an unfinished tail. An error of
// visit ends the scan as damage of that line.
func scan(data []byte, visit func(r *Record) error) (tail, error) {
	t := tail{size: int64(len(data))}
	d := newDecoder()
	var r Record
	var prev uint32
	off, n := 0, 0
	if bytes.HasPrefix(data, byteOrder) {
		off, t.warned = len(byteOrder), true
	}
	for off < len(data) {
		line, next, closed := cutLine(data, off)
		sum, ok := checksum(line)
		if !ok && !closed {
			// The newline may have been lost with what followed it.
			if whole := unterminated(line); whole != nil {
				line, next = whole, off+len(whole)
				sum, ok = checksum(line)
			}
		}
		if !ok {
			if torn(data[off:], closed) {
				break
			}
			if len(line) > MaxLine {
				return t, &damage{n + 1, errTooLong}
			}
			return t, &damage{n + 1, errChecksum}
		}
		if err := d.decode(line, &r); err != nil {
			return t, &damage{n + 1, err}
		}
		if r.Seq != n+1 || r.Prev != prev {
			return t, &damage{n + 1, fmt.Errorf("record %d with predecessor %08x stands where record %d with predecessor %08x belongs", r.Seq, r.Prev, n+1, prev)}
		}
		if (r.Kind == KindHeader) != (n == 0) {
			return t, &damage{n + 1, errors.New("a header belongs on the first line and only there")}
		}
		if err := visit(&r); err != nil {
			return t, &damage{n + 1, err}
		}
		if closed && data[next-1] == '\n' && next >= 2 && data[next-2] == '\r' {
			t.warned = true
		}
		prev, off, n = sum, next, n+1
		t.end, t.open = int64(off), !closed
	}
	return t, nil
}

// cutLine is the line at off without its line end, the offset after it, and
// whether it had a newline.
func cutLine(data []byte, off int) (line []byte, next int, closed bool) {
	if i := bytes.IndexByte(data[off:], '\n'); i >= 0 {
		return bytes.TrimSuffix(data[off:off+i], []byte{'\r'}), off + i + 1, true
	}
	return data[off:], len(data), false
}

// unterminated is the prefix of an unfinished line that holds by its checksum,
// nil if there is none.
func unterminated(line []byte) []byte {
	mark := []byte(`,"crc":"`)
	for end := len(line); ; {
		i := bytes.LastIndex(line[:end], mark)
		if i < 0 {
			return nil
		}
		if i+tailLen <= len(line) {
			if _, ok := checksum(line[:i+tailLen]); ok {
				return line[:i+tailLen]
			}
		}
		end = i
	}
}

// torn tells whether rest, whose first line does not hold, is what a crash
// leaves of a single write: it has no newline, or blocks that never reached the
// disk read as NULs and nothing after them holds.
func torn(rest []byte, closed bool) bool {
	if !closed {
		return true
	}
	if bytes.IndexByte(rest, 0) < 0 {
		return false
	}
	for off := 0; off < len(rest); {
		line, next, _ := cutLine(rest, off)
		if _, ok := checksum(line); ok {
			return false
		}
		off = next
	}
	return true
}
