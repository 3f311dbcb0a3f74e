package exchange

import (
	"bytes"
	"slices"
	"strconv"

	"bohier/internal/study"
)

// wandbFacts are the columns of the table that the page of a project exports, beside
// those of configuration and summary.
var wandbFacts = []string{"Name", "State", "Notes", "User", "Tags", "Created", "Runtime", "Sweep", "ID", "Agent",
	"GPU Count", "GPU Type",
	"Host", "End Time", "Updated", "Commit", "Github", "Hostname", "Start Time", "Group", "Job Type"}

// readWandb reads a sweep (its space), or the CSV of runs that a project's page exports.
func readWandb(in Input) (*Study, error) {
	text := bytes.TrimSpace(in.Data)
	first, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
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
