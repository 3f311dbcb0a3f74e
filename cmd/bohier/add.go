package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"bohier/internal/exchange"
	"bohier/internal/runner"
	"bohier/internal/study"
)

func runAdd(s call, args []string) error {
	json, csv := s.text("json") != "", s.text("csv") != ""
	if json && csv || (json || csv) == (len(args) > 0) {
		return usage("", "give one configuration as NAME=VALUE arguments, or a file with --json or --csv")
	}
	session, err := s.session()
	if err != nil {
		return err
	}
	about, list, err := additions(s, session.Study, args)
	if err != nil {
		return err
	}
	receipts := receiptsOf(session.Study)
	session.Journal.Memory.Own = s.kept == nil // the only call
	if err := session.Add(s.ctx, about, list, receipts.add); err != nil {
		return err
	}
	if len(receipts.list) == 0 {
		return usage("", "there is nothing to add")
	}
	again := safe
	if len(args) > 0 && s.text("key") == "" {
		again = twice
	}
	return printReceipts(s, receipts.list, len(args) == 0, again)
}

// additions are what the user gives, in whichever form; about says how much it is.
func additions(s call, st *study.Study, args []string) (about int, list iter.Seq2[runner.Added, error], err error) {
	file := s.text("json") + s.text("csv")
	if file == "" {
		var fields [][2]string
		for _, text := range args {
			name, value, ok := strings.Cut(text, "=")
			if !ok {
				return 0, nil, usage("such as lr=0.01; a file is named with --csv FILE or --json FILE", "%q is not NAME=VALUE",
					text)
			}
			fields = append(fields, [2]string{name, value})
		}
		one, err := addedFromFields(st, fields)
		if err != nil {
			return 0, nil, usage("", "%v", err)
		}
		if one.Tell, err = s.tell(st, one.Tell, false); err != nil {
			return 0, nil, err
		}
		one.Key = s.text("key")
		return 1, runner.Each([]runner.Added{one}), nil
	}
	data, err := s.readFile(file)
	if err != nil {
		return 0, nil, err
	}
	if s.text("csv") == "" && exchange.IsLines(data) {
		source, err := exchange.Read(exchange.ToolOf(data), exchange.Input{Name: shownFile(file), Data: data}, "")
		if err != nil {
			return 0, nil, err
		}
		list, err := fitted(s, source, st, "")
		for i := range list {
			if err == nil {
				list[i].Tell, err = s.tell(st, list[i].Tell, false)
			}
		}
		return len(list), runner.Each(list), err
	}
	read := addedFromJSON
	if s.text("csv") != "" {
		read = addedFromCSV
	}
	return bytes.Count(data, []byte("\n")), func(yield func(runner.Added, error) bool) {
		name, enough := named(data, s.text("key")), false
		line, err := read(st, data, func(a runner.Added) (err error) {
			if a.Tell, err = s.tell(st, a.Tell, false); err != nil {
				return err
			}
			if name(&a); !yield(a, nil) {
				enough = true
				return io.EOF
			}
			return nil
		})
		if err != nil && !enough {
			yield(runner.Added{}, usage("nothing was added", "%s:%d: %v", shownFile(file), line, err))
		}
	}, nil
}

// named gives the additions of a text, one after the other, that have no key a key of their own: the
// id of the trial in its table, else its place in the text, under the key of the whole or the text's
// checksum. Adding the same text again completes an addition that was cut short by a kill, and adds
// nothing twice.
func named(data []byte, key string) func(*runner.Added) {
	if key == "" {
		sum := sha256.Sum256(data)
		key = fmt.Sprintf("add:%x", sum[:8])
	}
	place := 0
	return func(a *runner.Added) {
		switch place++; {
		case a.Key != "":
		case a.ID != "":
			a.Key = "add:" + a.ID
		default:
			a.Key = key + "#" + strconv.Itoa(place)
		}
	}
}
