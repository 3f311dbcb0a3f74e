package main

import (
	"fmt"
	"strings"

	"bohier/docs"
	"bohier/internal/config"
	"bohier/internal/space"
)

func runSchema(s call, of []string) error {
	if len(of) == 0 {
		return s.write(config.Schema(options()))
	}
	text, err := outputSchema(strings.Join(of, " "))
	if err != nil {
		return err
	}
	return s.write(text)
}

// printed says which kind of object commands print with -o json.
var printed = []struct{ command, output string }{
	{"suggest", "suggestion"}, {"observe", "receipt"}, {"verdict", "receipt"}, {"run", "status"}, {"status", "status"},
	{"trials", "trial"}, {"show", "trial"}, {"best", "trial"}, {"gate", "gate"}, {"add", "receipt"}, {"import", "receipt"},
	{"enqueue", "receipt"}, {"return", "receipt"}, {"abandon", "receipt"}, {"predict", "prediction"}, {"score",
		"candidate"},
	{"explain", "explanation"}, {"model", "model"}, {"report", "report"}, {"check", "check"}, {"journal verify", "verify"},
	{"journal replay", "replay"}, {"doctor", "doctor"}, {"serve --stdio", "response"}, {"version",
		"version"}, {"any command, after an error", "error"},
}

// outputSchema is the JSON Schema of what a command prints, by the command's name or the
// object's.
func outputSchema(word string) ([]byte, error) {
	var known []string
	for _, p := range printed {
		known = append(known, p.command, p.output)
		if p.command == word {
			word = p.output
		}
	}
	text, err := docs.Schemas.ReadFile("reference/" + word + ".schema.json")
	if err != nil {
		hint := "docs/reference/json.md lists all"
		if near, ok := space.Nearest(word, known); ok {
			hint = fmt.Sprintf("did you mean %q? %s", near, hint)
		}
		return nil, usage(hint, "no command prints %q as JSON", word)
	}
	return text, nil
}
