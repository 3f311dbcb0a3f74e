package main

import (
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
		return sheet("receipts", map[string]any{"list": list, "whole": s.format.name == "text"})
	})
}
