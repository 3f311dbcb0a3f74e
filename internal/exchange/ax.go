package exchange

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/study"
)

// An axMetric is named by itself.
type axMetric struct {
	Name          string `json:"name"`
	LowerIsBetter *bool  `json:"lower_is_better"`
}

type axObjective struct {
	Metric     *axMetric     `json:"metric"`
	Minimize   *bool         `json:"minimize"`
	Objectives []axObjective `json:"objectives"` // of several
	Objective  *axObjective  `json:"objective"`  // of several, older
}

type axTrial struct {
	Index  int `json:"index"`
	Status struct {
		Name string `json:"name"`
	} `json:"status"`
	Run  json.RawMessage   `json:"generator_run"`
	Runs []json.RawMessage `json:"generator_run_structs"`
	Made axTime            `json:"time_run_started"`
	Done axTime            `json:"time_completed"`
}

type axTime struct {
	Value string `json:"value"`
}

// readAx reads the JSON of an AxClient or of an experiment.
func readAx(in Input, _ Options) (*Study, error) {
	type experiment struct {
		Name         string                     `json:"name"`
		SearchSpace  json.RawMessage            `json:"search_space"`
		Optimization json.RawMessage            `json:"optimization_config"`
		StatusQuo    json.RawMessage            `json:"status_quo"`
		Tracking     json.RawMessage            `json:"tracking_metrics"`
		Trials       map[string]axTrial         `json:"trials"`
		Data         map[string]json.RawMessage `json:"data_by_trial"`
	}
	var client struct {
		Experiment *experiment `json:"experiment"`
		experiment
	}
	if err := decode(in.Data, &client); err != nil {
		return nil, unreadable(in, "give what AxClient.save_to_json_file writes", "this is not JSON of Ax: %v", err)
	}
	e := client.Experiment
	if e == nil {
		e = &client.experiment
	}
	if e.SearchSpace == nil {
		return nil, unreadable(in, "give what AxClient.save_to_json_file writes", "there is no search space of Ax in it")
	}
	st := &Study{Name: e.Name, Form: "ax"}
	var err error
	if st.Space, err = json.Marshal(map[string]json.RawMessage{"search_space": e.SearchSpace,
		"optimization_config": e.Optimization,
		"status_quo":          e.StatusQuo, "tracking_metrics": e.Tracking}); err != nil {
		return nil, unreadable(in, "", "%v", err)
	}
	var config struct {
		Objective axObjective `json:"objective"`
	}
	_ = decode(e.Optimization, &config) // without one the objective is unknown
	st.Objectives = config.Objective.all()
	for n := range len(e.Trials) + maxGap {
		t, ok := e.Trials[strconv.Itoa(n)]
		if !ok {
			continue
		}
		if err := st.addAx(in, t, e.Data[strconv.Itoa(n)]); err != nil {
			return nil, err
		}
	}
	return st, nil
}

// maxGap is how many numbers of trials may be missing.
const maxGap = 10000

// all are the single objectives.
func (o axObjective) all() []Objective {
	if o.Metric == nil {
		var out []Objective
		for _, one := range o.Objectives {
			if one.Objective != nil {
				one = *one.Objective
			}
			out = append(out, one.all()...)
		}
		return out
	}
	d := "maximize"
	if o.Minimize != nil && *o.Minimize || o.Minimize == nil && o.Metric.LowerIsBetter != nil && *o.Metric.LowerIsBetter {
		d = "minimize"
	}
	return []Objective{{Name: o.Metric.Name, Direction: d}}
}

// addAx adds the arms of a trial.
func (st *Study) addAx(in Input, t axTrial, data json.RawMessage) error {
	runs := t.Runs
	if t.Run != nil {
		runs = append(runs, t.Run)
	}
	for _, raw := range runs {
		var run struct {
			GeneratorRun json.RawMessage `json:"generator_run"`
			Arms         []struct {
				Name       string                     `json:"name"`
				Parameters map[string]json.RawMessage `json:"parameters"`
			} `json:"arms"`
		}
		if err := decode(raw, &run); err == nil && run.GeneratorRun != nil {
			raw = run.GeneratorRun // of a batch: with a weight
			_ = decode(raw, &run)
		} else if err != nil {
			return unreadable(in, "", "trial %d: %v", t.Index, err)
		}
		for _, arm := range run.Arms {
			out := Trial{Name: arm.Name, Why: strings.ToLower(t.Status.Name), State: study.Pending,
				Duration: elapsed(t.Made.Value, t.Done.Value)}
			for _, name := range sortedKeys(arm.Parameters) {
				out.Params = append(out.Params, Value{Name: name, JSON: arm.Parameters[name]})
			}
			switch t.Status.Name {
			case "COMPLETED", "EARLY_STOPPED":
				out.State = study.Complete
			case "FAILED":
				out.State = study.Failed
			}
			if out.State == study.Complete {
				out.axData(data, arm.Name, st.Objectives)
			}
			st.Trials = append(st.Trials, out)
		}
	}
	return nil
}

// axData takes over an arm's newest values: {"value": [[time, {"df": table}], …]} with
// a table by columns, whose text is JSON.
func (t *Trial) axData(data json.RawMessage, arm string, objectives []Objective) {
	var saved struct {
		Value []json.RawMessage `json:"value"`
	}
	if decode(data, &saved) != nil {
		return
	}
	for _, pair := range saved.Value {
		var entry []json.RawMessage
		if decode(pair, &entry) != nil || len(entry) != 2 {
			continue
		}
		var frame struct {
			Table struct {
				Value string `json:"value"`
			} `json:"df"`
		}
		var table struct {
			Arm    map[string]string   `json:"arm_name"`
			Metric map[string]string   `json:"metric_name"`
			Mean   map[string]*float64 `json:"mean"`
			Error  map[string]*float64 `json:"sem"`
		}
		if decode(entry[1], &frame) != nil || decode([]byte(frame.Table.Value), &table) != nil {
			continue
		}
		for row, metric := range table.Metric {
			v := orNaN(table.Mean[row])
			if table.Arm[row] != arm || math.IsNaN(v) {
				continue
			}
			if t.Values == nil {
				t.Values = map[string]float64{}
			}
			t.Values[metric] = v
			switch e := table.Error[row]; {
			case e == nil || !(*e > 0) || !slices.ContainsFunc(objectives, func(o Objective) bool { return o.Name == metric }):
			case len(objectives) == 1:
				t.Stderr = e
			case t.Stderrs == nil:
				t.Stderrs = map[string]float64{metric: *e}
			default:
				t.Stderrs[metric] = *e
			}
		}
	}
}
