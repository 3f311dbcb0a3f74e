package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"bohier/internal/config"
	"bohier/internal/jsonscan"
	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Tools are those whose trials Read reads, as users name them; Spaces are those whose search spaces Convert knows.
var (
	Tools  = []string{"ax", "irace", "optuna", "smac", "wandb"}
	Spaces = []string{"ax", "configspace", "irace", "katib", "nni", "optuna", "smac", "wandb"}
)

// An Input is a file named by the user, and the directory it lies in for those files that belong together.
type Input struct {
	Name string // for messages
	Data []byte
	Dir  fs.FS // nil: there are no files beside it
}

// MaxInput is the largest size of a file, in bytes.
const MaxInput = 64 << 20

// beside reads another file of the same directory; nil if there is none.
func (in Input) beside(name string) []byte {
	if in.Dir == nil || !fs.ValidPath(name) {
		return nil
	}
	info, err := fs.Stat(in.Dir, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > MaxInput {
		return nil
	}
	data, _ := fs.ReadFile(in.Dir, name)
	return data
}

// path names such a file as messages do.
func (in Input) path(name string) string { return path.Join(path.Dir(in.Name), name) }

// A Study is the content of a source, in its own words.
type Study struct {
	Tool        string          `json:"import"`
	Name        string          `json:"study"`
	Objectives  []Objective     `json:"objectives"` // at least one unless unknown
	Form        string          `json:"form"`       // the tool whose form Space has
	Trials      []Trial         `json:"-"`
	Loose       bool            `json:"loose"`       // parameters of trials may be none, as the columns of a table
	Texts       bool            `json:"texts"`       // values of parameters are texts, as a table has them
	Space       json.RawMessage `json:"space"`       // nil: the source has none
	Constraints []string        `json:"constraints"` // on outcomes
	Require     []string        `json:"require"`     // of parameters
	Budget      int             `json:"budget"`      // trials; 0: unknown
	Command     []string        `json:"command"`     // the command of a trial, before its parameters; nil: unknown
	Instances   []string        `json:"instances"`   // the instances on which a configuration is measured
	Notes       []string        `json:"notes"`       // the omitted parts of the trials, a sentence each
	SpaceNotes  []string        `json:"space_notes"` // remarks on the space

	in    Input
	parts []part // the files of a scenario of irace
}

// A part is a file of a study, read as a section of the parameters of irace.
type part struct {
	section, file string
	text          []byte
}

// An Objective is the objective of a source; an empty name or direction is unknown.
type Objective = config.DraftObjective

// Read reads a source of one of Tools; empty: of the one whose script printed it. name chooses one of
// several studies; empty: the only one. Errors are those of users: code Usage.
func Read(tool string, in Input, name string) (st *Study, err error) {
	in.Data = bytes.TrimPrefix(in.Data, []byte("\ufeff"))
	switch {
	case path.Ext(in.Name) == ".pcs":
		err = unreadable(in, PCS, "this is a .pcs file")
	case IsLines(in.Data):
		if st, err = readLines(in, tool, name); err == nil && st.Tool == "irace" {
			st.iraceCommand(st.Command, st.Instances)
		}
	case tool == "irace": // a parameters file, or a scenario with the files that it names
		st = &Study{Form: "irace", Space: in.Data}
		if options, order := iraceScenario(in.Data); options != nil {
			st, err = iraceSpace(in, options, order)
		}
	case !slices.Contains(Spaces, tool), tool == "ax", tool == "optuna" && !isObject(in.Data),
		tool == "wandb" && !isSweep(in.Data):
		err = unreadable(in, "`bohier help init` lists what is read", "nothing of %s was found in it", tool)
	case tool == "smac":
		st = &Study{Form: "configspace", Space: in.Data}
	default:
		st = &Study{Form: tool, Space: in.Data}
	}
	if err != nil {
		return nil, err
	}
	st.Tool, st.in = cmp.Or(st.Tool, tool), in
	return st, nil
}

func isObject(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) }

func isSweep(text []byte) bool {
	return isObject(text) || bytes.HasPrefix(text, []byte("parameters:")) || bytes.Contains(text, []byte("\nparameters:"))
}

// unreadable is the error for a source that is not of its declared format.
func unreadable(in Input, hint, format string, args ...any) error {
	return study.Errorf(study.Usage, hint, "%s: %s", in.Name, fmt.Sprintf(format, args...))
}

// decode reads JSON in which numbers that are not finite may be written as Python writes them.
func decode(data []byte, v any) error {
	if err := json.Unmarshal(data, v); err == nil {
		return nil
	}
	return json.Unmarshal(jsonscan.NonFinite(data, func([]byte) []byte { return []byte("null") }), v)
}

// flatten adds numbers, texts and booleans to metrics, under names joined by dots; lists are left out.
func flatten(metrics map[string]any, name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			flatten(metrics, name+"."+k, x)
		}
	case float64, string:
		metrics[name] = v
	case bool:
		metrics[name] = fmt.Sprint(v)
	}
}

// notes collects omissions, counted by reason in the order of appearance; there may be a reason for each of very many
// trials.
type notes struct {
	reasons []string
	names   map[string][]string // by reason, as they came
}

func (n *notes) add(reason, name string) {
	if n.names == nil {
		n.names = map[string][]string{}
	}
	if n.names[reason] == nil {
		n.reasons = append(n.reasons, reason)
	}
	n.names[reason] = append(n.names[reason], name)
}

// list is a sentence for each reason: "3 trials left out: the reason (2, 5, 7)".
func (n notes) list(what string) (out []string) {
	for _, reason := range n.reasons {
		names := lists.Distinct(n.names[reason], func(name string) string { return name })
		out = append(out, fmt.Sprintf("%s %s: %s", study.Count(len(names), what), reason, space.Listed(names)))
	}
	return out
}

// PCS is the advice for a .pcs file, which ConfigSpace reads.
const PCS = "ConfigSpace reads .pcs files: python3 -c \"from ConfigSpace.read_and_write import pcs_new; " +
	"pcs_new.read(open('space.pcs')).to_json('space.json')\" (module pcs for the older form), then bohier init --from " +
	"configspace:space.json"
