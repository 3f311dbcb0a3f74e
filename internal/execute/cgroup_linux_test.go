package execute

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A daemon that leaves its group, gives up its parent, clears its environment and closes what it inherited ends with
// its trial all the same, in a control group or, where none can be made, as an orphan that this process adopts.
func TestDaemonEndsWithItsTrial(t *testing.T) {
	parent := cgroupParent()
	t.Run("adopted", func(t *testing.T) {
		cgroupParent = func() string { return "" }
		defer func() { cgroupParent = func() string { return parent } }()
		daemonEnds(t)
	})
	t.Run("control group", func(t *testing.T) {
		if parent == "" {
			t.Skip("no control groups (version 2) can be made here")
		}
		daemonEnds(t)
		in, dir := newCgroup(parent)
		if in == "" {
			t.Fatal("no control group")
		}
		dir.Close()
		endCgroup(in)
		if _, err := os.Stat(in); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", in, err)
		}
	})
}

func daemonEnds(t *testing.T) {
	c, err := newCommand(commandStudy(t, `(exec env -i setsid sh -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 60' <&- >&- 2>&- &)
while ! [ -e pid ]; do sleep 0.01; done; echo 0.5`), t.TempDir())
	must(t, err)
	if a, err := runOnce(t, t.Context(), c, `{"mode":"off"}`); err != nil || a.err != nil {
		t.Fatal(err, a.err)
	}
	text, err := os.ReadFile(c.dir + "/pid")
	must(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	must(t, err)
	for try := 0; ; try++ {
		f := stat(pid)
		if len(f) == 0 || f[0] == "Z" || f[0] == "X" {
			break
		}
		if try == 100 {
			t.Fatalf("process %d is left: %v", pid, f)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
