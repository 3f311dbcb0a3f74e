package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"bohier/internal/config"
	"bohier/internal/execute"
	"bohier/internal/report"
	"bohier/internal/space"
)

// servedVerbs are those whose contract is one JSON object or array.
var servedVerbs = []string{"suggest", "observe", "verdict", "add", "enqueue", "return", "abandon", "status",
	"trials", "show",
	"best", "predict", "score", "explain", "model", "gate", "check", "version"}

// maxRequest bounds a line of requests, in bytes.
const maxRequest = maxInput

func runServe(s call, args []string) error {
	if !s.on("stdio") {
		return usage("bohier serve --stdio", "name the source of requests")
	}
	s.kept = &keptSession{inTurn: true}
	lines := bufio.NewScanner(s.Stdin)
	lines.Buffer(nil, maxRequest)
	for {
		more, err := untilEnded(s, func() (bool, error) { return lines.Scan(), nil })
		switch {
		case err != nil || !more && lines.Err() == nil:
			return err
		case !more:
			return usage("split it", "reading a request, a line of at most %d MiB: %v", maxRequest>>20, lines.Err())
		case len(bytes.TrimSpace(lines.Bytes())) == 0:
			continue
		}
		if err := answer(s, bytes.Clone(lines.Bytes())); err != nil {
			return err
		}
	}
}

// response is the answer to a request.
type response struct {
	Schema   string          `json:"schema"`
	ID       json.RawMessage `json:"id"`
	Code     int             `json:"code"`
	Result   json.RawMessage `json:"result"`
	Error    *failed         `json:"error,omitempty"`
	Warnings []string        `json:"warnings"`
}

// answer runs one request. The error is one of delivery, after which nobody listens, or the end by a signal.
func answer(s call, line []byte) error {
	began := time.Now()
	a := &answering{out: s.Stdout,
		response: response{Schema: "bohier/response/1", ID: json.RawMessage("null"), Warnings: []string{}}}
	r, err := parseRequest(line)
	if r.id != nil {
		a.response.ID = r.id
	}
	if err == nil {
		a.through = r.verb == "suggest"
		err = a.run(s, r)
	}
	s.Log.Info().Str("event", "request").RawJSON("request", a.response.ID).Str("verb", r.verb).Int("code", exitCode(err)).
		Float64("duration", time.Since(began).Seconds()).Msg(fmt.Sprintf("request %s: %s", a.response.ID, r.verb))
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	if a.failed != nil {
		return undelivered(a.failed)
	}
	if a.sent {
		return nil
	}
	a.response.Code = exitCode(err)
	if err != nil && !errors.As(err, new(alreadyReported)) {
		a.response.Error = new(failure(err))
	}
	if err := a.send(); err != nil {
		return undelivered(err)
	}
	return nil
}

// answering collects the output of a verb. A suggestion is sent while the verb runs, so that it learns when nobody
// takes it.
type answering struct {
	out      io.Writer
	result   bytes.Buffer
	response response
	through  bool
	sent     bool
	failed   error // of sending
	messages bytes.Buffer
}

// run runs the verb as the command line would.
func (a *answering) run(s call, r request) error {
	inner := s
	inner.Stdin, inner.Stdout, inner.Stderr = bytes.NewReader(r.input), a, &a.messages
	inner.Screen, inner.Terminal, inner.Nowhere, inner.Recorded = false, false, false, ""
	argv := append([]string{r.verb, "--lock-timeout=" + s.lockTimeout.String()}, r.flags...)
	if s.study != "" {
		argv = append(argv, "--config="+s.study)
	}
	if s.journal != "" {
		argv = append(argv, "--journal="+s.journal)
	}
	argv = append(append(argv, "--"), r.texts...) // which are no flags, however they begin
	return cause(s.ctx, newRoot(&globals{call: inner}, argv...).ExecuteContext(s.ctx))
}

// Write takes a part of the result of a verb, of a suggestion all of it.
func (a *answering) Write(part []byte) (int, error) {
	a.result.Write(part)
	if a.through {
		return len(part), a.send()
	}
	return len(part), nil
}

func (a *answering) send() error {
	for m := range strings.SplitSeq(strings.TrimSpace(a.messages.String()), "\n") {
		if m = strings.TrimPrefix(m, "warning: "); m != "" {
			a.response.Warnings = append(a.response.Warnings, m)
		}
	}
	a.response.Result = json.RawMessage("null")
	if result := bytes.TrimSpace(a.result.Bytes()); json.Valid(result) {
		a.response.Result = result
	}
	line, err := report.JSON(a.response)
	if err == nil {
		_, err = a.out.Write(line)
	}
	a.sent, a.failed = err == nil, err
	return err
}

// failed is an error of the program.
type failed struct {
	Schema string           `json:"schema"`
	Error  string           `json:"error"`
	Code   int              `json:"code"`
	Hint   string           `json:"hint"`
	Errors []config.Problem `json:"errors,omitempty"` // of a study file
}

// failure is an error as commands print it for programs.
func failure(err error) failed {
	invalid, _ := errors.AsType[config.Invalid](err)
	return failed{
		Schema: "bohier/error/1", Error: err.Error(), Code: exitCode(err), Hint: hint(err),
		Errors: invalid.Errors,
	}
}

// A request is a verb with its arguments.
type request struct {
	id    json.RawMessage // nil: none
	verb  string
	flags []string
	texts []string // arguments
	input []byte   // standard input of the verb
}

// fileArguments are the arguments with which a verb reads standard input.
var fileArguments = map[string]string{"add": "--json=-", "enqueue": "--json=-", "predict": "--points=-",
	"score": "-", "observe": "--json=-"}

// parseRequest turns a line into the arguments of a command.
func parseRequest(line []byte) (r request, err error) {
	var members map[string]json.RawMessage
	err = execute.Decode(line, &members)
	if err == nil && members == nil {
		err = errors.New("it is null")
	}
	if err != nil {
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
		return r, usage(space.DidYouMean(r.verb, servedVerbs, "verbs: "+strings.Join(servedVerbs, ", ")),
			"%q is not a verb that is served", r.verb)
	}
	r.flags = []string{"--output=json"}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := members[name]
		switch name {
		case "id", "verb":
		case "trial", "value":
			text, err := scalarText(name, value)
			if err != nil {
				return r, err
			}
			r.texts = append(r.texts, text) // trial comes before value
		case "input":
			file, reads := fileArguments[r.verb]
			if !reads {
				return r, usage("", "%s reads no input", r.verb)
			}
			if r.input, err = inputLines(value); err != nil {
				return r, err
			}
			if strings.HasPrefix(file, "--") {
				r.flags = append(r.flags, file)
			} else {
				r.texts = append(r.texts, file)
			}
		case "output", "config", "journal", "help", "json", "csv", "points", "verbose", "quiet", "log-format", "color",
			"watch":
			return r, usage("", "%q is not for requests", name)
		default:
			list, err := flagTexts(name, value)
			if err != nil {
				return r, err
			}
			for _, text := range list {
				if name == "values" {
					r.texts = append(r.texts, text)
				} else {
					r.flags = append(r.flags, "--"+name+"="+text)
				}
			}
		}
	}
	return r, nil
}

// scalarText is a text, number or boolean as a command line has it.
func scalarText(name string, value json.RawMessage) (string, error) {
	var text string
	switch {
	case len(value) > 0 && (value[0] == '[' || value[0] == '{') || string(value) == "null":
		return "", usage("", "%q is a text, a number or a boolean, not %.40s", name, value)
	case json.Unmarshal(value, &text) == nil:
		return text, nil
	}
	return string(value), nil
}

// flagTexts are the values of a flag: none for null, several for a list or an object.
func flagTexts(name string, value json.RawMessage) (out []string, err error) {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	switch {
	case string(value) == "null":
		return nil, nil
	case json.Unmarshal(value, &list) == nil:
	case json.Unmarshal(value, &object) == nil:
		for _, key := range slices.Sorted(maps.Keys(object)) {
			text := string(object[key])
			_ = json.Unmarshal(object[key], &text) // a text without its quotes; a list or mapping stays JSON
			out = append(out, key+"="+text)
		}
		return out, nil
	default:
		list = []json.RawMessage{value}
	}
	for _, v := range list {
		text, err := scalarText(name, v)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
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
