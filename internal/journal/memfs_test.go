package journal

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"
)

// A memFS is a file system in memory that can fail or crash at any call and
// then come back with any subset of what was not synced.
type memFS struct {
	names map[string]*inode // as processes see it
	kept  map[string]*inode // as of the last directory sync
	dir   []dirOp           // since then
	calls int

	failAt  int // the call that fails; 0: none
	forever bool
	fail    error
	short   int // bytes a failing write still writes
	crashAt int // the call at which the process dies
	failed  string
}

type inode struct {
	data []byte
	disk []byte // as of the last sync
	ops  []op   // since then
	lock map[int64]*memFile

	modified time.Time // as a test says
}

type op struct {
	off  int64
	data []byte // nil: truncate to off
}

type dirOp struct {
	name string
	node *inode // nil: removed
}

type crash struct{ call int }

func newMemFS() *memFS {
	return &memFS{names: map[string]*inode{}, kept: map[string]*inode{}}
}

// step counts a call that can change or reveal something.
func (m *memFS) step(what string) error {
	m.calls++
	if m.calls == m.crashAt {
		panic(crash{m.calls})
	}
	if m.failAt > 0 && (m.calls == m.failAt || m.forever && m.calls > m.failAt) {
		m.failed = what
		return m.fail
	}
	return nil
}

func (m *memFS) LockKind(string) string { return LockPosix }

func (m *memFS) Open(name string, flag int, _ os.FileMode) (file, error) {
	if err := m.step("open"); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	n := m.names[name]
	switch {
	case n == nil && flag&os.O_CREATE == 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case n != nil && flag&os.O_EXCL != 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	case n == nil:
		n = &inode{lock: map[int64]*memFile{}}
		m.set(name, n)
	}
	return &memFile{fs: m, node: n}, nil
}

func (m *memFS) set(name string, n *inode) {
	if n == nil {
		delete(m.names, name)
	} else {
		m.names[name] = n
	}
	m.dir = append(m.dir, dirOp{name, n})
}

func (m *memFS) Link(old, new string) error {
	if err := m.step("link"); err != nil {
		return err
	}
	switch {
	case m.names[old] == nil:
		return fs.ErrNotExist
	case m.names[new] != nil:
		return fs.ErrExist
	}
	m.set(new, m.names[old])
	return nil
}

func (m *memFS) Rename(old, new string) error {
	if err := m.step("rename"); err != nil {
		return err
	}
	n := m.names[old]
	if n == nil {
		return fs.ErrNotExist
	}
	m.set(new, n)
	m.set(old, nil)
	return nil
}

func (m *memFS) Remove(name string) error {
	if err := m.step("remove"); err != nil {
		return err
	}
	if m.names[name] == nil {
		return fs.ErrNotExist
	}
	m.set(name, nil)
	return nil
}

func (m *memFS) SyncDir(string) error {
	if err := m.step("syncdir"); err != nil {
		return err
	}
	m.kept, m.dir = map[string]*inode{}, nil
	for name, n := range m.names {
		m.kept[name] = n
	}
	return nil
}

func (m *memFS) List(prefix string) ([]entry, error) {
	if err := m.step("list"); err != nil {
		return nil, err
	}
	var out []entry
	for name, n := range m.names {
		if strings.HasPrefix(name, prefix) {
			out = append(out, entry{name, n.modified})
		}
	}
	slices.SortFunc(out, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

type memFile struct {
	fs     *memFS
	node   *inode
	closed bool
}

func (f *memFile) ReadAt(b []byte, off int64) (int, error) {
	if err := f.fs.step("read"); err != nil {
		return 0, err
	}
	if off >= int64(len(f.node.data)) {
		return 0, io.EOF
	}
	n := copy(b, f.node.data[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memFile) Write(b []byte) (int, error) { return f.WriteAt(b, int64(len(f.node.data))) }

func (f *memFile) WriteAt(b []byte, off int64) (int, error) {
	err := f.fs.step("write")
	if err != nil {
		b = b[:min(f.fs.short, len(b))]
	}
	if len(b) > 0 {
		o := op{off, bytes.Clone(b)}
		f.node.data = o.apply(f.node.data)
		f.node.ops = append(f.node.ops, o)
	}
	return len(b), err
}

func (f *memFile) Truncate(size int64) error {
	if err := f.fs.step("truncate"); err != nil {
		return err
	}
	o := op{off: size}
	f.node.data = o.apply(f.node.data)
	f.node.ops = append(f.node.ops, o)
	return nil
}

// apply returns a new slice; disks share none.
func (o op) apply(data []byte) []byte {
	size := int(o.off) + len(o.data)
	if o.data != nil {
		size = max(size, len(data))
	}
	out := make([]byte, size)
	copy(out, data)
	copy(out[o.off:], o.data)
	return out
}

func (f *memFile) Sync() error {
	if err := f.fs.step("sync"); err != nil {
		// What Linux does: the pages are clean now, and not on disk.
		f.node.ops = nil
		return err
	}
	f.node.disk, f.node.ops = f.node.data, nil
	return nil
}

func (f *memFile) Size() (int64, error) {
	return int64(len(f.node.data)), f.fs.step("stat")
}

func (f *memFile) TryLock(off int64) (bool, error) {
	if err := f.fs.step("lock"); err != nil {
		return false, err
	}
	if by := f.node.lock[off]; by != nil && by != f {
		return false, nil
	}
	f.node.lock[off] = f
	return true, nil
}

func (f *memFile) Unlock(off int64) error {
	if f.node.lock[off] == f {
		delete(f.node.lock, off)
	}
	return nil
}

func (f *memFile) Locked(off int64) (bool, error) {
	by := f.node.lock[off]
	return by != nil && by != f, nil
}

func (f *memFile) At(name string) bool { return f.fs.names[name] == f.node }

func (f *memFile) Like(file) error { return nil }

func (f *memFile) Close() error {
	f.closed = true
	for off, by := range f.node.lock {
		if by == f {
			delete(f.node.lock, off)
		}
	}
	return f.fs.step("close")
}

// kill is the end of all processes: what they wrote stays, their locks go.
func (m *memFS) kill() {
	for _, n := range m.names {
		n.lock = map[int64]*memFile{}
	}
	m.crashAt, m.failAt, m.forever = 0, 0, false
}

// unsynced is how many operations a power failure may take.
func (m *memFS) unsynced() int {
	n := len(m.dir)
	for _, i := range m.nodes() {
		n += len(i.ops)
	}
	return n
}

func (m *memFS) nodes() []*inode {
	seen := map[*inode]bool{}
	var out []*inode
	add := func(names map[string]*inode) {
		keys := make([]string, 0, len(names))
		for k := range names {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if !seen[names[k]] {
				seen[names[k]] = true
				out = append(out, names[k])
			}
		}
	}
	add(m.names)
	add(m.kept)
	for _, d := range m.dir {
		if d.node != nil && !seen[d.node] {
			seen[d.node] = true
			out = append(out, d.node)
		}
	}
	return out
}

// powerFailure is the file system that comes back. Each unsynced operation of a file independently happened, did not,
// happened in part, or left NULs for its data. Directory operations are journalled in order by every file system worth
// the name, so a prefix of them survives.
func (m *memFS) powerFailure(r *rand.Rand) *memFS {
	back := newMemFS()
	made := map[*inode]*inode{}
	for _, n := range m.nodes() {
		data := n.disk
		for _, o := range n.ops {
			switch how := r.IntN(6); {
			case how == 0 && len(n.ops) < 8, how == 1 && len(n.ops) < 8:
			case how == 2 && o.data != nil:
				data = op{o.off, o.data[:r.IntN(len(o.data)+1)]}.applyAt(data)
			case how == 3 && o.data != nil:
				data = op{o.off, make([]byte, len(o.data))}.applyAt(data)
			case how == 4 && o.data != nil:
				data = op{o.off, withoutSectors(o.data, r)}.applyAt(data)
			default:
				data = o.applyAt(data)
			}
		}
		made[n] = &inode{data: data, disk: data, lock: map[int64]*memFile{}}
	}
	names := map[string]*inode{}
	for k, v := range m.kept {
		names[k] = v
	}
	for _, d := range m.dir[:r.IntN(len(m.dir)+1)] {
		if d.node == nil {
			delete(names, d.name)
		} else {
			names[d.name] = d.node
		}
	}
	for k, v := range names {
		back.names[k], back.kept[k] = made[v], made[v]
	}
	return back
}

// withoutSectors is what was written with NULs in place of some of it.
func withoutSectors(data []byte, r *rand.Rand) []byte {
	const sector = 64 // smaller than any, so that a record has some
	data = bytes.Clone(data)
	for from := 0; from < len(data); from += sector {
		if r.IntN(3) == 0 {
			clear(data[from:min(from+sector, len(data))])
		}
	}
	return data
}

// applyAt is apply for an operation whose predecessors may not have happened.
func (o op) applyAt(data []byte) []byte {
	if o.data == nil && o.off >= int64(len(data)) {
		return data
	}
	if o.data != nil && len(o.data) == 0 {
		return data
	}
	return o.apply(data)
}

// clone is an independent copy, without locks.
func (m *memFS) clone() *memFS {
	c := newMemFS()
	made := map[*inode]*inode{}
	for _, n := range m.nodes() {
		made[n] = &inode{data: n.data, disk: n.disk, modified: n.modified, ops: slices.Clone(n.ops),
			lock: map[int64]*memFile{}}
	}
	for k, v := range m.names {
		c.names[k] = made[v]
	}
	for k, v := range m.kept {
		c.kept[k] = made[v]
	}
	for _, d := range m.dir {
		c.dir = append(c.dir, dirOp{d.name, made[d.node]})
	}
	return c
}

func (m *memFS) bytes(name string) []byte {
	if n := m.names[name]; n != nil {
		return n.data
	}
	return nil
}

// leftovers are files other than the journal, its lock and saved tails.
func (m *memFS) leftovers(path string) []string {
	var out []string
	for name := range m.names {
		if name != path && name != path+".lock" && !strings.HasPrefix(name, path+".torn-") {
			out = append(out, name)
		}
	}
	return out
}

var errMem = errors.New("input/output error")
