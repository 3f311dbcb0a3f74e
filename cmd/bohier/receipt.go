package main

import (
	"bytes"
	"fmt"

	"bohier/internal/report"
	"bohier/internal/study"
)

// A receiptList collects the receipts of additions.
type receiptList struct {
	st    *study.Study
	list  []report.Receipt
	known int // how many the journal had
}

func receiptsOf(st *study.Study) *receiptList { return &receiptList{st: st} }

// add takes the receipt of addition k; those from the first one on come again where others were faster.
func (r *receiptList) add(k int, t *study.Trial, known bool) {
	if k == 0 {
		r.list, r.known = r.list[:0], 0
	}
	if known {
		r.known++
	}
	r.list = append(r.list, report.ReceiptOf(r.st, t, !known))
}

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
