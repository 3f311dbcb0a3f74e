//go:build unix

package peers

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// isolate puts the command and what it starts into a process group of their own, which ends with it.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// residentKB is the largest resident set in KiB.
func residentKB(s *os.ProcessState) int64 {
	use, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(use.Maxrss) / 1024 //nolint:unconvert // an int32 on some systems; bytes there
	}
	return int64(use.Maxrss) //nolint:unconvert // an int32 on some systems
}
