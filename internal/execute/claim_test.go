package execute

import (
	"os"
	"os/exec"
	"sync"
	"testing"

	"bohier/internal/study"
)

// A trial that this process gave up can be taken again at once, while other commands start.
func TestTrialIsFreeAfterItsClaim(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	l := &loop{trials: t.TempDir(), self: thisProcess()}
	trial := &study.Trial{Number: 1, Tag: "abcd"}
	over := make(chan struct{})
	var starts sync.WaitGroup
	defer starts.Wait()
	defer close(over)
	for range 4 {
		starts.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
					_ = exec.Command(self, "-test.run=^$").Run()
				}
			}
		})
	}
	for n := range 2000 {
		c, err := l.claim(trial)
		if err != nil {
			t.Fatal(err)
		}
		if c == nil {
			t.Fatalf("after %d claims another process runs the trial", n)
		}
		c.Close()
	}
}
