package journal

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Each fault is a mistake this package must never make. With it the named tests
// have to fail: they are the tests' own test.
var faults = []struct{ name, file, old, new, tests string }{
	{"no lock", "lock.go", "ok, err := l.f.TryLock(off)", "ok, err := true, error(nil)",
		"TestConcurrency|TestLockTimeout"},
	{"no sync", "write.go", "if err := w.f.Sync(); err != nil {\n\t\t\treturn w.unknown(err)\n\t\t}", "", "TestCrash"},
	{"failed sync ignored", "write.go", "return w.unknown(err)", "_ = w.unknown", "TestFailingCalls"},
	{"short write not taken back", "write.go", "if err = w.f.Truncate(w.tail.end); err == nil {", "if true {",
		"TestFailingCalls|TestFileSizeLimit"},
	{"checksum unchecked", "decode.go", "ok && sum == crc(line[:n])", "ok", "TestMutations"},
	{"chain unchecked", "frame.go", "if r.Seq != n+1 || r.Prev != prev {", "if false {", "TestMutations"},
	{"torn tail not cut", "create.go", "if err := w.f.Truncate(w.tail.end); err != nil {",
		"if err := error(nil); err != nil {", "TestTruncateEverywhere"},
	{"torn tail not kept", "create.go", "err := createFile(o.fs, to, func", "return nil\n\t\terr := createFile(o.fs, to, func", "TestTruncateEverywhere"},
	{"damage cut like a torn tail", "frame.go", "src.all(rest) && torn(rest, closed) && (n > 0", "true || (n > 0",
		"TestMutations|TestRepairDamage"},
	{"directory not synced", "create.go", "if err := o.fs.SyncDir(dir); err != nil {",
		"if err, _ := error(nil), dir; err != nil {", "TestCrash"},
	{"created in place", "create.go", "err = o.fs.Link(tmp, o.Path)",
		"err = createFile(o.fs, o.Path, func(f file) error { return writeAll(f, [][]byte{bytes.Join(lines, nil)[:20]}) })", "TestFailingCalls|TestCrash|TestAskTellRead"},
	{"unsynced records acknowledged", "update.go", "if !w.known && w.state.Exists {", "if false {", "TestCrash"},
	{"decided from an old state", "update.go", "f, err := choose.lines(ctx, &o, w.state, ",
		"stale := w.state; if old, err := ReadUpTo(ctx, o, stale.Seq-1); err == nil { stale = old }; " +
			"f, err := choose.lines(ctx, &o, stale, ",
		"TestAskTellRead"},
	{"roll-back unnoticed", "read.go", "case m.Seq > s.Seq:", "case false:", "TestRolledBackAndForked"},
	{"lease not watched", "lease.go", "if isFree(last) || o.clock.Now()-since >= leaseTime {", "if _ = since; true {",
		"TestLeasesNeverOverlap"},
	{"paused holder writes on", "lease.go", "return l.o.clock.Now()-l.start > leaseTime/2", "return false",
		"TestLeasesNeverOverlap"},
	{"two followers of a lease", "lease_claim.go", "err = l.o.fs.Link(l.name(kind), to)",
		"err = l.o.fs.Rename(l.name(kind), to)", "TestLeaseInterleavings"},
	{"no look at the list", "lease_claim.go", "now, err := leaseMembers(o)", "now, err := []string{l.nonce}, error(nil)",
		"TestLeaseInterleavings"},
	{"broken holder's file stays", "lease_claim.go", "if broken {\n\t\treturn l.replaceJournal()",
		"if false {\n\t\treturn l.replaceJournal()", "TestHeldUpUnderTheLease"},
	{"broken holder renames on", "lease_claim.go", "{ownName, freeName, copyName, newName} {\n\t\t\tif err",
		"{freeName} {\n\t\t\tif err", "TestLeaseInterleavings"},
	{"broken holder proves its lease", "lease_claim.go", "{ownName, freeName, copyName, newName} {\n\t\t\tif err",
		"{ownName, copyName, newName} {\n\t\t\tif err", "TestLeaseInterleavings"},
	{"acknowledged without the lease", "update.go", "if err := w.lock.confirm(); err != nil {",
		"if err := w.lock.confirm(); false {", "TestLeaseInterleavings"},
	{"journal opened late", "lock.go", "if l.lease == nil {\n\t\treturn l.o.fs.Open", "if true {\n\t\treturn l.o.fs.Open",
		"TestLeaseInterleavings"},
	{"no queue for the lock", "lock.go", "err := l.take(ctx, queueByte, kind, deadline)", "err := error(nil)",
		"TestWhoWaitsComesNext"},
	{"failing reservation lock unexpected", "write.go", "return notRecorded(o, err)\n\t\t}\n\t}",
		"return err\n\t\t}\n\t}", "TestFailingCalls"},
	{"directory not synced for a dead creator", "update.go", "err = o.fs.SyncDir(filepath.Dir(o.Path))",
		"_ = filepath.Dir", "TestCrash"},
	{"repair stops at a gap", "verify.go", "r.Trial-next < r.Seq-last {", "next < 0 && r.Trial-next < r.Seq-last {",
		"TestRepairKeepsLaterTrials"},
	{"deleted lock file unnoticed", "lock.go", "if !l.f.At(l.o.lockPath()) {", "if false {", "TestDeletedLockFile"},
	{"taken back without the lock", "write.go", "if err := w.lock.valid(); err != nil {\n\t\treturn perhapsRecorded",
		"if err := w.lock.valid(); false {\n\t\treturn perhapsRecorded", "TestNothingIsTakenBackWithoutTheLock"},
	{"archive not repeatable", "create.go", "&& sameContent(o.fs, to, f)", "&& false", "TestKillRepairAndArchive"},
	{"replay in today's space", "state.go", "if sp != nil && (s.space == nil", "if false && (s.space == nil",
		"TestReplayUsesTheRecordedSpace"},
	{"no later fill", "read.go", "same && (fill == nil || !outside)", "same && (fill == nil || outside || !outside)",
		"TestMigrateFillsLater"},
	{"old mark kept while repairing", "repair.go", "generation, err := l.newGeneration()",
		"generation, err := \"\", error(nil)", "TestKillRepairAndArchive"},
	{"late mark believed", "mark.go", "g.Nonce != m.Generation {", "false {", "TestMarkComesLate"},
	{"reservation not held", "lock.go", "if ok, err = f.TryLock(at); err != nil || !ok {", "if ok = true; false {",
		"TestReleaseAndOrphans"},
	{"origin not carried on", "merge.go", "if strings.HasPrefix(t.Key, mergePrefix) {",
		"if false && strings.HasPrefix(t.Key, mergePrefix) {", "TestMergeConverges|TestMergeBothWays"},
	{"measurements merged again", "history.go", "count(&other[i]) > h.count(&other[i])", "count(&other[i]) > 0",
		"TestMergeConverges"},
	{"measurements lost by a correction", "history.go", "return append(more, other.further(h)...)", "return more",
		"TestMergeConverges"},
	{"anything is a torn header", "frame.go", "(n > 0 || len(bytes.Trim(rest, \"\\x00\")) == 0)", "true",
		"TestForeignFiles|TestTruncateEverywhere"},
	{"foreign lock file taken", "lock.go", "if !ownLockFile(l.f) {", "if false {", "TestForeignFiles"},
	{"tags ignored", "state.go", "(!tagged || t.Tag == tag)", "true", "TestAskTellRead"},
}

// TestFaults builds the package with one fault at a time, as an overlay, and runs the tests that must notice.
func TestFaults(t *testing.T) {
	for _, f := range faults {
		if n := strings.Count(string(content(t, f.file)), f.old); n != 1 {
			t.Fatalf("%s: %q stands %d times in %s", f.name, f.old, n, f.file)
		}
	}
	if os.Getenv("BOHIER_SOAK") == "" {
		t.Skip("set BOHIER_SOAK=1: it builds the package once for every fault")
	}
	caught, ran := 0, 0
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			ran++
			text := strings.Replace(string(content(t, f.file)), f.old, f.new, 1)
			if strings.Contains(f.new, "time.Sleep") {
				text = strings.Replace(text, "import (", "import (\n\t\"time\"", 1)
			}
			dir := t.TempDir()
			bad := filepath.Join(dir, f.file)
			write(t, bad, []byte(text))
			here, err := filepath.Abs(f.file)
			must(t, err)
			overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{here: bad}})
			must(t, err)
			write(t, filepath.Join(dir, "overlay.json"), overlay)
			cmd := exec.Command("go", "test", "-vet=off", "-timeout", "120s", "-run", f.tests, ".")
			// By the environment the fault is also in what the tests build themselves.
			cmd.Env = append(os.Environ(), "BOHIER_SOAK=", "GOFLAGS=-overlay="+filepath.Join(dir, "overlay.json"))
			out, err := cmd.CombinedOutput()
			switch {
			case strings.Contains(string(out), "[build failed]"):
				t.Fatalf("the fault does not build:\n%s", out)
			case err == nil:
				t.Errorf("not caught by %s", f.tests)
			default:
				caught++
			}
		})
	}
	figure(t, "seeded faults caught", caught, ran)
}
