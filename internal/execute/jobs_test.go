package execute

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"bohier/internal/study"
)

// TestLateResult holds that the result of a job that is gone is waited for, however often the
// scheduler is asked, and that one that does not come is a failure.
func TestLateResult(t *testing.T) {
	for _, every := range []time.Duration{time.Millisecond, time.Hour} {
		c := mustCommand(t, commandStudy(t, "true"), ".")
		j := &jobs{command: *c, late: 600 * time.Millisecond, Jobs: &study.Jobs{Every: every}}
		dir := t.TempDir()
		f := files{result: filepath.Join(dir, "result.json"), out: &capture{path: dir}}
		begun := time.Now()
		if a, err := j.result(t.Context(), f); err != nil || a.err == nil || time.Since(begun) < j.late {
			t.Errorf("asked every %v: without a result after %v: %v, %v", every, time.Since(begun), a.err, err)
		}
		time.AfterFunc(j.late/4, func() { _ = os.WriteFile(f.result, []byte("0.5"), 0o600) })
		if a, err := j.result(t.Context(), f); err != nil || a.err != nil || a.result.Values.Of("loss") != 0.5 {
			t.Errorf("asked every %v: a late result: %+v, %v", every, a.result, err)
		}
	}
}
