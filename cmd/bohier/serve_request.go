package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"bohier/internal/execute"
	"bohier/internal/space"
)

// A request is a verb with its arguments.
type request struct {
	id    json.RawMessage // nil: none
	verb  string
	argv  []string
	input []byte // standard input of the verb
}

// fileArguments are the arguments with which a verb reads standard input.
var fileArguments = map[string]string{"add": "--json=-", "enqueue": "--json=-", "predict": "--points=-",
	"score": "-", "observe": "--json=-"}

// parseRequest turns a line into the arguments of a command.
func parseRequest(line []byte) (r request, err error) {
	var members map[string]json.RawMessage
	if err := execute.Decode(line, &members); err != nil {
		return r, usage(`such as {"id":1,"verb":"suggest"}`, "a request is one JSON object on a line: %v", err)
	}
	r.id = members["id"]
	if _, err := execute.Object(line); err != nil {
		return r, usage("leave one of the two out", "%v", err)
	}
	if err := json.Unmarshal(members["verb"], &r.verb); err != nil {
		return r, usage(`such as {"id":1,"verb":"suggest"}`, `the request has no "verb"`)
	}
	if verb, ok := map[string]string{"ask": "suggest", "tell": "observe"}[r.verb]; ok {
		r.verb = verb
	}
	if !slices.Contains(servedVerbs, r.verb) {
		hint := "verbs: " + strings.Join(servedVerbs, ", ")
		if near, ok := space.Nearest(r.verb, servedVerbs); ok {
			hint = "did you mean " + near + "?"
		}
		return r, usage(hint, "%q is not a verb that is served", r.verb)
	}
	flags := []string{"--output=json"}
	var positional []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := members[name]
		switch name {
		case "id", "verb":
		case "trial", "value":
			text, err := scalarText(name, value)
			if err != nil {
				return r, err
			}
			positional = append(positional, text) // trial comes before value
		case "input":
			file, reads := fileArguments[r.verb]
			if !reads {
				return r, usage("", "%s reads no input", r.verb)
			}
			if r.input, err = inputLines(value); err != nil {
				return r, err
			}
			if strings.HasPrefix(file, "--") {
				flags = append(flags, file)
			} else {
				positional = append(positional, file)
			}
		case "output", "config", "journal", "help", "json", "csv", "points", "verbose", "quiet", "log-format", "color":
			return r, usage("", "%q is not for requests", name)
		default:
			list, err := flagTexts(name, value)
			if err != nil {
				return r, err
			}
			for _, text := range list {
				if name == "values" {
					positional = append(positional, text)
				} else {
					flags = append(flags, "--"+name+"="+text)
				}
			}
		}
	}
	r.argv = slices.Concat([]string{r.verb}, flags, positional)
	return r, nil
}

// scalarText is a text, number or boolean as a command line has it.
func scalarText(name string, value json.RawMessage) (string, error) {
	var text string
	switch {
	case json.Unmarshal(value, &text) == nil:
		return text, nil
	case len(value) > 0 && (value[0] == '[' || value[0] == '{') || string(value) == "null":
		return "", usage("", "%q is a text, a number or a boolean, not %.40s", name, value)
	}
	return string(value), nil
}

// flagTexts are the values of a flag: none for null, several for a list or an object.
func flagTexts(name string, value json.RawMessage) ([]string, error) {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	switch {
	case string(value) == "null":
		return nil, nil
	case json.Unmarshal(value, &list) == nil:
		var out []string
		for _, v := range list {
			text, err := scalarText(name, v)
			if err != nil {
				return nil, err
			}
			out = append(out, text)
		}
		return out, nil
	case json.Unmarshal(value, &object) == nil:
		var out []string
		for _, key := range slices.Sorted(maps.Keys(object)) {
			v := object[key]
			text := string(v)
			_ = json.Unmarshal(v, &text) // a text without its quotes; a list or mapping stays JSON
			out = append(out, key+"="+text)
		}
		return out, nil
	}
	text, err := scalarText(name, value)
	return []string{text}, err
}

// inputLines is an object, or each of a list of them, on a line.
func inputLines(value json.RawMessage) ([]byte, error) {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		list = []json.RawMessage{value}
	}
	var b bytes.Buffer
	for _, v := range list {
		if err := json.Compact(&b, v); err != nil {
			return nil, usage("", "input: %v", err)
		}
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}
