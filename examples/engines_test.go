package examples

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sshServer starts a server on loopback that lets this user in, whose commands begin in
// dir and find bohier; it is every host, for an ssh with these options.
func sshServer(t *testing.T, home string) (options string) {
	t.Helper()
	server := "/usr/sbin/sshd"
	if _, err := os.Stat(server); err != nil {
		t.Skip("sshd is not installed (Debian: apt-get install openssh-server)")
	}
	needs(t, "ssh", "ssh-keygen")
	dir := t.TempDir()
	for _, name := range []string{"host", "user"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f",
			filepath.Join(dir, name)).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	must(t, os.MkdirAll("/run/sshd", 0o755)) // as root it wants that
	must(t, os.WriteFile(filepath.Join(dir, "config"), []byte(strings.NewReplacer("DIR", dir, "PORT", fmt.Sprint(port), "BIN", filepath.Dir(bohier), "HOME", home).Replace(`Port PORT
ListenAddress 127.0.0.1
HostKey DIR/host
AuthorizedKeysFile DIR/user.pub
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
PidFile none
SetEnv PATH=BIN:/usr/bin:/bin
ForceCommand cd HOME && eval "$SSH_ORIGINAL_COMMAND"
`)), 0o600))
	cmd := exec.Command(server, "-D", "-e", "-f", filepath.Join(dir, "config"))
	var log strings.Builder
	cmd.Stderr = &log
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	options = fmt.Sprintf("-q -p %d -i %s/user -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o "+
		"BatchMode=yes -o HostName=127.0.0.1", port, dir)
	for try := 0; exec.Command("ssh", append(strings.Fields(options), "127.0.0.1", "true")...).Run() != nil; try++ {
		if try == 50 {
			t.Fatalf("sshd does not answer: %s", log.String())
		}
		time.Sleep(100 * time.Millisecond)
	}
	return options
}

// TestHosts shares a study among hosts that ssh reaches, and ends them by ending ssh; then
// it types what the READMEs say.
func TestHosts(t *testing.T) {
	long(t)
	dir := copied(t, "parallel", fewer(8))
	options := sshServer(t, filepath.Dir(dir))
	hosts := func() *exec.Cmd {
		c := exec.Command("sh", filepath.Join(dir, "hosts.sh"), "127.0.0.1", "localhost")
		c.Env = append(os.Environ(), "BOHIER="+bohier, "SSH_OPTIONS="+options)
		return c
	}
	status := func() string {
		c := exec.Command(bohier, "status", "-o", "json")
		c.Dir = dir
		out, _ := c.CombinedOutput()
		return string(out)
	}
	first := hosts()
	must(t, first.Start())
	for try := 0; !strings.Contains(status(), `"complete":2`) && !strings.Contains(status(), `"complete":3`); try++ {
		if try == 100 {
			t.Fatalf("nothing happens: %s", status())
		}
		time.Sleep(50 * time.Millisecond)
	}
	_ = first.Process.Signal(os.Interrupt)
	_ = first.Wait()
	for try := 0; !strings.Contains(status(), `"pending":0`) && !strings.Contains(status(), `"waiting":2`) &&
		!strings.Contains(status(), `"pending":1,"failed":0,"abandoned":0,"waiting":1`); try++ {
		if try == 100 {
			t.Fatalf("trials were not given back: %s", status())
		}
		time.Sleep(50 * time.Millisecond)
	}
	if out, code := typing(t, dir, typed(t, "parallel")[0], "SSH_OPTIONS="+options); code != 0 ||
		!strings.Contains(status(), `"complete":8,"pending":0,"failed":0`) {
		t.Errorf("exit code %d\n%s%s", code, out, status())
	}
	c := exec.Command(bohier, "trials", "--columns", "worker", "-o", "csv")
	c.Dir = dir
	if out, err := c.Output(); err != nil || !strings.Contains(string(out), "ssh/127.0.0.1/") ||
		!strings.Contains(string(out), "ssh/node") {
		t.Errorf("both took part? %v\n%s", err, out)
	}
	// The loop over hosts, with ssh as its configuration would make it.
	must(t, os.Rename(dir, filepath.Join(filepath.Dir(dir), "study")))
	bin := t.TempDir()
	ssh, err := exec.LookPath("ssh")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(bin, "ssh"), []byte("#!/bin/sh\nexec "+ssh+" "+options+" \"$@\"\n"), 0o755))
	journal := filepath.Join(bin, "journal.jsonl")
	loop := "PATH=" + bin + ":$PATH BOHIER_JOURNAL=" + journal + "\n" + typed(t, "database")[0]
	if out, code := typing(t, filepath.Dir(dir), loop); code != 0 {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if text, err := os.ReadFile(journal); err != nil || strings.Count(string(text), `"t":"observe"`) != 8 {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestImage builds the image of the program alone, and runs its program.
func TestImage(t *testing.T) {
	long(t)
	needs(t, "buildah")
	file := filepath.Join(t.TempDir(), "image.tar")
	static := filepath.Join(t.TempDir(), "bohier")
	build := exec.Command("go", "build", "-tags", "postgres", "-o", static, "../cmd/bohier")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, errs, err := script(t, nil, "kubernetes/image.sh", static, file)
	if err != nil || !strings.HasPrefix(out, "bohier ") {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	if list, err := exec.Command("tar", "-tf", file).Output(); err != nil ||
		!strings.Contains(string(list), "oci-layout") {
		t.Errorf("no OCI archive: %v\n%s", err, list)
	}
}

// TestManifests has the manifests read by the schemas of Kubernetes, and a mistake found.
func TestManifests(t *testing.T) {
	needs(t, "kubernetes-validate")
	text, err := os.ReadFile("kubernetes/job.yaml")
	must(t, err)
	misspelt := filepath.Join(t.TempDir(), "job.yaml")
	must(t, os.WriteFile(misspelt, []byte(strings.Replace(string(text), "backoffLimitPerIndex", "backofLimitPerIndex",
		1)), 0o666))
	for _, version := range []string{"1.31", "1.34"} {
		if out, err := exec.Command("kubernetes-validate", "--strict", "-k", version,
			"kubernetes/job.yaml").CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", version, err, out)
		}
		if out, err := exec.Command("kubernetes-validate", "--strict", "-k", version, misspelt).CombinedOutput(); err == nil {
			t.Errorf("%s: a misspelt key passed\n%s", version, out)
		}
	}
}

// composer is a directory with a docker for what the README says: the one that is here, podman
// where it has the image, or docker-compose, which reads the file and starts nothing.
func composer(t *testing.T) (bin string, starts bool) {
	t.Helper()
	bin = t.TempDir()
	with := "docker-compose config"
	switch run := func(name string, args ...string) bool { return exec.Command(name, args...).Run() == nil }; {
	case run("docker", "compose", "version") && run("docker", "info"):
		return bin, true
	case run("podman-compose", "--version") && run("podman", "image", "exists", "docker.io/library/postgres:17"):
		with, starts = "podman-compose \"$@\"", true
	default:
		needs(t, "docker-compose")
	}
	must(t, os.WriteFile(filepath.Join(bin, "docker"), []byte("#!/bin/sh\nshift; exec "+with+"\n"), 0o755))
	return bin, starts
}

// TestCompose types what the README says. Where a server is started a study runs on it.
func TestCompose(t *testing.T) {
	long(t)
	dir := filepath.Join(t.TempDir(), "examples", "database")
	must(t, os.CopyFS(dir, os.DirFS("database")))
	bin, starts := composer(t)
	path := "PATH=" + bin + ":$PATH\n"
	t.Cleanup(func() {
		if starts {
			down := exec.Command("sh", "-c", path+"docker compose down -v")
			down.Dir = dir
			if out, err := down.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		}
	})
	out, code := typing(t, dir, path+typed(t, "database")[0])
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	if secret, err := os.ReadFile(filepath.Join(dir, "admin-password")); err != nil || string(secret) != "secret\n" {
		t.Errorf("the password is %q, %v", secret, err)
	}
	if !starts {
		for _, want := range []string{"image: docker.io/library/postgres:17", "POSTGRES_DB: tuning",
			"POSTGRES_PASSWORD_FILE: /run/secrets/admin", "file: " + dir + "/admin-password", "127.0.0.1:5432:5432"} {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
		return
	}
	needs(t, "psql")
	must(t, os.WriteFile(filepath.Join(dir, "bohier.yaml"),
		[]byte("objective: {direction: minimize}\nspace: {x: {type: float, low: 0, high: 1}}\nbudget: {trials: 3}\nrun: "+
			"{command: [echo, '{x}']}\n"), 0o666))
	out, code = typing(t, dir, `export PGHOST=localhost PGUSER=postgres PGDATABASE=tuning PGPASSWORD=secret
for try in $(seq 100); do psql -c 'select 1' >/dev/null 2>&1 && break; sleep 0.3; done
sh setup.sh wanda
psql -qc "alter role wanda password 'secret'"
BOHIER_JOURNAL=postgres://wanda@localhost/tuning#compose bohier run -q`)
	if code != 0 || !strings.Contains(out, "3 complete") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}
