// Package pgtest starts PostgreSQL servers for tests: each its own, in a temporary
// directory, on a unix socket. Where the server is not installed the test is skipped.
package pgtest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A Cluster is a server with the database tuning, the schema bohier and the users
// wanda (worker), rita (reader), karl (keeper) and otto, who has no rights; each has
// Password. The superuser postgres needs none.
type Cluster struct {
	Dir    string // with the socket
	Port   int    // of loopback, too
	bin    string
	ids    *syscall.Credential
	tb     testing.TB
	config []string
	env    []string // of the server, beside the usual
}

// Password is everybody's.
const Password = "geheim-7"

// Start makes a server and starts it; schema is the SQL to run in it, config are lines
// of postgresql.conf. The test is skipped where no server is installed.
func Start(tb testing.TB, schema string, config ...string) *Cluster {
	tb.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.Sort(found)
	if path, err := exec.LookPath("initdb"); err == nil && len(found) == 0 {
		found = append(found, path)
	}
	if len(found) == 0 {
		tb.Skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
	}
	c := &Cluster{bin: filepath.Dir(found[len(found)-1]), tb: tb, config: config}
	dir, err := os.MkdirTemp("/tmp", "bohier-pg-")
	if err != nil {
		tb.Fatal(err)
	}
	c.Dir = dir
	tb.Cleanup(func() { _ = c.signal("immediate"); os.RemoveAll(dir) })
	if os.Getuid() == 0 { // the server refuses to run as root
		u, err := user.Lookup("postgres")
		if err != nil {
			u, err = user.Lookup("nobody")
		}
		if err != nil {
			tb.Skip("no user but root to run PostgreSQL as")
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		c.ids = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(dir, uid, gid); err != nil {
			tb.Fatal(err)
		}
		if err := os.Chmod(dir, 0o755); err != nil { // others connect
			tb.Fatal(err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	c.Port = l.Addr().(*net.TCPAddr).Port
	l.Close()
	c.run("initdb", "-D", c.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions")
	hba := "local all postgres trust\nlocal replication postgres trust\nlocal all all scram-sha-256\nhost all clara " +
		"127.0.0.1/32 password\nhost all all 127.0.0.1/32 scram-sha-256\n"
	c.write("pg_hba.conf", hba)
	c.write("postgresql.auto.conf", strings.Join(append([]string{
		fmt.Sprintf("unix_socket_directories = '%s'", dir), "listen_addresses = '127.0.0.1'",
		fmt.Sprintf("port = %d", c.Port),
		"max_connections = 250", "shared_buffers = 16MB", "autovacuum = off",
	}, config...), "\n")+"\n")
	c.Up()
	c.SQL("postgres", "CREATE DATABASE tuning")
	c.SQL("tuning", schema)
	c.SQL("tuning", strings.ReplaceAll(`CREATE ROLE wanda LOGIN PASSWORD 'P'; CREATE ROLE rita LOGIN PASSWORD 'P';
CREATE ROLE karl LOGIN PASSWORD 'P'; CREATE ROLE otto LOGIN PASSWORD 'P';
GRANT bohier_worker TO wanda; GRANT bohier_reader TO rita; GRANT bohier_keeper TO karl; GRANT bohier_worker TO karl`, "'P'", "'"+Password+"'"))
	return c
}

func (c *Cluster) data() string { return filepath.Join(c.Dir, "data") }

func (c *Cluster) write(name, text string) {
	c.tb.Helper()
	if err := os.WriteFile(filepath.Join(c.data(), name), []byte(text), 0o600); err != nil {
		c.tb.Fatal(err)
	}
}

// Write puts a file into the server's directory, for the server alone.
func (c *Cluster) Write(name, text string) {
	c.tb.Helper()
	c.write(name, text)
	c.Give(filepath.Join(c.data(), name))
}

// Give makes a file or directory the server's own.
func (c *Cluster) Give(path string) {
	c.tb.Helper()
	if c.ids != nil {
		if err := os.Chown(path, int(c.ids.Uid), int(c.ids.Gid)); err != nil {
			c.tb.Fatal(err)
		}
	}
}

// In is the same server for a part of the test: what runs in the background ends with that.
func (c Cluster) In(tb testing.TB) *Cluster { c.tb = tb; return &c }

// Receive has a program receive the server's log of changes, as a standby does, until the test
// ends.
func (c *Cluster) Receive() {
	c.tb.Helper()
	dir := filepath.Join(c.Dir, "received")
	if err := os.Mkdir(dir, 0o700); err != nil {
		c.tb.Fatal(err)
	}
	c.Give(dir)
	c.Background(filepath.Join(c.bin, "pg_receivewal"), "-D", dir, "-h", c.Dir, "-p", strconv.Itoa(c.Port), "-U",
		"postgres")
	for try := 0; c.SQL("postgres", "SELECT count(*) FROM pg_stat_replication") == "0"; try++ {
		if try == 200 {
			c.tb.Fatal("nobody receives what the server writes")
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Background runs a program as the server's user until the test ends.
func (c *Cluster) Background(name string, args ...string) {
	c.tb.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = c.Dir, []string{"PATH=/usr/sbin:/usr/bin:/bin", "HOME=" + c.Dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.ids}
	if err := cmd.Start(); err != nil {
		c.tb.Fatal(err)
	}
	c.tb.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
}

func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(c.bin, name), args...)
	cmd.Dir, cmd.Env = c.Dir, []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=" + c.Dir, "PGHOST=" + c.Dir,
		"PGPORT=" + strconv.Itoa(c.Port)}
	cmd.Env = append(cmd.Env, c.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.ids}
	return cmd
}

func (c *Cluster) run(name string, args ...string) {
	c.tb.Helper()
	cmd := c.command(name, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		c.tb.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// Up starts the server and waits until it answers, however busy the machine is: after a
// crash it recovers first.
func (c *Cluster) Up() {
	c.tb.Helper()
	// Its output to a file: pg_ctl's own would be kept open by the server.
	c.run("pg_ctl", "-D", c.data(), "-l", filepath.Join(c.Dir, "log"), "-w", "-t", "600", "start")
	for try := 0; ; try++ {
		_, err := c.Try("postgres", "SELECT 1")
		if err == nil {
			return
		}
		if try == 600 {
			c.tb.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
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

// Clock starts the server again with a wall clock that is off by so much; 0: with the
// machine's.
func (c *Cluster) Clock(off time.Duration) {
	c.tb.Helper()
	library := filepath.Join(c.Dir, "clock.so")
	if _, err := os.Stat(library); err != nil {
		c.Write("clock.c", clock)
		if out, err := exec.Command("cc", "-shared", "-fPIC", "-o", library,
			filepath.Join(c.data(), "clock.c")).CombinedOutput(); err != nil {
			c.tb.Skipf("no C compiler to make a wrong clock with: %v %s", err, out)
		}
	}
	c.Down("fast")
	if c.env = nil; off != 0 {
		c.env = []string{"LD_PRELOAD=" + library, fmt.Sprintf("CLOCK_OFF=%d", int64(off.Seconds()))}
	}
	c.Up()
}

// Down stops the server: fast, or immediate, which is as a crash.
func (c *Cluster) Down(mode string) {
	c.tb.Helper()
	if err := c.signal(mode); err != nil {
		c.tb.Fatal(err)
	}
}

func (c *Cluster) signal(mode string) error {
	out, err := c.command("pg_ctl", "-D", c.data(), "-m", mode, "-w", "-t", "600", "stop").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// Kill kills the postmaster, as the system does when memory is short, and waits until
// its children are gone.
func (c *Cluster) Kill() {
	c.tb.Helper()
	text, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	if err != nil {
		c.tb.Fatal(err)
	}
	pid, err := strconv.Atoi(string(bytes.SplitN(text, []byte("\n"), 2)[0]))
	if err != nil {
		c.tb.Fatal(err)
	}
	children, err := exec.Command("pgrep", "-P", strconv.Itoa(pid)).Output()
	if err != nil {
		c.tb.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		c.tb.Fatal(err)
	}
	for _, child := range strings.Fields(string(children)) {
		for try := 0; ; try++ {
			if _, err := os.Stat("/proc/" + child); err != nil {
				break
			}
			if try == 600 {
				c.tb.Fatalf("process %s of the killed server lives on", child)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// SQL runs statements as the superuser and returns what they print, unaligned.
func (c *Cluster) SQL(database, text string) string {
	c.tb.Helper()
	out, err := c.Try(database, text)
	if err != nil {
		c.tb.Fatal(err)
	}
	return out
}

// Try is SQL with its error.
func (c *Cluster) Try(database, text string) (string, error) {
	cmd := c.command("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-d", database)
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// URL is where a user finds a journal, by the socket.
func (c *Cluster) URL(user, name string) string {
	return fmt.Sprintf("postgres://%s@:%d/tuning?host=%s#%s", user, c.Port, c.Dir, name)
}

// TCP is the same by loopback, at another port unless that is 0.
func (c *Cluster) TCP(user, name string, port int) string {
	if port == 0 {
		port = c.Port
	}
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/tuning#%s", user, port, name)
}
