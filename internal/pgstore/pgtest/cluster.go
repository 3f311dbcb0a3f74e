// Package pgtest starts PostgreSQL servers for tests: each its own, in a temporary
// directory, on a unix socket. Where the server is not installed the test is skipped.
package pgtest

import (
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
	Dir  string              // with the socket
	Port int                 // of loopback, too
	Bin  string              // where the server's programs are
	Env  []string            // of the server, beside the usual
	User *syscall.Credential // of the server; nil: this process's
	TB   testing.TB
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
	c := &Cluster{Bin: filepath.Dir(found[len(found)-1]), TB: tb}
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
		c.User = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
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
	c.run("initdb", "-D", c.Data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions")
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

// Data is the directory of the database.
func (c *Cluster) Data() string { return filepath.Join(c.Dir, "data") }

func (c *Cluster) write(name, text string) {
	c.TB.Helper()
	if err := os.WriteFile(filepath.Join(c.Data(), name), []byte(text), 0o600); err != nil {
		c.TB.Fatal(err)
	}
}

// In is the same server for a part of the test: what runs in the background ends with that.
func (c Cluster) In(tb testing.TB) *Cluster { c.TB = tb; return &c }

func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(c.Bin, name), args...)
	cmd.Dir, cmd.Env = c.Dir, []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=" + c.Dir, "PGHOST=" + c.Dir,
		"PGPORT=" + strconv.Itoa(c.Port)}
	cmd.Env = append(cmd.Env, c.Env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.User}
	return cmd
}

func (c *Cluster) run(name string, args ...string) {
	c.TB.Helper()
	cmd := c.command(name, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		c.TB.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// Up starts the server and waits until it answers, however busy the machine is: after a
// crash it recovers first.
func (c *Cluster) Up() {
	c.TB.Helper()
	// Its output to a file: pg_ctl's own would be kept open by the server.
	c.run("pg_ctl", "-D", c.Data(), "-l", filepath.Join(c.Dir, "log"), "-w", "-t", "600", "start")
	for try := 0; ; try++ {
		_, err := c.Try("postgres", "SELECT 1")
		if err == nil {
			return
		}
		if try == 600 {
			c.TB.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// Down stops the server: fast, or immediate, which is as a crash.
func (c *Cluster) Down(mode string) {
	c.TB.Helper()
	if err := c.signal(mode); err != nil {
		c.TB.Fatal(err)
	}
}

func (c *Cluster) signal(mode string) error {
	out, err := c.command("pg_ctl", "-D", c.Data(), "-m", mode, "-w", "-t", "600", "stop").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// SQL runs statements as the superuser and returns what they print, unaligned.
func (c *Cluster) SQL(database, text string) string {
	c.TB.Helper()
	out, err := c.Try(database, text)
	if err != nil {
		c.TB.Fatal(err)
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
