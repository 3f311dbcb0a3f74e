package exchange

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/study"
)

// wandbFacts are the columns of the table that the page of a project exports, beside
// those of configuration and summary.
var wandbFacts = []string{"Name", "State", "Notes", "User", "Tags", "Created", "Runtime", "Sweep", "ID", "Agent",
	"GPU Count", "GPU Type",
	"Host", "End Time", "Updated", "Commit", "Github", "Hostname", "Start Time", "Group", "Job Type"}

// readWandb reads a sweep (its space), or exported runs: the CSV of a project's page, or
// JSON objects with config and summary, as the script prints them.
func readWandb(in Input, _ Options) (*Study, error) {
	text := bytes.TrimSpace(in.Data)
	first, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case bytes.HasPrefix(text, []byte("[")),
		bytes.HasPrefix(text, []byte("{")) && bytes.Contains(first, []byte(`"config"`)):
		return wandbObjects(in, text)
	case bytes.HasPrefix(text, []byte("{")), bytes.Contains(text, []byte("\nparameters:")),
		bytes.HasPrefix(text, []byte("parameters:")):
		return &Study{Form: "wandb", Space: in.Data}, nil
	case !bytes.ContainsAny(first, ",;\t"):
		return nil, unreadable(in, "a sweep (YAML), or exported runs (CSV or JSON)",
			"this is neither a sweep nor a table of runs")
	}
	head, rows, err := rowsOf(in)
	if err != nil {
		return nil, err
	}
	st := &Study{}
	for k, row := range rows {
		t := Trial{Name: strconv.Itoa(k + 1), Loose: true}
		for i, cell := range row {
			if cell != "" && head[i] != "" && !slices.Contains(wandbFacts, head[i]) {
				t.Params = append(t.Params, tableValue(head[i], cell))
			}
		}
		if v, err := strconv.ParseFloat(column(head, row, "Runtime"), 64); err == nil {
			t.Duration = &v
		}
		for _, name := range []string{"ID", "Name", "name"} {
			if cell := column(head, row, name); cell != "" {
				t.Name = cell
				break
			}
		}
		t.ended(column(head, row, "State") + column(head, row, "state"))
		st.Trials = append(st.Trials, t)
	}
	distinct(st.Trials)
	return st, nil
}

// ended takes over what became of a run; unknown counts as an end, for what has no
// value is told by Fit.
func (t *Trial) ended(state string) {
	t.Why = state
	switch state {
	case "", "finished":
		t.State = study.Complete
	case "running", "pending", "preempting":
		t.State = study.Pending
	default: // crashed, failed, killed
		t.State = study.Failed
	}
}

func (t *Trial) fromMaps(config, summary any) {
	for _, p := range flat("", config) {
		if !strings.HasPrefix(p.Name, "_") {
			t.Params = append(t.Params, p)
		}
	}
	m, _ := summary.(map[string]any)
	for _, name := range sortedKeys(m) {
		if v, ok := m[name].(float64); ok && name == "_runtime" {
			t.Duration = &v
		}
		if !strings.HasPrefix(name, "_") {
			t.measured(name, m[name])
		}
	}
}

// flat gives nested mappings dotted names, as the converter of sweeps does.
func flat(prefix string, v any) []Value {
	m, ok := v.(map[string]any)
	if !ok {
		b, err := json.Marshal(v)
		if err != nil || prefix == "" {
			return nil
		}
		return []Value{{Name: strings.TrimSuffix(prefix, "."), JSON: b}}
	}
	var out []Value
	for _, name := range sortedKeys(m) {
		out = append(out, flat(prefix+name+".", m[name])...)
	}
	return out
}

// wandbObjects reads an array, or a line each, of {"name", "state", "config",
// "summary"}.
func wandbObjects(in Input, text []byte) (*Study, error) {
	type run struct {
		Name    string         `json:"name"`
		ID      string         `json:"id"`
		State   string         `json:"state"`
		Config  map[string]any `json:"config"`
		Summary map[string]any `json:"summary"`
	}
	var runs []run
	if decode(text, &runs) != nil {
		runs = nil
		for n, line := range bytes.Split(text, []byte("\n")) {
			var r run
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			if err := decode(line, &r); err != nil {
				return nil, unreadable(in, "an array of runs, or one a line", "line %d: %v", n+1, err)
			}
			runs = append(runs, r)
		}
	}
	st := &Study{}
	for k, r := range runs {
		t := Trial{Name: strconv.Itoa(k + 1), Loose: true}
		if r.Name+r.ID != "" {
			t.Name = r.Name
			if r.ID != "" {
				t.Name = r.ID
			}
		}
		t.fromMaps(r.Config, r.Summary)
		t.ended(r.State)
		st.Trials = append(st.Trials, t)
	}
	distinct(st.Trials)
	return st, nil
}

// distinct tells trials of the same name apart.
func distinct(trials []Trial) {
	count := map[string]int{}
	for i := range trials {
		name := trials[i].Name
		if count[name]++; count[name] > 1 {
			trials[i].Name += "#" + strconv.Itoa(count[name])
		}
	}
}
