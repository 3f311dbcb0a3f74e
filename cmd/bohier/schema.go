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

// outputSchema is the JSON Schema of what a command prints, by the command's name or the
// object's.
func outputSchema(word string) ([]byte, error) {
	var known []string
	for command, output := range helpTable("printed") {
		known = append(known, command, output)
		if command == word {
			word = output
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
