package config

import (
	"os"
	"strings"
	"testing"
)

// An entry is one file of an archive in the txtar format: "-- name --" lines with the text of each file below them.
type entry struct{ name, text string }

func readArchive(t *testing.T, path string) (comment string, out []entry) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	for _, line := range strings.SplitAfter(string(data), "\n") {
		name, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "-- ")
		if name, end := strings.CutSuffix(name, " --"); ok && end {
			out = append(out, entry{name: name})
		} else if len(out) == 0 {
			comment += line
		} else {
			out[len(out)-1].text += line
		}
	}
	return comment, out
}

func writeArchive(t *testing.T, path, comment string, sections []entry) {
	t.Helper()
	for _, s := range sections {
		comment += "-- " + s.name + " --\n" + s.text
	}
	must(t, os.WriteFile(path, []byte(comment), 0o666))
}

// fuzzSeeds are the completed study files of an archive.
func fuzzSeeds(path string) (out []string) {
	data, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	for _, part := range strings.Split(string(data), "\n-- ") {
		name, text, _ := strings.Cut(part, " --\n")
		if strings.HasSuffix(name, ".yaml") {
			out = append(out, complete(text+"\n"))
		}
	}
	return out
}
