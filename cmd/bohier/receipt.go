package main

import (
	"bytes"
	"fmt"

	"bohier/internal/report"
)

// receiptFormats are the formats of commands that record something.
var receiptFormats = []string{"text", "json", "jsonl", "yaml", "id"}

// printReceipts says what was recorded; again is what running the command once more
// would do, safe or twice.
func printReceipts(s call, list []report.Receipt, array bool, again string) error {
	s.Recorded = again
	return present(s, list, array, func() []byte {
		var b bytes.Buffer
		for _, r := range list {
			b.WriteString(r.ID)
			if s.format.name == "text" {
				fmt.Fprintf(&b, " %s", r.State)
				if r.Waiting {
					b.WriteString(" (waiting)")
				}
				if r.Verdict != "" {
					fmt.Fprintf(&b, ": %s", r.Verdict)
					if r.To != nil && *r.To != nil {
						fmt.Fprintf(&b, " to %s", report.Number(**r.To))
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
		return b.Bytes()
	})
}
