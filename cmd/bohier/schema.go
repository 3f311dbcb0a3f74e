package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bohier/docs"
	"bohier/internal/config"
	"bohier/internal/space"
)

func newSchema(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:         "schema [COMMAND] [flags]",
		Args:        args(0, 2, ""),
		Annotations: exits(7),
		RunE:        g.run(runSchema),
	}
}

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
	{"enqueue", "receipt"}, {"return", "receipt"}, {"abandon", "receipt"}, {"predict", "prediction"}, {"score", "candidate"},
	{"explain", "explanation"}, {"model", "model"}, {"report", "report"}, {"check", "check"}, {"journal verify", "verify"},
	{"journal replay", "replay"}, {"doctor", "doctor"}, {"serve --stdio", "response"}, {"version", "version"}, {"any command, after an error", "error"},
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
		hint := "`bohier help output` lists all"
		if near, ok := space.Nearest(word, known); ok {
			hint = fmt.Sprintf("did you mean %q? %s", near, hint)
		}
		return nil, usage(hint, "no command prints %q as JSON", word)
	}
	return text, nil
}

// helpOutput prints what commands print with -o json: all of them, or the members of one
// object.
func helpOutput(w io.Writer, args []string) error {
	if len(args) == 0 {
		fmt.Fprint(w, "What commands print with -o json; `bohier help output COMMAND` shows the members, and\n"+
			"`bohier schema COMMAND` the JSON Schema. Members may be added, none is renamed or retyped.\n\n")
		for _, p := range printed {
			fmt.Fprintf(w, "  %-28s %s\n", p.command, p.output)
		}
		return nil
	}
	text, err := outputSchema(strings.Join(args, " "))
	if err != nil {
		return err
	}
	var doc schemaDoc
	if err := json.Unmarshal(text, &doc); err != nil {
		return err
	}
	kinds := doc.AnyOf
	if kinds == nil {
		kinds = []schemaDoc{doc}
	}
	for _, kind := range kinds {
		kind.print(w, doc.ID)
	}
	for _, def := range doc.Definitions {
		def.schema.print(w, def.name)
	}
	return nil
}

// A schemaDoc is as much of a JSON Schema as help shows.
type schemaDoc struct {
	ID          string      `json:"$id"`
	Ref         string      `json:"$ref"`
	Const       string      `json:"const"`
	Description string      `json:"description"`
	Type        any         `json:"type"`
	Items       *schemaDoc  `json:"items"`
	Others      *schemaDoc  `json:"additionalProperties"`
	Properties  members     `json:"properties"`
	Required    []string    `json:"required"`
	AnyOf       []schemaDoc `json:"anyOf"`
	Definitions members     `json:"definitions"`
}

// members are schemas by name, in the order of the text.
type members []struct {
	name   string
	schema schemaDoc
}

// UnmarshalJSON keeps the order.
func (m *members) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		*m = append(*m, struct {
			name   string
			schema schemaDoc
		}{name: name.(string)})
		if err := d.Decode(&(*m)[len(*m)-1].schema); err != nil {
			return err
		}
	}
	return nil
}

func (s *schemaDoc) print(w io.Writer, title string) {
	fmt.Fprintf(w, "%s\n", title)
	if s.Description != "" {
		fmt.Fprint(w, wrapped(s.Description, "  ", 90))
	}
	for _, m := range s.Properties {
		optional := ""
		if !slices.Contains(s.Required, m.name) {
			optional = ", may be absent"
		}
		fmt.Fprintf(w, "\n  %s: %s%s\n%s", m.name, m.schema.kind(), optional, wrapped(m.schema.Description, "      ", 90))
	}
	fmt.Fprintln(w)
}

// kind is the type in words.
func (s *schemaDoc) kind() string {
	if s.Const != "" {
		return fmt.Sprintf("%q", s.Const)
	}
	if s.Ref != "" {
		return strings.TrimPrefix(s.Ref, "#/definitions/")
	}
	if s.AnyOf != nil {
		return s.AnyOf[0].kind() + " or null"
	}
	switch {
	case s.Items != nil:
		return "list of " + s.Items.kind()
	case s.Others != nil:
		return "object by name of " + s.Others.kind()
	}
	switch kind := s.Type.(type) {
	case string:
		return kind
	case []any:
		return fmt.Sprintf("%v or null", kind[0])
	}
	return "anything"
}
