package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/config"
	"bohier/internal/exchange"
	"bohier/internal/lazy"
	"bohier/internal/lists"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

func runAdd(s call, args []string) error {
	lines, table := s.text("json") != "", s.text("csv") != ""
	if lines && table || (lines || table) == (len(args) > 0) {
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
	receipts, err := added(s, session, about, list)
	if err != nil {
		return err
	}
	if len(receipts) == 0 {
		return usage("", "there is nothing to add")
	}
	again := safe
	if len(args) > 0 && s.text("key") == "" {
		again = twice
	}
	return printReceipts(s, receipts, len(args) == 0, again)
}

// additions are the configurations that the user gives, in any form; about is their number in words.
func additions(s call, st *study.Study, args []string) (about int, list iter.Seq2[study.Addition, error], err error) {
	file := s.text("json") + s.text("csv")
	if file == "" {
		var fields []field
		var names []string
		for _, text := range args {
			name, value, ok := strings.Cut(text, "=")
			if !ok {
				return 0, nil, usage("such as lr=0.01; a file is named with --csv FILE or --json FILE", "%q is not NAME=VALUE",
					text)
			}
			fields, names = append(fields, field{value: value}), append(names, name)
		}
		for i, name := range names {
			fields[i].meaning = meaningOf(st, name, names)
		}
		if fail := s.text("fail"); fail != "" {
			fields = append(fields, field{meaning{"fact", "fail"}, fail})
		}
		one, err := addedFromFields(st, fields)
		if err != nil {
			return 0, nil, usage("", "%v", err)
		}
		if one.Report, err = s.joined(st, one.Report, false); err != nil {
			return 0, nil, err
		}
		s.broken(one)
		one.Key = s.text("key")
		return 1, runner.Each([]study.Addition{one}), nil
	}
	data, err := s.readFile(file)
	if err != nil {
		return 0, nil, err
	}
	if s.text("csv") == "" && exchange.IsLines(data) {
		source, err := exchange.Read("", exchange.Input{Name: shownFile(file), Data: data}, "")
		if err != nil {
			return 0, nil, err
		}
		list, err := fitted(s, source, st, "")
		for i := range list {
			if err == nil {
				list[i].Report, err = s.joined(st, list[i].Report, false)
			}
		}
		return len(list), runner.Each(list), err
	}
	read := addedFromJSON
	if s.text("csv") != "" {
		read = addedFromCSV
	}
	return bytes.Count(data, []byte("\n")), func(yield func(study.Addition, error) bool) {
		name := keyed(st.Space, s.text("key"))
		err := read(st, data, func(a study.Addition) (err error) {
			a.Report, err = s.joined(st, a.Report, false)
			if err = cmp.Or(err, study.CheckMetrics(a.Metrics)); err != nil {
				return err
			}
			s.broken(a)
			if name(&a); !yield(a, nil) {
				return io.EOF
			}
			return nil
		})
		if err != nil && !errors.Is(err, io.EOF) {
			yield(study.Addition{}, usage("nothing was added", "%s:%v", shownFile(file), err))
		}
	}, nil
}

// broken warns of a configuration that breaks a rule of the study.
func (s call) broken(a study.Addition) {
	what := "the configuration"
	if a.Line > 0 {
		what = fmt.Sprintf("line %d", a.Line)
	}
	if a.Rule != nil {
		s.Log.warn(fmt.Sprintf("%s is kept as data: %v", what, a.Rule))
	}
}

// keyed gives the additions of a text, one after the other, that have no key a key of their own: the id of the trial in
// its table, else its place under the key of the whole, else what it says and how often the text has said it. Adding
// a text again completes an addition that was cut short by a kill; of a table that has grown it adds what is new.
func keyed(sp *space.Space, key string) func(*study.Addition) {
	said := map[string]int{}
	return func(a *study.Addition) {
		base := key
		if base == "" {
			text, _ := json.Marshal([]any{a.Failure, a.At, fmt.Sprint(a.Values), a.Cost, a.Stderr, a.Stderrs, a.Points})
			sum := sha256.Sum256(append(sp.AppendJSON(nil, a.Config), text...))
			base = fmt.Sprintf("add:%x", sum[:8])
		}
		said[base]++
		switch {
		case a.Key != "":
		case a.ID != "":
			a.Key = "add:" + a.ID
		default:
			a.Key, a.Said = base+"#"+strconv.Itoa(said[base]), key == ""
		}
	}
}

func runImport(s call, arguments []string) error {
	tool, n := s.text("script"), 1
	if tool != "" {
		n = 0
	}
	if err := args(n, n, "TOOL:FILE")(s.command, arguments); err != nil {
		return err
	}
	if tool != "" {
		if script := exchange.Scripts[tool]; script != nil {
			return s.write(script.Text())
		}
		return usage("tools: "+strings.Join(exchange.Tools, ", "), "there is no script for %q", tool)
	}
	from, failed := arguments[0], study.Failure(s.text("failed"))
	if kind, _, _ := strings.Cut(from, ":"); kind == "csv" || kind == "jsonl" {
		return gone("import " + kind)
	}
	source, err := readForeign(s, from, "import", s.text("study"))
	if err != nil {
		return err
	}
	if len(source.Trials) == 0 {
		return usage("bohier init --from "+shownSource(from)+" takes its space", "there are no trials in %s",
			shownSource(from))
	}
	session, err := s.session()
	if err != nil {
		return err
	}
	list, err := fitted(s, source, session.Study, failed)
	if err != nil {
		return err
	}
	if s.on("dry-run") {
		return s.print(fmt.Appendf(nil, "%s would be imported\n", study.Count(len(list), "trial")))
	}
	receipts, err := added(s, session, len(list), runner.Each(list))
	switch {
	case err != nil:
		return err
	case s.format != "text":
		return printReceipts(s, receipts, true, safe)
	}
	fresh := len(lists.Only(receipts, func(r report.Receipt) bool { return r.Recorded }))
	text := study.Count(fresh, "trial") + " imported"
	if known := len(receipts) - fresh; known > 0 {
		text += fmt.Sprintf(", %d there already", known)
	}
	s.Recorded = safe
	return s.print([]byte(text + "\n"))
}

// fitted are the trials of a source that fit the study, with warnings about the others.
func fitted(s call, source *exchange.Study, st *study.Study, failed study.Failure) ([]study.Addition, error) {
	list, left, err := source.Fit(st, failed)
	s.Log.warn(left...)
	if err == nil && len(list) == 0 {
		err = usage("", "none of its %s can be added", study.Count(len(source.Trials), "trial"))
	}
	return list, err
}

// readForeign reads TOOL:FILE, by the tool's script where the file is private to the tool.
func readForeign(s call, from, what, name string) (*exchange.Study, error) {
	tool, file, _ := strings.Cut(from, ":")
	hint := "tools: " + strings.Join(exchange.Spaces, ", ")
	if tool == "pcs" {
		hint = exchange.PCS
	}
	switch {
	case file == "":
		return nil, usage(hint, "%s needs TOOL:FILE, not %q", what, shownSource(from))
	case !slices.Contains(exchange.Spaces, tool):
		return nil, usage(hint, "files of %q cannot be read", tool)
	}
	data, err := readSource(s, tool, file, name)
	if err != nil {
		return nil, err
	}
	in := exchange.Input{Name: shownSource(shownFile(file)), Data: data}
	if file != "-" {
		in.Dir = os.DirFS(filepath.Dir(s.path(file)))
	}
	return exchange.Read(tool, in, name)
}

// readSource returns the content of a file, or the output of the tool's script for a file or a URL.
func readSource(s call, tool, file, name string) (data []byte, err error) {
	script := exchange.Scripts[tool]
	if script == nil {
		return s.readFile(file)
	}
	var head, input []byte
	info, missing := os.Stat(s.path(file))
	if file == "-" || missing == nil && !info.Mode().IsRegular() { // it can be read once
		data, err = s.readBytes(file)
		head, input = data, data
	} else if f, openErr := os.Open(s.path(file)); openErr == nil { // readFile names the mistake
		head, _ = io.ReadAll(io.LimitReader(f, 1<<16))
		_ = f.Close()
	}
	switch {
	case err != nil:
		return nil, err
	case !script.Reads(file, head) && data == nil:
		return s.readFile(file)
	case !script.Reads(file, head):
		return bytes.TrimPrefix(data, []byte("\ufeff")), nil
	}
	arguments := []string{file}
	if name != "" {
		arguments = append(arguments, name)
	}
	data, err = script.Run(s.ctx, s.Dir, s.Env, maxInput, input, arguments...)
	if e, ok := errors.AsType[*study.Error](err); ok && e.Code == study.Usage {
		e.Msg = shownSource(shownFile(file)) + ": " + e.Msg
	}
	return data, err
}

var password = lazy.Regexp(`(://[^\s/:@]*:)[^\s@]*@`)

// shownSource is a source as messages show it, without a password.
func shownSource(from string) string { return password().ReplaceAllString(from, "${1}…@") }

func runInit(s call, args []string) error {
	file, from := s.file(), s.text("from")
	if len(args) > 0 {
		file = args[0]
	}
	text := config.Template
	if from != "" {
		var err error
		if text, err = converted(s, from, s.text("study")); err != nil {
			return err
		}
	}
	if file == "-" {
		return s.write(text)
	}
	if _, err := os.Lstat(s.path(file)); err == nil && !s.on("force") {
		return usage("--force overwrites it", "%s exists already", file)
	}
	if err := outFile(file).save(s, text); err != nil {
		return err
	}
	s.Log.Info().Msg("wrote " + file)
	s.Recorded = "it is there; --force overwrites it"
	return s.write([]byte(file + "\n"))
}

// converted is the study file for another tool's search space.
func converted(s call, from, name string) ([]byte, error) {
	foreign, err := readForeign(s, from, "--from", name)
	if err != nil {
		return nil, err
	}
	file := shownSource(strings.TrimPrefix(from, foreign.Tool+":"))
	if foreign.Space == nil {
		return nil, usage("give the file that declares the space", "%s has trials and no search space", file)
	}
	text, found := foreign.Convert(file)
	if err := found.Err(); err != nil {
		return nil, err
	}
	for _, w := range found.Warnings {
		s.Log.warn(w.String())
	}
	s.Log.warn(foreign.SpaceNotes...)
	if len(foreign.Trials) > 0 {
		s.Log.warn(fmt.Sprintf("`bohier import %s` adds its %s", shownSource(from),
			study.Count(len(foreign.Trials), "trial")))
	}
	return text, nil
}
