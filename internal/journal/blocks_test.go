//go:build linux

package journal

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// recorder is a disk for nbdkit: the file $DISK, each write with its place and data in
// $DISK.log, each flush between them.
const recorder = `#!/bin/sh
case $1 in
thread_model) echo serialize_all_requests ;;
get_size) stat -c %s "$DISK" ;;
pread) dd if="$DISK" iflag=skip_bytes,count_bytes skip="$4" count="$3" bs=64k status=none ;;
pwrite)
	cat >"$DISK.block"
	{ echo "w $4 $3"; cat "$DISK.block"; } >>"$DISK.log"
	dd if="$DISK.block" of="$DISK" oflag=seek_bytes seek="$4" conv=notrunc bs=64k status=none
	;;
flush) echo f >>"$DISK.log" ;;
can_write | can_flush) ;;
*) exit 2 ;;
esac
`

// Power failures below the file system: the program works on a file system whose disk records its writes and flushes
// (nbdkit, mounted by nbdfuse and a loop device). After each of them the disk comes back as one with a cache might:
// with what was written before the last flush, and of the rest some, in sectors. The kernel mounts that, and there the
// program has all that it had acknowledged and works on, as in the test above the file system. Real file systems and
// disks do no worse.
func TestPowerFailsUnderTheFileSystem(t *testing.T) {
	if soak(0, 1) == 0 {
		t.Skip("runs some thousand processes: with BOHIER_SOAK=1")
	}
	for _, tool := range []string{"nbdkit", "nbdfuse", "mkfs.ext4", "mount", "umount", "dd"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs " + tool)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("needs root")
	}
	for _, mode := range []string{"ordered", "writeback", "journal"} {
		t.Run(mode, func(t *testing.T) { powerFailsUnder(t, mode) })
	}
}

func powerFailsUnder(t *testing.T, mode string) {
	dir := t.TempDir()
	disk, served, mounted := filepath.Join(dir, "disk"), filepath.Join(dir, "served"), filepath.Join(dir, "mounted")
	write(t, filepath.Join(dir, "recorder"), []byte(recorder))
	for _, err := range []error{os.Chmod(filepath.Join(dir, "recorder"), 0o755), os.Mkdir(served, 0o777),
		os.Mkdir(mounted, 0o777),
		os.WriteFile(disk, nil, 0o666), os.Truncate(disk, 16<<20)} {
		must(t, err)
	}
	sh := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	sh("mkfs.ext4", "-q", "-F", disk)
	before := content(t, disk)
	server := exec.Command("nbdfuse", filepath.Join(served, "disk"), "--command", "nbdkit", "-s", "sh",
		filepath.Join(dir, "recorder"))
	server.Env = append(os.Environ(), "DISK="+disk)
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	must(t, server.Start())
	t.Cleanup(func() {
		_ = exec.Command("umount", mounted).Run()
		_ = exec.Command("umount", served).Run()
		_ = server.Wait()
	})
	for try := 0; ; try++ {
		if _, err := os.Stat(filepath.Join(served, "disk")); err == nil {
			break
		}
		if try == 200 {
			t.Skip("no file system in user space can be mounted here")
		}
		time.Sleep(50 * time.Millisecond)
	}
	if out, err := exec.Command("mount", "-o", "loop,data="+mode, filepath.Join(served, "disk"),
		mounted).CombinedOutput(); err != nil {
		t.Skipf("no loop device can be mounted here: %v: %s", err, out)
	}
	bohier := builtProgram(t)
	write(t, filepath.Join(mounted, "bohier.yaml"), powerStudy)
	write(t, filepath.Join(mounted, "other.jsonl"), otherJournal(t, bohier))
	sh("sync", "-f", mounted)
	r := newRand(9)
	begin, states := len(readBlocks(t, disk+".log")), 0
	check := func(what string, from int, acked []string) {
		t.Helper()
		events := readBlocks(t, disk+".log")
		begin = len(events)
		for k := from; k <= len(events); k++ {
			if k > from && k < len(events) && r.IntN(max(1, (len(events)-from)/40)) > 0 {
				continue // some forty of a command's
			}
			for range 2 { // other sectors are lost each time
				states++
				image := filepath.Join(dir, "image")
				write(t, image, afterFailure(bytes.Clone(before), events[:k], r))
				if err := wakes(t.TempDir(), bohier, filesOf(t, image), acked); err != nil {
					t.Fatalf("%s, after %d of %d writes and flushes: %v", what, k-from, len(events)-from, err)
				}
			}
		}
	}
	var all []string
	playHistory(t, func(_ int, args, acked []string) string {
		cmd := exec.Command(bohier, args...)
		cmd.Dir = mounted
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		check(strings.Join(args, " "), begin, acked)
		all = acked
		return string(out)
	})
	check("at the end", begin, all)
	figure(t, "power failures below the file system", states, 150)
}

// A block is a write to a disk; nil data stand for a flush of all before.
type block struct {
	off  int64
	data []byte
}

func readBlocks(t *testing.T, log string) (out []block) {
	t.Helper()
	b := content(t, log)
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte{'\n'})
		b = rest
		if string(line) == "f" {
			out = append(out, block{})
			continue
		}
		var w block
		n := 0
		if _, err := fmt.Sscanf(string(line), "w %d %d", &w.off, &n); err != nil || n > len(b) {
			t.Fatalf("%q: %v", line, err)
		}
		w.data, b = b[:n], b[n:]
		out = append(out, w)
	}
	return out
}

// afterFailure is a disk after the first events, when the power fails: of the sectors
// written since the last flush none, some or all are there.
func afterFailure(disk []byte, events []block, r *rand.Rand) []byte {
	flushed := 0
	for k, e := range events {
		if e.data == nil {
			flushed = k
		}
	}
	kept := r.IntN(3) // of the rest: 0 none, 1 all, 2 some
	for k, e := range events {
		const sector = 512
		for at := 0; at < len(e.data); at += sector {
			if k < flushed || kept == 1 || kept == 2 && r.IntN(2) == 0 {
				copy(disk[e.off+int64(at):], e.data[at:min(at+sector, len(e.data))])
			}
		}
	}
	return disk
}

// filesOf are the files of the program on a disk, after the kernel has mounted it.
func filesOf(t *testing.T, image string) map[string][]byte {
	t.Helper()
	mounted := t.TempDir()
	if out, err := exec.Command("mount", "-o", "loop", image, mounted).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	defer func() {
		if out, err := exec.Command("umount", mounted).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}()
	files := map[string][]byte{}
	names, err := filepath.Glob(filepath.Join(mounted, "bohier.*"))
	must(t, err)
	for _, name := range names {
		files[filepath.Base(name)] = content(t, name)
	}
	return files
}
