package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/execute"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

type addOptions struct {
	tellOptions
	place  place
	format format
	values []string
	json   string
	csv    string
}

func newAdd(s *streams, g *globals) *cobra.Command {
	var o addOptions
	c := &cobra.Command{
		Use: "add NAME=VALUE... [flags]", Short: "Add configurations measured already.",
		Example: `  bohier add lr=0.01 layers=3 loss=0.42   # parameters, and the objective's value
  bohier add --json results.jsonl         # {"params":{"lr":0.01,"layers":3},"values":{"loss":0.42},"cost":12.5}
  bohier add --csv results.csv            # columns: parameters, loss, cost, stderr, fail
  bohier trials -c old.yaml -o csv | bohier add --csv -`,
		Long: `Every configuration gives all its active parameters. Either all are added or,
where one of them is wrong, none; adding the same file again adds nothing, and
completes what was interrupted. In CSV a column is a parameter or an outcome,
written param.NAME or value.NAME where the same name is both; empty cells are
inactive parameters or missing values.`,
		Args:              args(0, -1, ""),
		Annotations:       exits(4, 5, 6, 7, 8, 9, 130),
		ValidArgsFunction: g.completeAssignments(s),
		RunE: func(c *cobra.Command, got []string) error {
			o.place, o.values = g.place, got
			o.hasCost, o.hasStderr = c.Flags().Changed("cost"), c.Flags().Changed("stderr")
			return runAdd(c.Context(), *s, o)
		},
	}
	o.flags(c)
	f := c.Flags()
	f.StringVar(&o.json, "json", "", "read JSON objects, one a line, from `FILE`; - is stdin")
	f.StringVar(&o.csv, "csv", "", "read CSV from `FILE`; - is stdin")
	g.addFormat(c, &o.format, receiptFormats...)
	return c
}

func runAdd(ctx context.Context, s streams, o addOptions) error {
	given := 0
	for _, is := range []bool{o.json != "", o.csv != "", len(o.values) > 0} {
		if is {
			given++
		}
	}
	if given != 1 {
		return usage("", "give one configuration as NAME=VALUE arguments, or a file with --json or --csv")
	}
	cycle, err := o.place.cycle(s)
	if err != nil {
		return err
	}
	list, err := o.read(s, cycle.Study)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return usage("", "there is nothing to add")
	}
	trials, recorded, err := cycle.Add(ctx, list)
	if err != nil {
		return err
	}
	receipts := make([]report.Receipt, len(trials))
	for i := range trials {
		receipts[i] = report.NewReceipt(&trials[i], recorded)
	}
	return printReceipts(s, o.format, receipts, len(o.values) == 0)
}

// read is what the user gives, in whichever form.
func (o *addOptions) read(s streams, st *study.Study) ([]runner.Added, error) {
	file := o.json + o.csv
	if file == "" {
		var fields [][2]string
		for _, text := range o.values {
			name, value, ok := strings.Cut(text, "=")
			if !ok {
				return nil, usage("such as lr=0.01", "%q is not NAME=VALUE", text)
			}
			fields = append(fields, [2]string{name, value})
		}
		one, err := addedFromFields(st, fields)
		if err != nil {
			return nil, usage("", "%v", err)
		}
		if one.Tell, err = o.tell(one.Tell); err != nil {
			return nil, err
		}
		return []runner.Added{one}, nil
	}
	data, err := s.readFile(file)
	if err != nil {
		return nil, err
	}
	read := addedFromJSON
	if o.csv != "" {
		read = addedFromCSV
	}
	var list []runner.Added
	line, err := read(st, data, func(a runner.Added) (err error) {
		a.Tell, err = o.tell(a.Tell)
		list = append(list, a)
		return err
	})
	if err != nil {
		return nil, usage("nothing was added", "%s:%d: %v", shownFile(file), line, err)
	}
	nameBatch(list, data)
	return list, nil
}

// nameBatch gives the members of a batch that have no key one of their own, by
// the text they come from: a batch that was cut short by a kill is completed by
// adding the same text again, and nothing is there twice.
func nameBatch(list []runner.Added, data []byte) {
	if len(list) < 2 {
		return // recorded or not, as a whole
	}
	sum := sha256.Sum256(data)
	for i := range list {
		if list[i].Key == "" {
			list[i].Key = fmt.Sprintf("add:%x#%d", sum[:8], i+1)
		}
	}
}

// addedFromJSON reads one object a line; it returns the line an error is about.
func addedFromJSON(st *study.Study, data []byte, visit func(runner.Added) error) (int, error) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 16<<20)
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var object struct {
			Params json.RawMessage `json:"params"`
			Key    string          `json:"key"`
		}
		if err := json.Unmarshal(lines.Bytes(), &object); err != nil {
			return n, fmt.Errorf("not a JSON object: %v", err)
		}
		if object.Params == nil {
			return n, fmt.Errorf(`"params" is missing`)
		}
		c, err := st.Space.ParseJSON(object.Params)
		if err != nil {
			return n, err
		}
		t, err := execute.ParseResult(st, lines.Text())
		if err != nil {
			return n, err
		}
		if err := visit(runner.Added{Config: c, Tell: t, Key: object.Key}); err != nil {
			return n, err
		}
	}
	return n + 1, lines.Err()
}

// addedFromCSV reads rows under a heading; it returns the line an error is about.
func addedFromCSV(st *study.Study, data []byte, visit func(runner.Added) error) (int, error) {
	r := csv.NewReader(bytes.NewReader(data))
	head, err := r.Read()
	if err != nil {
		return 1, err
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			return 0, nil
		}
		line, _ := r.FieldPos(0)
		if err != nil {
			return line, err
		}
		var fields [][2]string
		for i, cell := range row {
			if cell != "" && !slices.Contains(bookkeeping, head[i]) {
				fields = append(fields, [2]string{head[i], cell})
			}
		}
		a, err := addedFromFields(st, fields)
		if err == nil {
			err = visit(a)
		}
		if err != nil {
			return line, err
		}
	}
}

// bookkeeping are the columns of `trials -o csv` that say nothing about a
// measurement.
var bookkeeping = []string{"trial", "id", "state", "source", "suggested_at", "observed_at"}

// addedFromFields reads names with values: parameters, outcomes, cost, stderr,
// fail and note.
func addedFromFields(st *study.Study, fields [][2]string) (runner.Added, error) {
	var params []string
	result := map[string]string{}
	for _, f := range fields {
		name, value := f[0], f[1]
		_, isParam := st.Space.Index(name)
		isOutcome := slices.Contains(outcomeNames(st), name) || slices.Contains([]string{"cost", "stderr", "fail", "note"}, name)
		if p, ok := strings.CutPrefix(name, "param."); ok && !isParam {
			name, isParam = p, true
		} else if v, ok := strings.CutPrefix(name, "value."); ok && !isParam && !isOutcome {
			name, isOutcome = v, slices.Contains(outcomeNames(st), v)
		}
		switch {
		case isParam && isOutcome:
			return runner.Added{}, fmt.Errorf("%s is a parameter and an outcome; write param.%s or value.%s", name, name, name)
		case isParam:
			params = append(params, name+"="+value)
		case isOutcome:
			if _, twice := result[name]; twice {
				return runner.Added{}, fmt.Errorf("%s is given twice", name)
			}
			result[name] = value
		default:
			_, err := st.Space.Lookup(name)
			return runner.Added{}, err
		}
	}
	object, err := json.Marshal(result)
	if err != nil {
		return runner.Added{}, err
	}
	t, err := execute.ParseResult(st, string(object))
	if err != nil {
		return runner.Added{}, err
	}
	values, err := st.Space.ParseAssignments(params)
	if err != nil {
		return runner.Added{}, err
	}
	c, err := st.Space.Assemble(values)
	return runner.Added{Config: c, Tell: t}, err
}
