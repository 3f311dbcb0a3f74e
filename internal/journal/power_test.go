package journal

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Power failures below the program: every command of a history runs under strace, its writes, syncs and changes of
// names are recorded, and after each of them files come back as a disk might have them: what was not synced absent, in
// part, as NULs or without what came before, names as of any moment since the last sync of the directory. There the
// program itself verifies, has all that it had acknowledged, observes and suggests.
func TestPowerFailsUnderTheProgram(t *testing.T) {
	if soak(0, 1) == 0 {
		t.Skip("runs some thousand processes: with BOHIER_SOAK=1")
	}
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("needs strace")
	}
	dir := t.TempDir()
	bohier := builtProgram(t)
	write(t, filepath.Join(dir, "bohier.yaml"), powerStudy)
	write(t, filepath.Join(dir, "other.jsonl"), otherJournal(t, bohier))
	p := &powerless{m: newMemFS(), dir: dir, open: map[string]file{}}
	states := 0
	playHistory(t, func(n int, args, acked []string) string {
		trace := filepath.Join(t.TempDir(), "trace")
		cmd := exec.Command("strace", append([]string{"-f", "-y", "-xx", "-s", "1000000", "-o", trace,
			"-e", "trace=openat,write,pwrite64,fdatasync,fsync,ftruncate,link,linkat,rename,renameat,renameat2,unlink,unlinkat",
			bohier}, args...)...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		events, err := readTrace(trace)
		must(t, err)
		changes := 0
		for k, e := range events {
			if !p.apply(e) {
				continue
			}
			changes++
			for sub := range 4 {
				files := map[string][]byte{}
				for name, n := range p.m.powerFailure(newRand(uint64(n)<<40 | uint64(k)<<8 | uint64(sub))).names {
					files[filepath.Base(name)] = n.data
				}
				states++
				if err := wakes(t.TempDir(), bohier, files, acked); err != nil {
					t.Fatalf("%q, after %d of its calls, %s: %v", args, k+1, e.call, err)
				}
			}
		}
		if changes == 0 {
			t.Fatalf("%q changed nothing: %d calls", args, len(events))
		}
		return string(out)
	})
	figure(t, "power failures below the program", states, 200)
}

var powerStudy = []byte("space: {x: {type: float, low: 0, high: 1}}\nobjective: {name: loss, direction: " +
	"minimize}\ninitial: {count: 1000}\n")

// builtProgram is the program itself.
func builtProgram(t *testing.T) string {
	t.Helper()
	bohier := filepath.Join(t.TempDir(), "bohier")
	if out, err := exec.Command("go", "build", "-o", bohier, "../../cmd/bohier").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bohier
}

// otherJournal is one of two trials, measured one after the other.
func otherJournal(t *testing.T, bohier string) []byte {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "bohier.yaml"), powerStudy)
	for _, v := range []string{"6.5", "7.5"} {
		cmd := exec.Command(bohier, "add", "-q", "x=0.75", "loss="+v)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return content(t, filepath.Join(dir, "bohier.journal.jsonl"))
}

// playHistory has run do the commands of a history, one after the other, and return what
// they print. acked is what had been acknowledged before, as it stands in the journal.
func playHistory(t *testing.T, run func(n int, args, acked []string) string) {
	t.Helper()
	var acked []string
	id := ""
	for n, args := range [][]string{
		{"suggest", "-q", "-o", "id"}, {"observe", "-q", "ID", "1.5"}, {"add", "-q", "x=0.25", "loss=2.5", "--key", "a"},
		{"suggest", "-q", "-o", "id", "--key", "k"}, {"enqueue", "-q", "x=0.5", "--key", "q"},
		{"observe", "-q", "ID", "3.5", "--metric", "acc=1"},
		{"observe", "-q", "ID", "4.5", "--replicate", "--key", "r"}, {"suggest", "-q", "-o", "id", "-n", "1"},
		{"observe", "-q", "ID", "5.5"}, {"journal", "merge", "other.jsonl"},
	} {
		for k := range args {
			if args[k] == "ID" {
				args[k] = id
			}
		}
		out := run(n, args, acked)
		switch args[0] {
		case "suggest":
			id = strings.TrimSpace(out)
			acked = append(acked, `"id":"`+id+`"`)
		case "observe", "add":
			v := args[len(args)-1]
			for _, a := range args {
				if strings.HasSuffix(a, ".5") {
					v = strings.TrimPrefix(a, "loss=")
				}
			}
			acked = append(acked, `"loss":`+v)
		case "journal":
			acked = append(acked, `"loss":6.5`, `"loss":7.5`)
		}
	}
}

// wakes puts files where a machine would find them again, and works on.
func wakes(dir, bohier string, files map[string][]byte, acked []string) error {
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "bohier.yaml"), powerStudy, 0o666); err != nil {
		return err
	}
	run := func(args ...string) (string, error) {
		cmd := exec.Command(bohier, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%q: %w: %s", args, err, out)
		}
		return string(out), err
	}
	all := func() error {
		data, _ := os.ReadFile(filepath.Join(dir, "bohier.journal.jsonl"))
		for _, a := range acked {
			tag, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(a, `"id":"`), `"`), "\n")
			if _, t, is := strings.Cut(tag, "-"); is && strings.HasPrefix(a, `"id"`) {
				a = `"tag":"` + t + `"`
			}
			if !strings.Contains(string(data), a) {
				return fmt.Errorf("%s was acknowledged and is gone from\n%s", a, data)
			}
		}
		return nil
	}
	if len(acked) > 0 {
		if _, err := run("journal", "verify"); err != nil {
			return err
		}
	}
	if err := all(); err != nil {
		return err
	}
	id, err := run("suggest", "-q", "-o", "id")
	if err == nil {
		_, err = run("observe", "-q", strings.TrimSpace(id), "0.125")
	}
	if err == nil {
		_, err = run("journal", "verify")
	}
	if err == nil {
		err = all()
	}
	return err
}

// A call is one line of a trace: its name and its arguments, strings decoded.
type call struct {
	call string
	args []string
}

// A powerless file system hears what a program did to a real one.
type powerless struct {
	m    *memFS
	dir  string
	open map[string]file // by descriptor
}

var (
	traceLine = regexp.MustCompile(`^(\d+) +(.*)$`)
	traceCall = regexp.MustCompile(`^(\w+)\((.*)\) += (-?\d+)(<[^>]*>)?( .*)?$`)
	traceArg  = regexp.MustCompile(`\s*"((?:\\x[0-9a-f]{2})*)"|[^,]+`)
)

// readTrace is the calls of a trace that succeeded, in order.
func readTrace(name string) ([]call, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	begun := map[string]string{} // by thread: a call that was not finished
	var out []call
	for _, line := range strings.Split(string(b), "\n") {
		m := traceLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		text := m[2]
		if head, ok := strings.CutSuffix(text, " <unfinished ...>"); ok {
			begun[m[1]] = head
			continue
		}
		if _, rest, ok := strings.Cut(text, " resumed>"); ok && strings.HasPrefix(text, "<...") {
			text = begun[m[1]] + rest
		}
		c := traceCall.FindStringSubmatch(text)
		if c == nil || strings.HasPrefix(c[3], "-") {
			continue
		}
		e := call{call: c[1]}
		for _, a := range traceArg.FindAllStringSubmatch(c[2], -1) {
			arg := strings.TrimSpace(a[0])
			if strings.HasPrefix(arg, `"`) {
				raw, err := hex.DecodeString(strings.ReplaceAll(a[1], `\x`, ""))
				if err != nil {
					return nil, err
				}
				arg = string(raw)
			}
			e.args = append(e.args, arg)
		}
		e.args = append(e.args, c[3]+c[4])
		out = append(out, e)
	}
	return out, nil
}

// apply does a call to the file system in memory, and tells whether it was one that concerns it.
func (p *powerless) apply(c call) bool {
	name := func(s string) string {
		if !filepath.IsAbs(s) {
			s = filepath.Join(p.dir, s)
		}
		return s
	}
	ours := func(s string) bool { return filepath.Dir(name(s)) == p.dir && filepath.Base(s) != "bohier.yaml" }
	number, _, _ := strings.Cut(c.args[0], "<")
	f := p.open[number]
	switch c.call {
	case "openat":
		fd, _, _ := strings.Cut(c.args[len(c.args)-1], "<")
		delete(p.open, fd)
		if !ours(c.args[1]) || strings.Contains(c.args[2], "O_DIRECTORY") || c.args[1] == "." {
			return false
		}
		flag := 0
		if strings.Contains(c.args[2], "O_CREAT") {
			flag = os.O_CREATE
		}
		before := len(p.m.names)
		g, err := p.m.Open(name(c.args[1]), flag, 0)
		if err != nil {
			return false
		}
		p.open[fd] = g
		return len(p.m.names) != before
	case "write", "pwrite64":
		if f == nil {
			return false
		}
		n, _ := strconv.Atoi(c.args[len(c.args)-1])
		if c.call == "write" {
			_, _ = f.Write([]byte(c.args[1][:n]))
		} else {
			off, _ := strconv.ParseInt(c.args[3], 10, 64)
			_, _ = f.WriteAt([]byte(c.args[1][:n]), off)
		}
	case "ftruncate":
		if f == nil {
			return false
		}
		size, _ := strconv.ParseInt(c.args[1], 10, 64)
		_ = f.Truncate(size)
	case "fdatasync", "fsync":
		if f == nil {
			if c.call == "fdatasync" {
				return false
			}
			_ = p.m.SyncDir(p.dir)
			return true
		}
		_ = f.Sync()
	case "link", "rename":
		return p.names(c.call, name(c.args[0]), name(c.args[1]))
	case "linkat", "renameat", "renameat2":
		return p.names(strings.TrimSuffix(strings.TrimSuffix(c.call, "2"), "at"), name(c.args[1]), name(c.args[3]))
	case "unlink":
		return p.m.Remove(name(c.args[0])) == nil
	case "unlinkat":
		return p.m.Remove(name(c.args[1])) == nil
	}
	return true
}

func (p *powerless) names(call, from, to string) bool {
	if call == "link" {
		return p.m.Link(from, to) == nil
	}
	return p.m.Rename(from, to) == nil
}
