package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"bohier/internal/report"
)

// servedVerbs are those whose contract is one JSON object or array.
var servedVerbs = []string{"suggest", "observe", "verdict", "add", "enqueue", "return", "abandon", "status",
	"trials", "show",
	"best", "predict", "score", "explain", "model", "gate", "check", "version"}

// maxRequest bounds a line of requests, in bytes.
const maxRequest = maxInput

func runServe(s call, args []string) error {
	if !s.on("stdio") {
		return usage("bohier serve --stdio", "say where requests come from")
	}
	s.kept = &keptSession{}
	lines := bufio.NewScanner(s.Stdin)
	lines.Buffer(nil, maxRequest)
	for {
		more, err := untilEnded(s, func() (bool, error) { return lines.Scan(), nil })
		switch {
		case err != nil || !more && lines.Err() == nil:
			return err
		case errors.Is(lines.Err(), bufio.ErrTooLong):
			return usage("split it", "reading a request: a line of more than %d MiB", maxRequest>>20)
		case !more:
			return usage("split it", "reading a request: %v", lines.Err())
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
	Error    *report.Failure `json:"error,omitempty"`
	Warnings []string        `json:"warnings"`
}

// answer runs one request. The error is one of delivery, after which nobody listens, or
// the end by a signal.
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
		f := failure(err)
		a.response.Error = &f
	}
	if err := a.send(); err != nil {
		return undelivered(err)
	}
	return nil
}

// answering collects what a verb prints. A suggestion is sent while the verb runs, so
// that it learns when nobody takes it.
type answering struct {
	out      io.Writer
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
	g := globals{call: inner}
	root := newRoot(&g)
	argv := append(r.argv, "--lock-timeout="+s.lockTimeout.String())
	if s.study != "" {
		argv = append(argv, "--config="+s.study)
	}
	if s.journal != "" {
		argv = append(argv, "--journal="+s.journal)
	}
	root.SetArgs(numbersAreNoFlags(root, argv))
	root.SetIn(inner.Stdin)
	root.SetOut(inner.Stdout)
	root.SetErr(inner.Stderr)
	return cause(s.ctx, root.ExecuteContext(s.ctx))
}

// Write takes the whole result of a verb.
func (a *answering) Write(result []byte) (int, error) {
	if !json.Valid(result) {
		return 0, fmt.Errorf("the result is not JSON: %.40q", result)
	}
	a.response.Result = bytes.TrimSpace(bytes.Clone(result))
	if a.through {
		if err := a.send(); err != nil {
			return 0, err
		}
	}
	return len(result), nil
}

func (a *answering) send() error {
	for _, m := range strings.Split(strings.TrimSpace(a.messages.String()), "\n") {
		if m = strings.TrimPrefix(m, "warning: "); m != "" {
			a.response.Warnings = append(a.response.Warnings, m)
		}
	}
	if a.response.Result == nil {
		a.response.Result = json.RawMessage("null")
	}
	line, err := report.JSON(a.response)
	if err == nil {
		_, err = a.out.Write(line)
	}
	a.sent, a.failed = err == nil, err
	return err
}

// failure is an error as commands print it for programs.
func failure(err error) report.Failure {
	var invalid invalidStudy
	errors.As(err, &invalid)
	return report.Failure{
		Schema: "bohier/error/1", Error: err.Error(), Code: exitCode(err), Hint: hint(err),
		Errors: problems(invalid.found.Errors),
	}
}
