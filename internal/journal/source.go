package journal

import (
	"bytes"
	"context"
	"io"
	"os"
)

// window is how much of a journal is in memory at once.
const window = 4 * MaxLine

// A source is the bytes of a journal. A window of them is in memory.
type source struct {
	r    io.ReaderAt
	size int64 // less when the file turns out to be shorter
	buf  []byte
	at   int64 // where buf begins
	err  error // that ended reading
}

func newSource(f file) (*source, error) {
	size, err := f.Size()
	return &source{r: f, size: size}, err
}

func sourceOf(data []byte) *source {
	return &source{r: bytes.NewReader(data), size: int64(len(data)), buf: data}
}

// from is what follows off: all of it, or at least two of the longest lines. It
// stands until the next call.
func (s *source) from(off int64) []byte {
	have := s.at + int64(len(s.buf))
	if off >= s.at && (have-off >= 2*MaxLine || have == s.size) {
		return s.buf[off-s.at:]
	}
	old, room := s.buf, min(window, s.size-off)
	if int64(cap(s.buf)) < room {
		s.buf = make([]byte, room)
	}
	b, n := s.buf[:room], 0
	if off >= s.at && off < have {
		n = copy(b, old[off-s.at:])
	}
	m, err := s.r.ReadAt(b[n:], off+int64(n))
	s.buf, s.at = b[:n+m], off
	if n+m < len(b) {
		s.size = off + int64(n+m)
		if err != io.EOF {
			s.err = err
		}
	}
	return s.buf
}

// all reports whether rest, which is from(off), goes to the end.
func (s *source) all(off int64, rest []byte) bool { return off+int64(len(rest)) == s.size }

// line is the line at off as far as it can count, and where the next one begins.
func (s *source) line(off int64) (line []byte, next int64, closed bool) {
	rest := s.from(off)
	line, n, closed := cutLine(rest)
	next = off + int64(n)
	if closed || s.all(off, rest) {
		return line, next, closed
	}
	long := bytes.Clone(line[:MaxLine+1]) // which is enough to be no record
	for !closed && next < s.size && s.err == nil {
		_, n, closed = cutLine(s.from(next))
		next += int64(n)
	}
	return long, next, true
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
	if src, _, err = from.after(o, &m); err != nil {
		end()
	}
	return src, end, err
}
