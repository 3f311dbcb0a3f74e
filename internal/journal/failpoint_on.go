//go:build failpoints

package journal

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

var failpointsPassed int

// failpoint kills the process at the name and occurrence that the environment
// variable BOHIER_FAILPOINT=name:occurrence names; the name "any" is every
// failpoint.
func failpoint(name string) {
	want, nth, _ := strings.Cut(os.Getenv("BOHIER_FAILPOINT"), ":")
	if want != name && want != "any" {
		return
	}
	failpointsPassed++
	if n, _ := strconv.Atoi(nth); failpointsPassed == max(n, 1) {
		die()
	}
}

// failwrite kills the process after n bytes of a line, with
// BOHIER_FAILPOINT=short:n.
func failwrite(f file, line []byte) {
	want, n, _ := strings.Cut(os.Getenv("BOHIER_FAILPOINT"), ":")
	if want != "short" {
		return
	}
	size, _ := strconv.Atoi(n)
	_, _ = f.Write(line[:min(size, len(line))])
	die()
}

func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}
