package exchange

import (
	"bufio"
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The operations of Optuna's journal, by their number.
const (
	opCreateStudy = iota
	opDeleteStudy
	opStudyUserAttr
	opStudySystemAttr
	opCreateTrial
	opTrialParam
	opTrialState
	opTrialIntermediate
	opTrialUserAttr
	opTrialSystemAttr
)

// optunaStates are the states of a trial by their number in the journal.
var optunaStates = []string{"RUNNING", "COMPLETE", "PRUNED", "FAIL", "WAITING"}

var optunaDirections = []string{"", "minimize", "maximize"}

// operation is a line of the journal. A distribution is JSON inside a text.
type operation struct {
	Op            int                `json:"op_code"`
	StudyName     string             `json:"study_name"`
	Directions    []int              `json:"directions"`
	Study         int                `json:"study_id"`
	Trial         int                `json:"trial_id"`
	Param         string             `json:"param_name"`
	Internal      float64            `json:"param_value_internal"`
	Distribution  string             `json:"distribution"`
	State         *int               `json:"state"`
	Value         *float64           `json:"value"`
	Values        []*float64         `json:"values"`
	Start         string             `json:"datetime_start"`
	End           string             `json:"datetime_complete"`
	UserAttr      map[string]any     `json:"user_attr"`
	SystemAttr    map[string]any     `json:"system_attr"`
	UserAttrs     map[string]any     `json:"user_attrs"`
	Params        map[string]float64 `json:"params"`
	Distributions map[string]string  `json:"distributions"`
	Intermediate  map[string]any     `json:"intermediate_values"`
}

// readOptunaJournal replays a journal file. Deleted studies keep their place, so that
// numbers stay what they are.
func readOptunaJournal(in Input) ([]*optunaStudy, error) {
	var all []*optunaStudy
	var deleted []bool
	var trials []*optunaTrial
	lines := bufio.NewScanner(bytes.NewReader(in.Data))
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var op operation
		if err := decode(lines.Bytes(), &op); err != nil {
			return nil, unreadable(in, "", "line %d: %v", n, err)
		}
		needsStudy := op.Op == opDeleteStudy || op.Op == opStudyUserAttr || op.Op == opStudySystemAttr || op.Op == opCreateTrial
		if needsStudy && (op.Study < 0 || op.Study >= len(all)) {
			return nil, unreadable(in, "", "line %d: there is no study %d", n, op.Study)
		}
		if op.Op >= opTrialParam && (op.Trial < 0 || op.Trial >= len(trials)) {
			return nil, unreadable(in, "", "line %d: there is no trial %d", n, op.Trial)
		}
		switch op.Op {
		case opCreateStudy:
			if slices.ContainsFunc(all, func(s *optunaStudy) bool { return s.name == op.StudyName && !deleted[slices.Index(all, s)] }) {
				continue // Optuna ignores a second one of the name
			}
			s := &optunaStudy{name: op.StudyName, attrs: map[string]any{}}
			for _, d := range op.Directions {
				if d < 0 || d >= len(optunaDirections) {
					d = 0
				}
				s.directions = append(s.directions, optunaDirections[d])
			}
			all, deleted = append(all, s), append(deleted, false)
		case opDeleteStudy:
			deleted[op.Study] = true
		case opStudyUserAttr:
			merge(all[op.Study].attrs, op.UserAttr)
		case opStudySystemAttr:
			all[op.Study].metricNames(op.SystemAttr)
		case opCreateTrial:
			s := all[op.Study]
			t := op.create(len(s.trials))
			s.trials, trials = append(s.trials, t), append(trials, t)
		case opTrialParam:
			trials[op.Trial].setParam(optunaParam{op.Param, op.Internal, op.Distribution})
		case opTrialState:
			op.settle(trials[op.Trial])
		case opTrialIntermediate:
			trials[op.Trial].reported++
		case opTrialUserAttr:
			merge(trials[op.Trial].attrs, op.UserAttr)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, unreadable(in, "", "%v", err)
	}
	var out []*optunaStudy
	for i, s := range all {
		if !deleted[i] {
			out = append(out, s)
		}
	}
	return out, nil
}

// create is a new trial; one that Optuna was given whole has its results already.
func (op *operation) create(number int) *optunaTrial {
	t := &optunaTrial{number: number, state: "RUNNING", attrs: map[string]any{}, start: op.Start, reported: len(op.Intermediate)}
	merge(t.attrs, op.UserAttrs)
	for _, name := range sortedKeys(op.Params) {
		t.setParam(optunaParam{name, op.Params[name], op.Distributions[name]})
	}
	op.settle(t)
	return t
}

// settle takes over a state and what comes with it.
func (op *operation) settle(t *optunaTrial) {
	if op.State != nil && *op.State >= 0 && *op.State < len(optunaStates) {
		t.state = optunaStates[*op.State]
	}
	values := op.Values
	if values == nil && op.Value != nil {
		values = []*float64{op.Value}
	}
	if values != nil {
		t.values = t.values[:0]
		for _, v := range values {
			t.values = append(t.values, orNaN(v))
		}
	}
	if op.Start != "" {
		t.start = op.Start
	}
	if op.End != "" {
		t.end = op.End
	}
}

func (s *optunaStudy) metricNames(attr map[string]any) {
	list, _ := attr["study:metric_names"].([]any)
	for _, v := range list {
		name, _ := v.(string)
		s.metrics = append(s.metrics, name)
	}
}

// readOptunaDB reads the tables of an SQLite storage.
func readOptunaDB(in Input) ([]*optunaStudy, error) {
	base := path.Base(filepath.ToSlash(in.Name))
	for suffix, what := range map[string]string{"-wal": "a write-ahead log", "-journal": "a transaction that has not ended"} {
		if len(in.beside(base+suffix)) > 0 {
			return nil, unreadable(in, "once nothing writes to it: sqlite3 "+base+" 'pragma wal_checkpoint(truncate)'",
				"%s%s beside it is %s", base, suffix, what)
		}
	}
	db, err := openDatabase(in.Data)
	if err != nil {
		return nil, unreadable(in, "", "%v", err)
	}
	r := &optunaRows{db: db, studies: map[int64]*optunaStudy{}, trials: map[int64]*optunaTrial{}}
	for _, read := range []func() error{r.readStudies, r.readTrials, r.readValues} {
		if err := read(); err != nil {
			return nil, unreadable(in, "", "%v", err)
		}
	}
	if len(db.tables["studies"].columns) == 0 {
		return nil, unreadable(in, "", "there is no table of studies: this is no database of Optuna")
	}
	return r.list, nil
}

// mostObjectives bounds what a damaged file can make of a study.
const mostObjectives = 1000

type optunaRows struct {
	db      *database
	list    []*optunaStudy
	studies map[int64]*optunaStudy
	trials  map[int64]*optunaTrial
}

// each visits the rows of a table.
func (r *optunaRows) each(name string, visit func(row map[string]any)) error {
	rows, err := r.db.rows(name)
	for _, row := range rows {
		visit(row)
	}
	return err
}

func (r *optunaRows) readStudies() error {
	err := r.each("studies", func(row map[string]any) {
		s := &optunaStudy{name: text(row["study_name"]), attrs: map[string]any{}}
		if d := text(row["direction"]); d != "" { // before there were several
			s.directions = []string{direction(d)}
		}
		r.list, r.studies[integer(row["study_id"])] = append(r.list, s), s
	})
	if err != nil {
		return err
	}
	err = r.each("study_directions", func(row map[string]any) {
		k := int(integer(row["objective"]))
		if s := r.studies[integer(row["study_id"])]; s != nil && k >= 0 && k < mostObjectives {
			for len(s.directions) <= k {
				s.directions = append(s.directions, "")
			}
			s.directions[k] = direction(text(row["direction"]))
		}
	})
	if err != nil {
		return err
	}
	err = r.each("study_user_attributes", func(row map[string]any) {
		if s := r.studies[integer(row["study_id"])]; s != nil {
			s.attrs[text(row["key"])] = jsonValue(row["value_json"])
		}
	})
	if err != nil {
		return err
	}
	return r.each("study_system_attributes", func(row map[string]any) {
		if s := r.studies[integer(row["study_id"])]; s != nil {
			s.metricNames(map[string]any{text(row["key"]): jsonValue(row["value_json"])})
		}
	})
}

func (r *optunaRows) readTrials() error {
	err := r.each("trials", func(row map[string]any) {
		s := r.studies[integer(row["study_id"])]
		if s == nil {
			return
		}
		t := &optunaTrial{number: len(s.trials), state: text(row["state"]), attrs: map[string]any{},
			start: text(row["datetime_start"]), end: text(row["datetime_complete"])}
		if v, ok := row["number"].(int64); ok {
			t.number = int(v)
		}
		if v, ok := float(row["value"]); ok { // before there were several
			t.values = []float64{v}
		}
		s.trials, r.trials[integer(row["trial_id"])] = append(s.trials, t), t
	})
	if err != nil {
		return err
	}
	err = r.each("trial_params", func(row map[string]any) {
		if t := r.trials[integer(row["trial_id"])]; t != nil {
			v, _ := float(row["param_value"])
			t.setParam(optunaParam{text(row["param_name"]), v, text(row["distribution_json"])})
		}
	})
	if err != nil {
		return err
	}
	err = r.each("trial_user_attributes", func(row map[string]any) {
		if t := r.trials[integer(row["trial_id"])]; t != nil {
			t.attrs[text(row["key"])] = jsonValue(row["value_json"])
		}
	})
	if err != nil {
		return err
	}
	return r.each("trial_intermediate_values", func(row map[string]any) {
		if t := r.trials[integer(row["trial_id"])]; t != nil {
			t.reported++
		}
	})
}

func (r *optunaRows) readValues() error {
	return r.each("trial_values", func(row map[string]any) {
		t := r.trials[integer(row["trial_id"])]
		k := int(integer(row["objective"]))
		if t == nil || k < 0 || k >= mostObjectives {
			return
		}
		for len(t.values) <= k {
			t.values = append(t.values, orNaN(nil))
		}
		if v, ok := float(row["value"]); ok {
			t.values[k] = v
		}
	})
}

// direction is MINIMIZE, MAXIMIZE or NOT_SET in our words.
func direction(text string) string {
	if d := strings.ToLower(text); d == "minimize" || d == "maximize" {
		return d
	}
	return ""
}
