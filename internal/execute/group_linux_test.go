package execute

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"bohier/internal/study"
)

// TestStartWithoutDescriptors gives a command the last descriptor that the limit allows, so that
// a fork has no number above it for the copies that it makes.
func TestStartWithoutDescriptors(t *testing.T) {
	var limit syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
	cgroupParent() // which is found out once, and not without descriptors
	must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 64, Max: limit.Max}))
	var all []*os.File
	for {
		f, err := os.Open(os.DevNull)
		if errors.Is(err, syscall.EMFILE) {
			break
		}
		must(t, err)
		defer f.Close()
		all = append(all, f)
	}
	for _, f := range all[:len(all)-1] {
		f.Close()
	}
	cmd := exec.Command("/bin/sh", "-c", ":")
	cmd.Stdout = all[len(all)-1]
	ended, _, forget, err := start(cmd, runMark("none"), new(time.Duration))
	if err == nil {
		<-ended
		forget()
		t.Fatal("it was started")
	}
	if !errors.Is(err, syscall.EMFILE) || !study.Refused(err) {
		t.Errorf("%v is no refusal for want of descriptors", err)
	}
}
