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
// variable BOHIER_FAILPOINT=name:occurrence names. With the name "any" every
// failpoint counts.
func failpoint(name string) {
	want, nth, _ := strings.Cut(os.Getenv("BOHIER_FAILPOINT"), ":")
	if want != name && want != "any" {
		return
	}
	failpointsPassed++
	if n, _ := strconv.Atoi(nth); failpointsPassed == max(n, 1) {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}
