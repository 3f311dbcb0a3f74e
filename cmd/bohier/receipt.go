package main

import (
	"bytes"
	"errors"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
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
			if s.format == "text" {
				b.WriteString(outcome(r))
			}
			b.WriteByte('\n')
		}
		return b.Bytes()
	})
}

// outcome is a receipt without its trial, not by a template: there may be 100,000.
func outcome(r report.Receipt) string {
	words := " " + string(r.State)
	if r.Waiting {
		words += " (waiting)"
	}
	if r.Verdict != "" {
		words += ": " + string(r.Verdict)
		if r.To != nil && *r.To != nil { // how far the trial goes on
			words += " to " + report.Number(**r.To)
		}
	}
	for _, change := range r.Changes {
		words += ", " + change
	}
	if !r.Recorded {
		words += " (as before)"
	}
	return words
}

func runReturn(s call, session runner.Session, ids []string) error {
	return free(s, session, ids, (*journal.State).ReturnOne)
}

func runAbandon(s call, session runner.Session, ids []string) error {
	return free(s, session, ids, func(state *journal.State, id string) ([]journal.Record, *study.Trial, error) {
		return state.Abandon(id, s.text("note"))
	})
}

// free takes each of some trials from its worker.
func free(s call, session runner.Session, ids []string,
	one func(*journal.State, string) ([]journal.Record, *study.Trial, error)) error {
	var done []report.Receipt
	for _, id := range ids {
		t, recorded, err := session.Update(s.ctx, func(state *journal.State) ([]journal.Record, *study.Trial, error) {
			return one(state, id)
		})
		if err != nil {
			return err
		}
		done = append(done, report.ReceiptOf(session.Study, &t, recorded))
	}
	return printReceipts(s, done, len(ids) > 1, safe)
}

func runVerdict(s call, session runner.Session, state *journal.State, args []string) error {
	if err := levelled(session.Study, "there is no fidelity: trials are judged at their end"); err != nil {
		return err
	}
	t, err := state.Trial(args[0])
	if err != nil {
		return err
	}
	if t.Course == nil {
		return study.Errorf(study.Conflict, "", "trial %s is %s, and has no verdict", t.ID(), t.State)
	}
	again := t.Again(t.Course.Newest())
	receipt := report.ReceiptOf(session.Study, &again, false)
	if err := printReceipts(s, []report.Receipt{receipt}, false, safe); err != nil {
		return err
	}
	return verdictError(receipt.Verdict)
}

// verdictError is exit code 10 for a trial that goes no further for now; the output
// has said so.
func verdictError(v study.Verdict) error {
	if !v.Ends() {
		return nil
	}
	return reported(study.Wrap(study.No, errEnds, "", "the trial goes no further for now"))
}

var errEnds = errors.New("a normal answer")
