package study

import "testing"

func TestScheme(t *testing.T) {
	for location, want := range map[string]string{
		"a.jsonl": "", "/a/b.jsonl": "", "../a:b": "", "C:/a": "", `c:\\a`: "", "x://a": "", "postgres.jsonl": "", "d/https://h/x": "",
		"postgres://h/db": "postgres", "POSTGRES:?service=x": "postgres", "PostgreSQL://h/db": "postgresql", "s3:bucket": "s3",
		"S3://bucket": "s3", "HTTPS://h/x": "https", "Ftp://h/x": "ftp", "sqlite:a.db": "sqlite",
	} {
		if got := Scheme(location); got != want {
			t.Errorf("%s has the scheme %q, not %q", location, got, want)
		}
		if err := CheckLocation(location); (err == nil) != (want == "" || InDatabase(location)) {
			t.Errorf("%s: %v", location, err)
		}
	}
}
