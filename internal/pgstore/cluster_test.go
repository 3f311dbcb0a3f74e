package pgstore

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bohier/internal/journal"
	"bohier/internal/pgstore/pgtest"
)

// receive has a program receive the server's log of changes, as a standby does, until the test
// ends.
func receive(tb testing.TB, c *pgtest.Cluster) {
	tb.Helper()
	dir := filepath.Join(c.Dir, "received")
	if err := os.Mkdir(dir, 0o700); err != nil {
		tb.Fatal(err)
	}
	give(c, dir)
	background(c, filepath.Join(c.Bin, "pg_receivewal"), "-D", dir, "-h", c.Dir, "-p", strconv.Itoa(c.Port), "-U",
		"postgres")
	for try := 0; c.SQL("postgres", "SELECT count(*) FROM pg_stat_replication") == "0"; try++ {
		if try == 200 {
			tb.Fatal("nobody receives what the server writes")
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// clock is a library before libc whose wall clock is off by CLOCK_OFF seconds. (That of
// libfaketime is right in signal handlers, in which the server looks at its timeouts.)
const clock = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long off;
__attribute__((constructor)) static void begin(void) { const char *s = getenv("CLOCK_OFF"); if (s) off = atol(s); }
int clock_gettime(clockid_t id, struct timespec *t) {
	int r = syscall(SYS_clock_gettime, id, t);
	if (r == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) t->tv_sec += off;
	return r;
}
int gettimeofday(struct timeval *restrict t, void *restrict zone) {
	struct timespec s;
	(void)zone;
	int r = clock_gettime(CLOCK_REALTIME, &s);
	t->tv_sec = s.tv_sec; t->tv_usec = s.tv_nsec / 1000;
	return r;
}
time_t time(time_t *t) {
	struct timespec s;
	clock_gettime(CLOCK_REALTIME, &s);
	if (t) *t = s.tv_sec;
	return s.tv_sec;
}
`

// setClock starts the server again with a wall clock that is off by so much; 0: with the
// machine's.
func setClock(tb testing.TB, c *pgtest.Cluster, off time.Duration) {
	tb.Helper()
	library := filepath.Join(c.Dir, "clock.so")
	if _, err := os.Stat(library); err != nil {
		put(c, "clock.c", clock)
		if out, err := exec.Command("cc", "-shared", "-fPIC", "-o", library,
			filepath.Join(c.Data(), "clock.c")).CombinedOutput(); err != nil {
			tb.Skipf("no C compiler to make a wrong clock with: %v %s", err, out)
		}
	}
	c.Down("fast")
	if c.Env = nil; off != 0 {
		c.Env = []string{"LD_PRELOAD=" + library, fmt.Sprintf("CLOCK_OFF=%d", int64(off.Seconds()))}
	}
	c.Up()
}

// killServer kills the postmaster, as the system does when memory is short, and waits until
// its children are gone.
func killServer(tb testing.TB, c *pgtest.Cluster) {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(c.Data(), "postmaster.pid"))
	if err != nil {
		tb.Fatal(err)
	}
	pid, err := strconv.Atoi(string(bytes.SplitN(text, []byte("\n"), 2)[0]))
	if err != nil {
		tb.Fatal(err)
	}
	children, err := exec.Command("pgrep", "-P", strconv.Itoa(pid)).Output()
	if err != nil {
		tb.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		tb.Fatal(err)
	}
	for _, child := range strings.Fields(string(children)) {
		for try := 0; ; try++ {
			if _, err := os.Stat("/proc/" + child); err != nil {
				break
			}
			if try == 600 {
				tb.Fatalf("process %s of the killed server lives on", child)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// put puts a file into the server's directory, for the server alone.
func put(c *pgtest.Cluster, name, text string) {
	c.TB.Helper()
	if err := os.WriteFile(filepath.Join(c.Data(), name), []byte(text), 0o600); err != nil {
		c.TB.Fatal(err)
	}
	give(c, filepath.Join(c.Data(), name))
}

// give makes a file or directory the server's own.
func give(c *pgtest.Cluster, path string) {
	c.TB.Helper()
	if c.User != nil {
		if err := os.Chown(path, int(c.User.Uid), int(c.User.Gid)); err != nil {
			c.TB.Fatal(err)
		}
	}
}

// background runs a program as the server's user until the test ends.
func background(c *pgtest.Cluster, name string, args ...string) {
	c.TB.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = c.Dir, []string{"PATH=/usr/sbin:/usr/bin:/bin", "HOME=" + c.Dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.User}
	if err := cmd.Start(); err != nil {
		c.TB.Fatal(err)
	}
	c.TB.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
}

// tcp is the URL of a user and a journal by loopback, at another port unless that is 0.
func tcp(c *pgtest.Cluster, user, name string, port int) string {
	if port == 0 {
		port = c.Port
	}
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/tuning#%s", user, port, name)
}

// sumOf is the checksum that a line carries.
func sumOf(line []byte) uint32 {
	sum, _ := journal.Sum(line)
	return sum
}
