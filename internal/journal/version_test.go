package journal

import (
	"os"
	"path/filepath"
	"testing"
)

// Journals of every released version stay readable and verifiable. Run with
// BOHIER_WRITE_JOURNAL=name to add one for a new release.
func TestReleasedJournals(t *testing.T) {
	if name := os.Getenv("BOHIER_WRITE_JOURNAL"); name != "" {
		data, _ := memJournal(t)
		write(t, filepath.Join("testdata", name), data)
	}
	files, err := filepath.Glob("testdata/v*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no released journals", err)
	}
	for _, f := range files {
		o := Options{Path: f, Space: line{"one"}}
		s := read(t, o)
		c := counts(s)
		if len(s.Trials) != 6 || c["complete"] != 5 || c["abandoned"] != 1 || len(s.Queue) != 1 || s.Seed != 42 {
			t.Errorf("%s: %v, %d queued", f, c, len(s.Queue))
		}
		if s.Trials[0].Values.Of("loss") != 5 || len(s.Trials[5].Replicates)+len(s.Trials[2].Replicates) != 1 {
			t.Errorf("%s:\n%s", f, summary(s))
		}
		if rep, err := Verify(ctx, o); err != nil || len(rep.Problems) > 0 {
			t.Errorf("%s: %+v %v", f, rep, err)
		}
	}
}
