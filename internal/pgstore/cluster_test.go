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
)

// A server is one of .ci/postgres, which says what it has.
type server struct {
	Dir  string   // with the socket
	Port int      // of loopback, too
	Env  []string // of the server, beside the usual
	TB   testing.TB
}

// password is everybody's.
const password = "geheim-7"

// startServer makes a server; schema is the SQL to run in it, config are lines of
// postgresql.conf. The test is skipped where no server is installed.
func startServer(tb testing.TB, schema string, config ...string) *server {
	tb.Helper()
	c := &server{TB: tb}
	out, err := c.do(schema, append([]string{"make"}, config...)...)
	if strings.Contains(out, "is not installed") {
		tb.Skip(out)
	}
	if err == nil {
		_, err = fmt.Sscan(out, &c.Dir, &c.Port)
	}
	if err != nil {
		tb.Fatal(err, out)
	}
	tb.Cleanup(func() { _, _ = c.do("", "stop", c.Dir, "immediate"); os.RemoveAll(c.Dir) })
	return c
}

// do has .ci/postgres do something, and returns what it prints.
func (c *server) do(input string, args ...string) (string, error) {
	cmd := exec.Command("../../.ci/postgres", args...)
	cmd.Env = append(os.Environ(), "SERVER_ENV="+strings.Join(c.Env, " "))
	cmd.Stdin = strings.NewReader(input)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s%s", err, out, &problems)
	}
	return strings.TrimSpace(string(out)), err
}

func (c *server) must(input string, args ...string) string {
	c.TB.Helper()
	out, err := c.do(input, args...)
	if err != nil {
		c.TB.Fatal(err)
	}
	return out
}

// Data is the directory of the database.
func (c *server) Data() string { return filepath.Join(c.Dir, "data") }

// In is the same server for a part of the test: what runs in the background ends with that.
func (c server) In(tb testing.TB) *server { c.TB = tb; return &c }

// Up starts the server and waits until it answers.
func (c *server) Up() { c.TB.Helper(); c.must("", "start", c.Dir) }

// Down stops the server: fast, or immediate, which is as a crash.
func (c *server) Down(mode string) { c.TB.Helper(); c.must("", "stop", c.Dir, mode) }

// SQL runs statements as the superuser and returns what they print, unaligned.
func (c *server) SQL(database, text string) string {
	c.TB.Helper()
	return c.must(text, "psql", c.Dir, database)
}

// URL is where a user finds a journal, by the socket.
func (c *server) URL(user, name string) string {
	return fmt.Sprintf("postgres://%s@:%d/tuning?host=%s#%s", user, c.Port, c.Dir, name)
}

// receive has a program receive the server's log of changes, as a standby does, until the test ends.
func receive(tb testing.TB, c *server) {
	tb.Helper()
	dir := filepath.Join(c.Dir, "received")
	if err := os.Mkdir(dir, 0o700); err != nil {
		tb.Fatal(err)
	}
	give(c, dir)
	background(c, "pg_receivewal", "-D", dir, "-h", c.Dir, "-p", strconv.Itoa(c.Port), "-U",
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

// setClock starts the server again with a wall clock that is off by so much; 0: with the machine's.
func setClock(tb testing.TB, c *server, off time.Duration) {
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

// killServer kills the postmaster, as the system does when memory is short, and waits until its children are gone.
func killServer(tb testing.TB, c *server) {
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
func put(c *server, name, text string) {
	c.TB.Helper()
	if err := os.WriteFile(filepath.Join(c.Data(), name), []byte(text), 0o600); err != nil {
		c.TB.Fatal(err)
	}
	give(c, filepath.Join(c.Data(), name))
}

// give makes a file or directory the server's own.
func give(c *server, path string) {
	c.TB.Helper()
	info, err := os.Stat(c.Data())
	if err == nil {
		owner := info.Sys().(*syscall.Stat_t)
		err = os.Chown(path, int(owner.Uid), int(owner.Gid))
	}
	if err != nil {
		c.TB.Fatal(err)
	}
}

// background runs a program as the server's user until the test ends.
func background(c *server, name string, args ...string) {
	c.TB.Helper()
	cmd := exec.Command("../../.ci/postgres", append([]string{"run", c.Dir, name}, args...)...)
	if err := cmd.Start(); err != nil {
		c.TB.Fatal(err)
	}
	c.TB.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
}

// tcp is the URL of a user and a journal by loopback, at another port unless that is 0.
func tcp(c *server, user, name string, port int) string {
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
