package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"bohier/internal/report"
)

// receiptFormats are the formats of commands that record something.
var receiptFormats = []string{"text", "json", "jsonl", "yaml", "id"}

// printReceipts says what was recorded.
func printReceipts(s streams, f format, list []report.Receipt, array bool) error {
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
				if !r.Recorded {
					b.WriteString(" (as before)")
				}
			}
			b.WriteByte('\n')
		}
		out = b.Bytes()
	}
	return s.write(out)
}

// readFile reads a file named by the user; - is stdin.
func (s streams) readFile(name string) (data []byte, err error) {
	if name == "-" {
		data, err = io.ReadAll(s.Stdin)
	} else {
		data, err = os.ReadFile(s.path(name))
	}
	if err != nil {
		return nil, usage("", "%v", err)
	}
	return data, nil
}

func shownFile(name string) string {
	if name == "-" {
		return "stdin"
	}
	return name
}
