package execute

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// groupAttributes put a command in a group of its own.
func groupAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// nonBlocking is not needed here: pipes have names of their own.
const nonBlocking = 0

// stopGroup asks the processes of a group that share the console to end, killGroup
// ends its first process with all that it started.
func stopGroup(id int) {
	_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(id))
}

func killGroup(id int) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(id)).Run()
}

// endedBySignal reports whether a command ended by Ctrl-C, by Ctrl-Break or with the console.
func endedBySignal(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	return ok && uint32(exit.ExitCode()) == uint32(windows.STATUS_CONTROL_C_EXIT)
}

// bootID names this machine; empty: unknown. Since which start of it is no matter
// where the time at which a process began says the date, too.
func bootID() string {
	k, err := registry.OpenKey(registry.LOCAL_MACHINE, `SOFTWARE\Microsoft\Cryptography`,
		registry.QUERY_VALUE|registry.WOW64_64KEY)
	if err != nil {
		return ""
	}
	defer k.Close()
	id, _, _ := k.GetStringValue("MachineGuid")
	return id
}

// startTime is when a process began, in 100 ns; empty: there is none.
func startTime(pid int) string {
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer func() { _ = windows.CloseHandle(p) }()
	var code uint32
	if err := windows.GetExitCodeProcess(p, &code); err != nil || code != stillActive {
		return ""
	}
	var began, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(p, &began, &ended, &kernel, &user); err != nil {
		return ""
	}
	return strconv.FormatInt(began.Nanoseconds(), 10)
}

const stillActive = 259 // the exit code of a process that runs

// groupLives reports whether the first process of the group that ran a trial is left.
func groupLives(id int, started, _ string) bool { return startTime(id) == started && started != "" }

// lockAt is a byte beyond all content, since nobody can read locked bytes here.
const lockAt = 1 << 30

// tryLock locks an open file for this process, or for reading where shared is set. ok is false where another process
// has it; supported is false where the file system has no such locks.
func tryLock(f *os.File, shared bool) (ok, supported bool, err error) {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !shared {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err = windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{OffsetHigh: lockAt})
	switch {
	case err == nil:
		return true, true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, true, nil
	case errors.Is(err, windows.ERROR_NOT_SUPPORTED), errors.Is(err, windows.ERROR_INVALID_FUNCTION):
		return false, false, nil
	}
	return false, true, err
}

// guard has nothing to guard with here: the job does (see adoptOrphans).
func guard(string, string) (pid int, assign func(group int), release func()) {
	return 0, func(int) {}, func() {}
}

// adoptOrphans puts this process in a job, as all processes that it begins will be; the system ends them when the last
// handle of the job is closed, which is when this process ends, however it ends.
var adoptOrphans = sync.OnceFunc(func() {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return // the next run ends the processes that a killed one leaves
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, windows.CurrentProcess())
	}
	if err != nil {
		_ = windows.CloseHandle(job) // the same
	}
})
