package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"bohier/internal/report"
)

// receiptFormats are the formats of commands that record something.
var receiptFormats = []string{"text", "json", "jsonl", "yaml", "id"}

// printReceipts says what was recorded; again is what running the command once more
// would do, safe or twice.
func printReceipts(s call, f format, list []report.Receipt, array bool, again string) error {
	s.Recorded = again
	out, err := structured(f, list, array)
	if err != nil {
		return err
	}
	if out == nil {
		var b bytes.Buffer
		for _, r := range list {
			b.WriteString(r.ID)
			if f.name == "text" {
				fmt.Fprintf(&b, " %s", r.State)
				if r.Waiting {
					b.WriteString(" (waiting)")
				}
				if r.Verdict != "" {
					fmt.Fprintf(&b, ": %s", r.Verdict)
					if r.To != nil && r.To.Value != nil {
						fmt.Fprintf(&b, " to %s", report.Number(*r.To.Value))
					}
				}
				for _, change := range r.Changes {
					b.WriteString(", " + change)
				}
				if !r.Recorded {
					b.WriteString(" (as before)")
				}
			}
			b.WriteByte('\n')
		}
		out = b.Bytes()
	}
	return s.show(f, out)
}

// maxInput bounds what is read of a file of trials or points, in bytes.
const maxInput = 64 << 20

// readFile reads a file named by the user; - is stdin.
func (s call) readFile(name string) ([]byte, error) {
	type input struct {
		data []byte
		err  error
	}
	got, err := untilEnded(s, func() input {
		in := s.Stdin
		if name != "-" {
			f, err := os.Open(s.path(name))
			if err != nil && strings.HasPrefix(name, "{") {
				return input{err: usage("write the object to standard input, and - in place of the file", "%s is no file", name)}
			}
			if err != nil {
				return input{err: usage("", "%v", err)}
			}
			defer f.Close()
			in = f
		}
		data, err := io.ReadAll(io.LimitReader(in, maxInput+1))
		if err != nil {
			err = usage("", "%v", err)
		}
		return input{data, err}
	})
	switch {
	case err != nil:
		return nil, err
	case got.err != nil:
		return nil, got.err
	case len(got.data) > maxInput:
		return nil, usage("split it", "%s has more than %d MiB", shownFile(name), maxInput>>20)
	}
	if bytes.HasPrefix(got.data, []byte("\xff\xfe")) || bytes.HasPrefix(got.data, []byte("\xfe\xff")) {
		return nil, usage("save it as UTF-8", "%s is UTF-16", shownFile(name))
	}
	return bytes.TrimPrefix(got.data, []byte("\ufeff")), nil
}

func shownFile(name string) string {
	if name == "-" {
		return "stdin"
	}
	return name
}
