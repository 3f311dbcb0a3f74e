//go:build linux

package journal

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"bohier/internal/study"
)

func TestLockTimeoutNamesTheHolder(t *testing.T) {
	o := filled(t)
	o.Host = "node7"
	o.LockTimeout = 50 * time.Millisecond
	later := o
	later.Now = func() time.Time { return clockTime.Add(-9 * time.Hour) } // a clock that was put back
	_, err := Update(ctx, o, func(*State) ([]Record, error) {
		_, err := Update(ctx, later, func(*State) ([]Record, error) { return nil, nil })
		return nil, err
	})
	wantCode(t, err, study.LockTimeout)
	for _, part := range []string{"node7", fmt.Sprint(os.Getpid()), "since " + o.at() + " by its clock"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("no %s in %v", part, err)
		}
	}
	// Readers do not wait.
	if s := read(t, o); len(s.Trials) != 4 {
		t.Error(summary(s))
	}
}

func TestDeletedLockFile(t *testing.T) {
	o := filled(t)
	before := content(t, o.Path)
	_, err := Update(ctx, o, func(*State) ([]Record, error) {
		return []Record{{Kind: KindNote, Note: "x"}}, os.Remove(o.Path + ".lock")
	})
	wantCode(t, err, study.LockTimeout)
	if !bytes.Equal(before, content(t, o.Path)) {
		t.Error("written without the lock")
	}
	hold := &Hold{}
	defer hold.Close()
	o.Hold = hold
	update(t, o, func(s *State) ([]Record, error) { recs, _, err := s.Reserve(Asking{N: 1}); return recs, err })
	must(t, os.Remove(o.Path+".lock"))
	update(t, o, func(*State) ([]Record, error) { return []Record{{Kind: KindNote, Note: "y"}}, nil })
}

func TestReadingChangesNothing(t *testing.T) {
	o := filled(t)
	write(t, o.Path, append(content(t, o.Path), "torn"...))
	dir := filepath.Dir(o.Path)
	listing := func() string {
		entries, err := os.ReadDir(dir)
		must(t, err)
		out := ""
		for _, e := range entries {
			info, _ := e.Info()
			out += fmt.Sprintln(e.Name(), info.Size(), info.ModTime())
		}
		return out
	}
	before := listing()
	read(t, o)
	if _, err := Verify(ctx, o); err != nil {
		t.Error(err)
	}
	if after := listing(); after != before {
		t.Errorf("before\n%safter\n%s", before, after)
	}
}

func TestSymbolicLinks(t *testing.T) {
	o := filled(t)
	dir := t.TempDir()
	alias := o
	alias.Path = filepath.Join(dir, "alias.jsonl")
	must(t, os.Symlink(o.Path, alias.Path))
	mustAsk(t, alias, "", 0.9)
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("the lock is beside the link: %v", entries)
	}
	// A link in the place of the lock file is not followed.
	target := filepath.Join(dir, "precious")
	write(t, target, []byte("keep"))
	fresh := o
	fresh.Path = filepath.Join(dir, "fresh.jsonl")
	must(t, os.Symlink(target, fresh.Path+".lock"))
	_, err := ask(fresh, "", 0.5)
	wantCode(t, err, study.NotRecorded)
	if got := content(t, target); string(got) != "keep" {
		t.Errorf("the link's target became %q", got)
	}
	// Nor is one where a torn tail is saved, or anything overwritten there.
	write(t, o.Path, append(content(t, o.Path), "torn"...))
	must(t, os.Symlink(target, o.Path+".torn-15"))
	mustAsk(t, o, "", 0.95)
	if got := content(t, target); string(got) != "keep" {
		t.Errorf("the link's target became %q", got)
	}
	if got, err := os.ReadFile(o.Path + ".torn-15.2"); err != nil || string(got) != "torn" {
		t.Errorf("saved %q %v", got, err)
	}
}

func TestFileModes(t *testing.T) {
	old := unix.Umask(0o077)
	defer unix.Umask(old)
	o := filled(t)
	write(t, o.Path, append(content(t, o.Path), "torn"...))
	mustAsk(t, o, "", 0.9)
	files, _ := filepath.Glob(o.Path + "*")
	if len(files) != 3 {
		t.Errorf("files %v", files)
	}
	for _, f := range files {
		if st, err := os.Stat(f); err != nil || st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", f, st.Mode())
		}
	}
}

func TestForeignWriterIsNoticed(t *testing.T) {
	o := filled(t)
	_, err := Update(ctx, o, func(*State) ([]Record, error) {
		f, err := os.OpenFile(o.Path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		_, err = f.WriteString("echo\n")
		return []Record{{Kind: KindNote, Note: "x"}}, err
	})
	wantCode(t, err, study.NotRecorded)
	if got := content(t, o.Path); !bytes.HasSuffix(got, []byte("}\necho\n")) {
		t.Errorf("foreign bytes were touched: %q", got[len(got)-20:])
	}
}

// A small file system fills up: what was told is there, the journal is what it was
// before the command that failed, and after making room the same command succeeds.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	sizes := soak(6, 16)
	full := 0
	for i := range sizes {
		dir := t.TempDir()
		size := fmt.Sprintf("size=%dk", 16+4*i)
		if out, err := exec.Command("mount", "-t", "tmpfs", "-o", size, "tmpfs", dir).CombinedOutput(); err != nil {
			t.Skipf("no tmpfs can be mounted here: %v %s", err, out)
		}
		func() {
			defer func() { _ = exec.Command("umount", "-l", dir).Run() }()
			o := options(t)
			o.Path = filepath.Join(dir, "s.jsonl")
			ballast := filepath.Join(dir, "ballast")
			write(t, ballast, make([]byte, 4096))
			var err error
			var before []byte
			n := 0
			for err == nil && n < 2000 {
				before, _ = os.ReadFile(o.Path)
				if _, err = ask(o, fmt.Sprint("k", n), float64(n)); err == nil {
					n++
				}
			}
			if after, _ := os.ReadFile(o.Path); !bytes.Equal(after, before) {
				t.Errorf("%s: the full disk left %q", size, after[len(before):])
			}
			wantCode(t, err, study.NotRecorded)
			full++
			s := read(t, o)
			if s.Torn || s.Exists && content(t, o.Path)[len(content(t, o.Path))-1] != '\n' {
				t.Errorf("%s: a torn line was left", size)
			}
			for k := range n {
				if tr := s.ByKey(fmt.Sprint("k", k)); tr == nil || tr.State != study.Pending {
					t.Errorf("%s: trial k%d is lost", size, k)
				}
			}
			must(t, os.Remove(ballast))
			mustAsk(t, o, fmt.Sprint("k", n), float64(n))
		}()
	}
	figure(t, "full disks", full, sizes)
}
