package main

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/exchange"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

type addOptions struct {
	tellOptions
	values []string
	json   string
	csv    string
	key    string
}

func newAdd(g *globals) *cobra.Command {
	var o addOptions
	c := g.command("add NAME=VALUE... [flags]", args(0, -1, ""), o.run, 4, 5, 6, 7, 8, 9, 130)
	c.ValidArgsFunction = g.completeAssignments()
	o.flags(c, g)
	f := c.Flags()
	f.StringVar(&o.json, "json", "", "read JSON objects, one a line, from `FILE`; - is stdin")
	f.StringVar(&o.csv, "csv", "", "read CSV from `FILE`; - is stdin")
	f.StringVar(&o.key, "key", "", "idempotency `KEY`: the same key is added once")
	g.addFormat(c, receiptFormats...)
	return c
}

func (o *addOptions) run(s call, args []string) error {
	o.values, o.hasCost = args, s.changed("cost")
	given := 0
	for _, is := range []bool{o.json != "", o.csv != "", len(o.values) > 0} {
		if is {
			given++
		}
	}
	if given != 1 {
		return usage("", "give one configuration as NAME=VALUE arguments, or a file with --json or --csv")
	}
	session, err := s.session()
	if err != nil {
		return err
	}
	list, err := o.read(s, session.Study)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return usage("", "there is nothing to add")
	}
	trials, known, err := session.Add(s.ctx, list)
	if err != nil {
		return err
	}
	again := safe
	if list[0].Key == "" {
		again = twice
	}
	receipts := make([]report.Receipt, len(trials))
	for i := range trials {
		receipts[i] = report.ReceiptOf(session.Study, &trials[i], !known[i])
	}
	return printReceipts(s, receipts, len(o.values) == 0, again)
}

// read is what the user gives, in whichever form.
func (o *addOptions) read(s call, st *study.Study) ([]runner.Added, error) {
	file := o.json + o.csv
	if file == "" {
		var fields [][2]string
		for _, text := range o.values {
			name, value, ok := strings.Cut(text, "=")
			if !ok {
				return nil, usage("such as lr=0.01; a file is named with --csv FILE or --json FILE", "%q is not NAME=VALUE", text)
			}
			fields = append(fields, [2]string{name, value})
		}
		one, err := addedFromFields(st, fields)
		if err != nil {
			return nil, usage("", "%v", err)
		}
		if one.Tell, err = o.tell(st, one.Tell); err != nil {
			return nil, err
		}
		one.Key = o.key
		return []runner.Added{one}, nil
	}
	data, err := s.readFile(file)
	if err != nil {
		return nil, err
	}
	if o.csv == "" && exchange.IsLines(data) {
		source, err := exchange.Read(exchange.ToolOf(data), exchange.Input{Name: shownFile(file), Data: data}, "")
		if err != nil {
			return nil, err
		}
		list, err := fitted(s, source, st, "")
		for i := range list {
			if err == nil {
				list[i].Tell, err = o.tell(st, list[i].Tell)
			}
		}
		return list, err
	}
	read := addedFromJSON
	if o.csv != "" {
		read = addedFromCSV
	}
	var list []runner.Added
	line, err := read(st, data, func(a runner.Added) (err error) {
		a.Tell, err = o.tell(st, a.Tell)
		list = append(list, a)
		return err
	})
	if err != nil {
		return nil, usage("nothing was added", "%s:%d: %v", shownFile(file), line, err)
	}
	nameAll(list, data, o.key)
	return list, nil
}

// nameAll gives an addition without a key a key of its own: the id of the trial in its table,
// else its place in the text, under the key of the whole or the text's checksum. Adding the
// same text again completes an addition that was cut short by a kill, and adds nothing twice.
func nameAll(list []runner.Added, data []byte, key string) {
	if key == "" {
		sum := sha256.Sum256(data)
		key = fmt.Sprintf("add:%x", sum[:8])
	}
	for i := range list {
		switch a := &list[i]; {
		case a.Key != "":
		case a.ID != "":
			a.Key = "add:" + a.ID
		default:
			a.Key = fmt.Sprintf("%s#%d", key, i+1)
		}
	}
}
