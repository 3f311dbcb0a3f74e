package exchange

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"bohier/internal/study"
)

// A smacRun is one evaluation in a run history.
type smacRun struct {
	Config   int             `json:"config_id"`
	Budget   *float64        `json:"budget"`
	Cost     json.RawMessage `json:"cost"`
	Time     float64         `json:"time"`
	Status   json.RawMessage `json:"status"`
	Instance any             `json:"instance"`
	Seed     any             `json:"seed"`
}

// readSMAC reads runhistory.json with the configspace.json beside it, or the JSON of a
// ConfigSpace alone. SMAC minimises.
func readSMAC(in Input, _ Options) (*Study, error) {
	var file struct {
		Data            []json.RawMessage                     `json:"data"`
		Configs         map[string]map[string]json.RawMessage `json:"configs"`
		Hyperparameters json.RawMessage                       `json:"hyperparameters"`
	}
	if err := decode(in.Data, &file); err != nil {
		return nil, unreadable(in, "give runhistory.json", "this is not JSON: %v", err)
	}
	if file.Hyperparameters != nil {
		return &Study{Form: "configspace", Space: in.Data}, nil
	}
	if file.Configs == nil {
		return nil, unreadable(in, "give runhistory.json", "there are no configurations in it")
	}
	st := &Study{Form: "configspace", Space: in.beside("configspace.json")}
	runs := map[int][]smacRun{}
	var order []int
	for k, raw := range file.Data {
		r, err := readSMACRun(raw)
		if err != nil {
			return nil, unreadable(in, "", "run %d: %v", k+1, err)
		}
		if runs[r.Config] == nil {
			order = append(order, r.Config)
		}
		runs[r.Config] = append(runs[r.Config], r)
	}
	var left notes
	objectives := 1
	for _, id := range order {
		config := file.Configs[strconv.Itoa(id)]
		t := Trial{Name: strconv.Itoa(id), State: study.Failed}
		for _, name := range sortedKeys(config) {
			t.Params = append(t.Params, Value{Name: name, JSON: config[name]})
		}
		if err := t.summarise(runs[id], &left); err != nil {
			return nil, unreadable(in, "", "configuration %d: %v", id, err)
		}
		objectives = max(objectives, len(t.Scores))
		st.Trials = append(st.Trials, t)
	}
	for range objectives {
		st.Objectives = append(st.Objectives, Objective{Direction: "minimize"})
	}
	st.Notes = left.list("configuration")
	return st, nil
}

// readSMACRun reads a run as a mapping (SMAC from 2.3), a list (before), or a list of
// two (SMAC 1, and before that without a budget).
func readSMACRun(raw json.RawMessage) (r smacRun, err error) {
	if err := json.Unmarshal(raw, &r); err == nil {
		return r, nil
	}
	var list []json.RawMessage
	if err := decode(raw, &list); err != nil {
		return r, err
	}
	fields := []any{&r.Config, &r.Instance, &r.Seed, &r.Budget, &r.Cost, &r.Time, &r.Status}
	if len(list) == 2 { // [[config, instance, seed, budget], [cost, time, status, …]]
		var key, value []json.RawMessage
		if decode(list[0], &key) != nil || decode(list[1], &value) != nil {
			return r, fmt.Errorf("not a run")
		}
		if len(key) == 3 {
			key = append(key, json.RawMessage("null"))
		}
		list = append(key, value...)
	}
	if len(list) < len(fields) {
		return r, fmt.Errorf("not a run: %d fields", len(list))
	}
	if len(list) > 7 && isStatus(list[7]) && !isStatus(list[6]) { // with the processor time
		list[6] = list[7]
	}
	for k, f := range fields {
		if err := decode(list[k], f); err != nil {
			return r, err
		}
	}
	return r, nil
}

// isStatus tells a state from a time: a whole number up to 7, or a mapping.
func isStatus(raw json.RawMessage) bool {
	n, err := strconv.Atoi(string(raw))
	return err == nil && n <= 7 || len(raw) > 0 && raw[0] == '{'
}

// smacStates are the words for the numbers of SMAC 2.
var smacStates = []string{"running", "success", "crashed", "timeout", "memory out"}

func (r smacRun) state() string {
	if n, err := strconv.Atoi(string(r.Status)); err == nil && n >= 0 && n < len(smacStates) {
		return smacStates[n]
	}
	var enum struct {
		Name string `json:"__enum__"`
	}
	_ = json.Unmarshal(r.Status, &enum)
	return map[string]string{"StatusType.SUCCESS": "success", "StatusType.RUNNING": "running",
		"StatusType.TIMEOUT": "timeout",
		"StatusType.MEMOUT":  "memory out", "StatusType.CAPPED": "capped", "StatusType.ABORT": "aborted"}[enum.Name]
}

// costs are one or several objectives.
func (r smacRun) costs() ([]float64, error) {
	var list []*float64
	if decode(r.Cost, &list) != nil {
		var one *float64
		if err := decode(r.Cost, &one); err != nil {
			return nil, err
		}
		list = []*float64{one}
	}
	out := make([]float64, len(list))
	for k, v := range list {
		out[k] = orNaN(v)
	}
	return out, nil
}

// summarise makes one measurement of the runs of a configuration: the mean over
// instances and seeds at its greatest budget.
func (t *Trial) summarise(runs []smacRun, left *notes) error {
	most := math.Inf(-1)
	budgets := map[float64]bool{}
	for _, r := range runs {
		if r.Budget != nil {
			most = max(most, *r.Budget)
			budgets[*r.Budget] = true
		}
	}
	if len(budgets) > 1 {
		left.add("measured at several budgets, of which the greatest counts", t.Name)
	}
	var sets [][]float64
	seconds := 0.0
	for _, r := range runs {
		if r.Budget != nil && *r.Budget < most {
			continue
		}
		if t.Why = r.state(); t.Why == "" {
			t.Why = "crashed"
		}
		if t.Why != "success" {
			if t.Why == "running" {
				t.State = study.Pending
			}
			return nil
		}
		costs, err := r.costs()
		if err != nil {
			return err
		}
		sets, seconds = append(sets, costs), seconds+r.Time
	}
	t.State, t.Duration = study.Complete, &seconds
	t.Scores, t.Stderr = means(sets)
	if len(sets) > 1 {
		left.add("measured several times, of which the mean and its standard error count", t.Name)
	}
	if len(budgets) > 0 {
		t.Metrics = study.Metrics{"budget": slices.Max(slices.Collect(maps.Keys(budgets)))}
	}
	return nil
}

// means is the mean of several measurements, and the standard error of the first of
// their values; nil for one measurement.
func means(sets [][]float64) (mean []float64, stderr *float64) {
	if len(sets) == 0 {
		return nil, nil
	}
	mean = make([]float64, len(sets[0]))
	for _, s := range sets {
		for k := range mean {
			if k >= len(s) {
				mean[k] = math.NaN()
				continue
			}
			mean[k] += s[k] / float64(len(sets))
		}
	}
	if len(sets) < 2 {
		return mean, nil
	}
	squares := 0.0
	for _, s := range sets {
		squares += (s[0] - mean[0]) * (s[0] - mean[0])
	}
	n := float64(len(sets))
	e := math.Sqrt(squares / (n - 1) / n)
	return mean, &e
}
