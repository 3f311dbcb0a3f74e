package study_test

import (
	"testing"

	"bohier/internal/study"
)

func TestScheme(t *testing.T) {
	for location, want := range map[string]string{
		"a.jsonl": "", "/a/b.jsonl": "", "../a:b": "", "C:/a": "", `c:\\a`: "", "x://a": "", "postgres.jsonl": "",
		"d/https://h/x":   "",
		"postgres://h/db": "postgres", "POSTGRES:?service=x": "postgres", "PostgreSQL://h/db": "postgresql",
		"s3:bucket":   "s3",
		"S3://bucket": "s3", "HTTPS://h/x": "https", "Ftp://h/x": "ftp", "sqlite:a.db": "sqlite",
	} {
		if got := study.Scheme(location); got != want {
			t.Errorf("%s has the scheme %q, not %q", location, got, want)
		}
		if err := study.CheckLocation(location); (err == nil) != (want == "" || study.InDatabase(location)) {
			t.Errorf("%s: %v", location, err)
		}
	}
}
