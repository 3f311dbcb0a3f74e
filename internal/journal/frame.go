package journal

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// A tail is the text behind the last line that counts.
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

// scan calls visit for every line of a source that counts, in order, with the record decoded; the record, and the
// memory that it aliases, is reused. It stops with a *damage at the first line that does not hold, unless that line is
// an unfinished tail. An error of visit ends the scan as damage of that line; other errors are those of reading.
func scan(src *source, visit func(r *Record) error) (tail, error) {
	t, n, prev := tail{size: src.size, end: src.at}, src.after.Seq, src.after.Sum
	d := newDecoder()
	var r Record
	if src.at == 0 && bytes.HasPrefix(src.rest(), byteOrder) {
		src.at, t.warned = int64(len(byteOrder)), true
	}
	for {
		rest := src.rest()
		if len(rest) == 0 {
			t.size = src.size
			return t, src.err
		}
		line, next, closed := cutLine(rest)
		sum, ok := Sum(line)
		if !ok && !closed && len(line) <= 2*maxLine {
			// The newline may have been lost with the text behind it.
			if whole := unterminated(line); whole != nil {
				line, next = whole, len(whole)
				sum, ok = Sum(line)
			}
		}
		if !ok {
			if src.err != nil {
				return t, src.err
			}
			// A journal gets its name with its first line, so that cannot be torn.
			if src.all(rest) && torn(rest, closed) && (n > 0 || len(bytes.Trim(rest, "\x00")) == 0) {
				t.size = src.size
				return t, nil
			}
			if len(line) > maxLine {
				return t, &damage{n + 1, errTooLong}
			}
			return t, &damage{n + 1, errChecksum}
		}
		if err := d.decode(line, &r); err != nil {
			return t, &damage{n + 1, err}
		}
		if r.Seq != n+1 || r.Prev != prev {
			return t, &damage{n + 1, fmt.Errorf("record %d with predecessor %08x is in the place of record %d with predecessor "+
				"%08x", r.Seq, r.Prev, n+1, prev)}
		}
		if (r.Kind == KindHeader) != (n == 0) {
			return t, &damage{n + 1, errors.New("a header belongs on the first line and only there")}
		}
		r.end = src.at + int64(next)
		if err := visit(&r); err != nil {
			return t, &damage{n + 1, err}
		}
		if closed && next > len(line)+1 { // CRLF
			t.warned = true
		}
		src.at += int64(next)
		prev, n, t.end, t.open = sum, n+1, src.at, !closed
	}
}

// cutLine is the first line of rest without its line end, the bytes it takes, and whether it had a newline.
func cutLine(rest []byte) (line []byte, next int, closed bool) {
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		return bytes.TrimSuffix(rest[:i], []byte{'\r'}), i + 1, true
	}
	return rest, len(rest), false
}

// unterminated is the longest prefix of an unfinished line that holds by its checksum, nil if there is none.
func unterminated(line []byte) (whole []byte) {
	mark := []byte(`,"crc":"`)
	sum, done := uint32(0), 0
	for end := 0; ; end++ {
		i := bytes.Index(line[end:], mark)
		if i < 0 || end+i+tailLen > len(line) {
			return whole
		}
		end += i
		sum, done = crc32.Update(sum, castagnoli(), line[done:end]), end
		if there, ok := sealOf(line[end : end+tailLen]); ok && there == sum && end > 0 {
			whole = line[:end+tailLen]
		}
	}
}

// torn reports whether rest, whose first line is damaged, is the remainder of a single write after
// a crash: it has no newline, or blocks that never reached the disk read as NULs, and valid lines after them are from
// the same write, whose lines say one time. Blank lines come from an editor.
func torn(rest []byte, closed bool) bool {
	if len(bytes.TrimSpace(rest)) == 0 {
		return true
	}
	if len(rest) > maxLine+1 { // and a newline that the line before lacked
		return false
	}
	if !closed {
		return true
	}
	if bytes.IndexByte(rest, 0) < 0 {
		return false
	}
	one, at := len(rest) <= pieceSize+1, ""
	for len(rest) > 0 {
		line, next, _ := cutLine(rest)
		if _, ok := Sum(line); ok {
			now := timeOf(line)
			if !one || at != "" && now != "" && now != at {
				return false
			}
			at = cmp.Or(now, at)
		}
		rest = rest[next:]
	}
	return true
}

// timeOf is the time at which a line that holds was written, the member before its checksum; empty
// where the record is older.
func timeOf(line []byte) string {
	line = line[:len(line)-tailLen]
	at := line[max(0, bytes.LastIndexByte(line, ',')):]
	if bytes.HasPrefix(at, []byte(", ")) {
		return ""
	}
	return string(at)
}

// window is how much of a journal is in memory at once.
const window = 4 * maxLine

// A source is the bytes of a journal from a place on. A window of them is in memory.
type source struct {
	r     io.ReaderAt
	at    int64 // the place: where the next line begins
	after Pos   // the record before
	size  int64 // less when the file turns out to be shorter
	buf   []byte
	from  int64 // where buf begins
	err   error // that ended reading
}

func newSource(f file, at int64) (*source, error) {
	size, err := f.Size()
	return &source{r: f, at: at, from: at, size: size}, err
}

func sourceOf(data []byte) *source {
	return &source{r: bytes.NewReader(data), size: int64(len(data)), buf: data}
}

// rest is the text behind the place: all of it, or at least two of the longest lines. It stands until the next call.
func (s *source) rest() []byte {
	have := s.from + int64(len(s.buf))
	rest := s.buf[s.at-s.from:]
	if have-s.at >= 2*maxLine || have >= s.size {
		return rest
	}
	room := min(window, s.size-s.at)
	if int64(cap(s.buf)) < room {
		s.buf = make([]byte, room)
	}
	b := s.buf[:room]
	n := copy(b, rest)
	m, err := s.r.ReadAt(b[n:], s.at+int64(n))
	s.buf, s.from = b[:n+m], s.at
	if n+m < len(b) {
		s.size = s.at + int64(n+m)
		if err != io.EOF {
			s.err = err
		}
	}
	return s.buf
}

// all reports whether rest goes to the end.
func (s *source) all(rest []byte) bool { return s.at+int64(len(rest)) == s.size }

// line is the next line as far as it can count, and whether it has a newline.
func (s *source) line() (line []byte, closed bool) {
	rest := s.rest()
	line, n, closed := cutLine(rest)
	if s.at += int64(n); closed || s.at == s.size {
		return line, closed
	}
	long := bytes.Clone(line[:maxLine+1]) // which is enough to be no record
	for !closed && s.at < s.size && s.err == nil {
		_, n, closed = cutLine(s.rest())
		s.at += int64(n)
	}
	return long, true
}

// storage is where a journal is read, until end is called.
func (o *Options) storage(ctx context.Context) (from storage, end func(), err error) {
	if o.Store != nil {
		return inStore{ctx, o.Store}, func() {}, nil
	}
	f, err := o.fs.Open(o.Path, os.O_RDONLY, 0)
	if err != nil {
		return nil, nil, err
	}
	return openFile{f}, func() { _ = f.Close() }, nil // read only: nothing can be lost
}

// source is the bytes of a journal, until end is called.
func (o *Options) source(ctx context.Context) (src *source, end func(), err error) {
	from, end, err := o.storage(ctx)
	if err != nil {
		return nil, nil, readFailure(o, err)
	}
	m := Memory{state: newState(o)}
	if src, err = from.after(o, &m); err != nil {
		end()
	}
	return src, end, err
}
