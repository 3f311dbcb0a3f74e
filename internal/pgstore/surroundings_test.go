package pgstore

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bohier/internal/journal"
	"bohier/internal/study"
)

// authority makes a certificate authority, and a certificate of it for 127.0.0.1.
func authority(t *testing.T) (root, cert, key string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		must(t, err)
	}
	block := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	from, until := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	ca := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: from,
		NotAfter: until,
		IsCA:     true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	caDER, err := x509.CreateCertificate(rand.Reader, ca, ca, &caKey.PublicKey, caKey)
	must(err)
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	server := &x509.Certificate{SerialNumber: big.NewInt(2), NotBefore: from, NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, server, ca, &own.PublicKey, caKey)
	must(err)
	ownDER, err := x509.MarshalECPrivateKey(own)
	must(err)
	file := filepath.Join(t.TempDir(), "root.pem")
	must(os.WriteFile(file, []byte(block("CERTIFICATE", caDER)), 0o600))
	return file, block("CERTIFICATE", der), block("EC PRIVATE KEY", ownDER)
}

// with puts options into a location.
func with(url, options string) string {
	mark := "?"
	if strings.Contains(url, "?") {
		mark = "&"
	}
	return strings.Replace(url, "#", mark+options+"#", 1)
}

// encrypted switches TLS on and holds that a server must prove who it is. What a
// network drops, delays or repeats is tried through it.
func encrypted(t *testing.T, c *server) {
	root, cert, key := authority(t)
	other, _, _ := authority(t)
	put(c, "server.crt", cert)
	put(c, "server.key", key)
	at := func(host, options string) string {
		return with(strings.Replace(tcp(c, "wanda", "tls", 0), "127.0.0.1", host, 1), options)
	}
	before := enqueue(t.Context(), options(open(t, at("127.0.0.1", "sslmode=require"))), "a")
	if code(before) != study.Usage || !strings.Contains(before.Error(), "TLS") {
		t.Errorf("a server without TLS: %v", before)
	}
	c.SQL("postgres", "ALTER SYSTEM SET ssl = on; SELECT pg_reload_conf()")
	verified := "sslmode=verify-full&sslrootcert=" + root
	s := open(t, at("127.0.0.1", verified))
	must(t, enqueue(t.Context(), options(s), "a"))
	if d, err := s.Describe(t.Context()); err != nil || !d.TLS || d.Pooled {
		t.Errorf("%+v, %v", d, err)
	}
	for what, url := range map[string]string{
		"another authority":           at("127.0.0.1", "sslmode=verify-full&sslrootcert="+other),
		"the system's authorities":    at("127.0.0.1", "sslmode=verify-full"),
		"a certificate of other name": at("localhost", verified),
	} {
		l := mustParse(t, url, "tls", true)
		if err := enqueue(t.Context(), options(l.Open(time.Second)), "b"); code(err) != study.Usage ||
			!strings.Contains(hintOf(err), "sslrootcert") {
			t.Errorf("%s: %v; %s", what, err, hintOf(err))
		}
	}
	network(t, c, "repeated", verified, true)
}

// pooler holds that a transaction pooler is noticed, and what works through one.
func pooler(t *testing.T, c *server) {
	program, err := exec.LookPath("/usr/sbin/pgbouncer")
	if err != nil {
		t.Skip("pgbouncer is not installed (Debian: apt-get install pgbouncer)")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	put(c, "pooler.users", fmt.Sprintf("%q %q\n", "wanda", password))
	put(c, "pooler.ini", fmt.Sprintf(`[databases]
tuning = host=%[1]s port=%[2]d
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %[3]d
unix_socket_dir =
auth_type = scram-sha-256
auth_file = %[1]s/data/pooler.users
pool_mode = transaction
default_pool_size = 3
logfile = %[1]s/pooler.log
`, c.Dir, c.Port, port))
	background(c, program, "-q", filepath.Join(c.Dir, "data", "pooler.ini"))
	for try := 0; ; try++ {
		if conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			conn.Close()
			break
		}
		if try == 200 {
			log, _ := os.ReadFile(filepath.Join(c.Dir, "pooler.log"))
			t.Fatalf("pgbouncer does not come up: %s", log)
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := enqueue(t.Context(), options(open(t, tcp(c, "wanda", "pooled", port))), "a"); code(err) != study.Usage ||
		!strings.Contains(hintOf(err), "pooled=true") {
		t.Errorf("a pooler that nobody told of: %v; %s", err, hintOf(err))
	}
	pooled := func(name string) string { return with(tcp(c, "wanda", "pooled-"+name, port), "pooled=true") }
	promises(t, func(t testing.TB, name string) journal.Options { return options(open(t, pooled(name))) })
	a := open(t, pooled("described"))
	if d, err := a.Describe(t.Context()); err != nil || !d.Pooled {
		t.Errorf("%+v, %v", d, err)
	}
}

// crowded holds that a full disk of the server leaves the journal as it was.
func crowded(t *testing.T, c *server) {
	dir := filepath.Join(c.Dir, "small")
	must(t, os.Mkdir(dir, 0o700))
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1200k", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no tmpfs can be mounted here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	give(c, dir)
	text, err := Schema("crowded")
	must(t, err)
	c.SQL("tuning", text)
	c.SQL("tuning", fmt.Sprintf("CREATE TABLESPACE small LOCATION '%s'; ALTER TABLE crowded.line SET TABLESPACE small; "+
		"GRANT crowded_worker TO wanda", dir))
	o := options(open(t, with(c.URL("wanda", "crowded"), "schema=crowded")))
	long := make([]byte, 50<<10)
	_, _ = rand.Read(long) // it does not fail, and does not shrink
	params, _ := json.Marshal(map[string]string{"x": hex.EncodeToString(long)})
	told := 0
	for ; told < 100 && err == nil; told++ {
		_, err = journal.Update(t.Context(), o, func(s *journal.State) ([]journal.Record, error) {
			return s.Enqueue(params, fmt.Sprint(told))
		})
	}
	if told--; code(err) != study.NotRecorded || !strings.Contains(hintOf(err), "make room") || told < 3 {
		t.Fatalf("a full disk after %d: %v; %s", told, err, hintOf(err))
	}
	whole := func(records int) {
		t.Helper()
		if rep, err := journal.Verify(t.Context(), o); err != nil || len(rep.Problems) > 0 || rep.Records != records {
			t.Errorf("%+v, %v; %d records were acknowledged", rep, err, records)
		}
	}
	whole(1 + told)
	c.SQL("tuning", "ALTER TABLE crowded.line SET TABLESPACE pg_default")
	if err := enqueue(t.Context(), o, "more"); err != nil {
		t.Errorf("when there is room again: %v", err)
	}
	whole(2 + told)
	c.SQL("tuning", "DROP TABLESPACE small")
}

// old holds that a server before version 14 is refused; the oldest here is newer, so the bound is moved.
func old(t *testing.T, c *server) {
	s := open(t, c.URL("wanda", "old"))
	s.least = 990000
	if err := enqueue(t.Context(), options(s), "a"); code(err) != study.Usage ||
		!strings.Contains(err.Error(), "too old") || !strings.Contains(hintOf(err), "14 or later") {
		t.Errorf("%v; %s", err, hintOf(err))
	}
}

// clocks holds that a server whose clock is a day or ten years off, and jumps between calls,
// loses nothing: locks, holds, beats and what wakes others count their own time.
func clocks(t *testing.T, c *server) {
	defer setClock(t, c, 0)
	o := options(open(t, c.URL("wanda", "clocks-off")))
	o.Memory = &journal.Memory{}
	told := 0
	const day = 24 * time.Hour
	offs := []time.Duration{day, -day}
	if os.Getenv("BOHIER_SOAK") != "" {
		offs = append(offs, -3650*day, 3650*day)
	}
	for _, off := range offs {
		setClock(t, c, off)
		var is float64
		if _, err := fmt.Sscan(c.SQL("tuning", fmt.Sprintf("SELECT extract(epoch FROM now()) - %d", time.Now().Unix())),
			&is); err != nil || math.Abs(is-off.Seconds()) > 3600 {
			t.Fatalf("the server's clock is %g s off, not %v: %v", is, off, err)
		}
		for k := range 3 { // of one that goes on, and of those that come new
			for _, j := range []journal.Options{o, options(open(t, c.URL("wanda", "clocks-off")))} {
				told++
				if err := enqueue(t.Context(), j, fmt.Sprint(off, k, told)); err != nil {
					t.Errorf("%v: %v", off, err)
				}
			}
		}
		held, err := o.Store.Lock(t.Context(), time.Second)
		must(t, err)
		begun := time.Now()
		soon, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err = open(t, c.URL("wanda", "clocks-off")).Lock(soon, 300*time.Millisecond)
		cancel()
		if code(err) != study.LockTimeout || time.Since(begun) < 300*time.Millisecond {
			t.Errorf("%v: a lock that another has, after %v: %v", off, time.Since(begun), err)
		}
		held.Close()
		if err := o.Store.Beat(t.Context(), off.String(), 1); err != nil {
			t.Errorf("%v: %v", off, err)
		}
	}
	state, _, err := journal.Read(t.Context(), options(open(t, c.URL("rita", "clocks-off"))))
	if err != nil || len(state.Queue) != told {
		t.Errorf("%d of %d are there: %v", len(state.Queue), told, err)
	}
}
