//go:build unix

package journal

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

func init() {
	if os.Getenv("BOHIER_FAILPOINT") != "" {
		failpoint, failwrite = killAt, killIn
	}
}

var failpointsPassed int

// killAt kills the process at the name and occurrence that the environment variable BOHIER_FAILPOINT=name:occurrence
// names; the name "any" is every failpoint.
func killAt(name string) {
	want, nth, _ := strings.Cut(os.Getenv("BOHIER_FAILPOINT"), ":")
	if want != name && want != "any" {
		return
	}
	failpointsPassed++
	if n, _ := strconv.Atoi(nth); failpointsPassed == max(n, 1) {
		die()
	}
}

// killIn kills the process after n bytes of b, with BOHIER_FAILPOINT=short:n
// for a line of the journal and file:n for a file beside it.
func killIn(what string, f file, b []byte) {
	want, n, _ := strings.Cut(os.Getenv("BOHIER_FAILPOINT"), ":")
	if want != what {
		return
	}
	size, _ := strconv.Atoi(n)
	_, _ = f.Write(b[:min(size, len(b))])
	die()
}

// die ends the process, or with BOHIER_FAILPOINT_STOP=1 pauses it until it gets the signal CONT.
func die() {
	if os.Getenv("BOHIER_FAILPOINT_STOP") != "" {
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		return
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}
