package pgstore

import (
	"os"
	"path/filepath"
	"testing"

	"bohier/internal/study"
)

// TestBorrowedPasswords holds that the URL of a study file gets no password that is not
// written down for its very host; what the user gives gets it as from PostgreSQL's clients.
func TestBorrowedPasswords(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	t.Setenv("PGSERVICEFILE", file("services",
		"[with]\nhost=db.example.org\ndbname=tuning\npassword=of-service\n[without]\nhost=named.example.org\ndbname=tuning\n"))
	t.Setenv("PGPASSFILE", file("pass",
		"*:*:other:*:of-anywhere\nnamed.example.org:*:*:*:of-named\nlocalhost:*:*:*:of-localhost\n*:*:*:*:of-anywhere\n"))
	for _, c := range []struct{ url, env, service, untrusted, trusted string }{
		{url: "postgres://named.example.org/tuning", untrusted: "of-named", trusted: "of-named"},
		{url: "postgres://named.example.org/other", untrusted: "of-named", trusted: "of-anywhere"},
		{url: "postgres://thief.example.org/tuning", trusted: "of-anywhere"},
		{url: "postgres://named.example.org,thief.example.org/tuning", trusted: "of-named"},
		{url: "postgres://thief.example.org/tuning", service: "with", trusted: "of-service"},
		{url: "postgres://thief.example.org/tuning", env: "of-environment", trusted: "of-environment"},
		{url: "postgres://:5433/tuning", service: "with", trusted: "of-service"},
		{url: "postgres:///tuning?host=thief.example.org", service: "with", trusted: "of-service"},
		{url: "postgres:///tuning?host=/run/thief", trusted: "of-localhost"},
		{url: "postgres:///tuning?host=localhost", untrusted: "of-localhost", trusted: "of-localhost"},
		{url: "postgres:?service=with", untrusted: "of-service", trusted: "of-service"},
		{url: "postgres:?service=with", env: "of-environment", untrusted: "of-service", trusted: "of-service"},
		{url: "postgres:?service=without", untrusted: "of-named", trusted: "of-named"},
		{url: "postgres:?service=without", env: "of-environment", untrusted: "of-named", trusted: "of-environment"},
		{url: "postgres:///tuning", service: "with", untrusted: "of-service", trusted: "of-service"},
	} {
		t.Setenv("PGPASSWORD", c.env)
		t.Setenv("PGSERVICE", c.service)
		for trusted, want := range map[bool]string{false: c.untrusted, true: c.trusted} {
			l, err := Parse(c.url, "study", trusted)
			if err != nil {
				t.Fatal(c.url, err)
			}
			if l.config.Password != want {
				t.Errorf("%s, PGPASSWORD=%s PGSERVICE=%s, trusted %v: the password is %q, not %q", c.url, c.env, c.service,
					trusted, l.config.Password, want)
			}
		}
	}
	t.Setenv("PGPASSWORD", "")
	t.Setenv("PGSERVICE", "")
	for mode, want := range map[os.FileMode]string{0o600: "of-named", 0o440: "of-named", 0o604: "", 0o602: "", 0o644: ""} {
		must(t, os.Chmod(filepath.Join(dir, "pass"), mode))
		for _, trusted := range []bool{false, true} {
			l, err := Parse("postgres://named.example.org/tuning", "study", trusted)
			if err != nil || l.config.Password != want || (len(l.Warnings) > 0) != (want == "") {
				t.Errorf("a password file of mode %o, trusted %v: %q, warnings %q, %v", mode, trusted, l.config.Password,
					l.Warnings, err)
			}
		}
	}
	t.Setenv("PGPASSWORD", "of-environment")
	if l, err := Parse("postgres://named.example.org/tuning", "study", true); err != nil || len(l.Warnings) > 0 {
		t.Errorf("a password file that is not needed: %q, %v", l.Warnings, err)
	}
	for _, url := range []string{"postgres://thief.example.org/tuning?service=with",
		"postgres:?service=with&host=thief.example.org"} {
		if _, err := Parse(url, "study", false); code(err) != study.Usage {
			t.Errorf("%s: %v", url, err)
		}
		if _, err := Parse(url, "study", true); err != nil {
			t.Errorf("%s by the user: %v", url, err)
		}
	}
}
