package exchange

import (
	"bytes"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"

	"bohier/internal/study"
)

var iraceOption = regexp.MustCompile(`^\s*([a-zA-Z]+)\s*(?:=|<-)\s*["']?([^"']*)["']?$`)

// readIrace reads a parameters file, a scenario with the parameters file that it names,
// or irace.Rdata, the log of a run, with the scenario beside it. irace minimises.
func readIrace(in Input, _ Options) (*Study, error) {
	if bytes.HasPrefix(in.Data, []byte{0x1f, 0x8b}) || bytes.HasPrefix(in.Data, []byte("RDX")) ||
		bytes.HasPrefix(in.Data, []byte("BZh")) || bytes.HasPrefix(in.Data, []byte("\xfd7zXZ")) {
		return readIraceLog(in)
	}
	options := iraceScenario(in.Data)
	if options == nil {
		return &Study{Form: "irace", Space: in.Data}, nil
	}
	return iraceSpace(in, options)
}

// iraceScenario are the options of a scenario; nil for a file of parameters.
func iraceScenario(data []byte) map[string]string {
	options := map[string]string{}
	for _, line := range strings.Split(string(data), "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimRight(line, " \t\r")
		m := iraceOption.FindStringSubmatch(line)
		switch {
		case strings.TrimSpace(line) == "":
		case m == nil:
			return nil
		default:
			options[m[1]] = strings.TrimSpace(m[2])
		}
	}
	return options
}

// iraceSpace is the space that a scenario names.
func iraceSpace(in Input, options map[string]string) (*Study, error) {
	file := options["parameterFile"]
	if file == "" {
		file = "parameters.txt"
	}
	file = path.Clean(file)
	data := in.beside(file)
	if data == nil {
		return nil, unreadable(in, "convert that file: bohier init --from irace:"+file, "the file of its parameters, %s, is not beside it", file)
	}
	st := &Study{Form: "irace", Space: data, Objectives: []Objective{{Direction: "minimize"}}}
	if n, err := strconv.Atoi(options["maxExperiments"]); err == nil && n > 0 {
		st.Budget = n
		st.SpaceNotes = append(st.SpaceNotes, "irace counts an experiment for each instance, a budget of trials counts configurations")
	}
	instance := "instance"
	if list := strings.Fields(options["trainInstancesText"]); len(list) > 0 {
		instance = list[0]
		if len(list) > 1 {
			st.SpaceNotes = append(st.SpaceNotes, study.Count(len(list)-1, "instance")+" left out: the command runs "+instance)
		}
	}
	if run := strings.Fields(options["targetRunner"]); len(run) > 0 {
		st.Command = append(run, "1", "1", "1", instance)
		st.SpaceNotes = append(st.SpaceNotes, "the target runner gets configuration 1, instance 1 and seed 1")
	}
	return st, nil
}

// readIraceLog reads configurations and the results on the instances they raced on.
func readIraceLog(in Input) (*Study, error) {
	data, err := readRData(in.Data)
	if err != nil {
		return nil, unreadable(in, "", "%v", err)
	}
	log := data.get("iraceResults")
	all, experiments := log.get("allConfigurations"), log.get("experiments")
	if all == nil || experiments == nil || all.attributes["names"] == nil {
		return nil, unreadable(in, "give the logFile of a run, irace.Rdata", "there are no results of irace in it")
	}
	st := &Study{Objectives: []Objective{{Direction: "minimize"}}}
	for _, name := range []string{"scenario.txt", "parameters.txt"} {
		if beside := in.beside(name); beside != nil && st.Space == nil {
			if found, err := readIrace(Input{Name: name, Data: beside, Dir: in.Dir}, Options{}); err == nil {
				objectives := st.Objectives
				*st = *found
				st.Objectives = objectives
			}
		}
	}
	rows, columns := experiments.dimensions()
	if rows*columns != len(experiments.numbers) {
		return nil, unreadable(in, "", "the results of irace are not a matrix")
	}
	names := columnNames(experiments)
	raced := false
	for k := range all.rows() {
		t := Trial{Name: strconv.Itoa(k + 1), State: study.Complete}
		for c, name := range all.attributes["names"].texts {
			if name == nil || c >= len(all.list) {
				continue
			}
			cell, ok := all.list[c].cell(k)
			switch {
			case *name == ".ID.":
				t.Name = cell
			case ok && !strings.HasPrefix(*name, "."):
				t.Params = append(t.Params, Value{Name: *name, Text: cell})
			}
		}
		var sets [][]float64
		if c, ok := names[t.Name]; ok {
			for r := range rows {
				if v := experiments.numbers[c*rows+r]; !math.IsNaN(v) {
					sets = append(sets, []float64{v})
				}
			}
		}
		if t.Scores, t.Stderr = means(sets); len(sets) == 0 {
			t.State, t.Why = study.Pending, "without a result"
		}
		raced = raced || len(sets) > 1
		t.Metrics = study.Metrics{"instances": float64(len(sets))}
		st.Trials = append(st.Trials, t)
	}
	if raced {
		st.Notes = append(st.Notes, "of each configuration the mean over the instances that it raced on counts, with its standard error; the configurations met different instances")
	}
	return st, nil
}

// dimensions are those of a matrix.
func (v *rValue) dimensions() (rows, columns int) {
	if d := v.attributes["dim"]; d != nil && len(d.numbers) == 2 {
		return int(d.numbers[0]), int(d.numbers[1])
	}
	return 0, 0
}

// columnNames are the columns of a matrix by name, or by number where they have none.
func columnNames(v *rValue) map[string]int {
	out := map[string]int{}
	if d := v.attributes["dimnames"]; d != nil && len(d.list) == 2 {
		for k, name := range d.list[1].texts {
			if name != nil {
				out[*name] = k
			}
		}
	}
	if _, columns := v.dimensions(); len(out) == 0 {
		for k := range columns {
			out[strconv.Itoa(k+1)] = k
		}
	}
	return out
}

// rows is the length of a data frame.
func (v *rValue) rows() int {
	most := 0
	for _, c := range v.list {
		most = max(most, len(c.texts), len(c.numbers))
	}
	return most
}

// cell is the text of an element of a column; false for NA.
func (v *rValue) cell(k int) (string, bool) {
	if k < len(v.texts) {
		if v.texts[k] == nil {
			return "", false
		}
		return *v.texts[k], true
	}
	if k >= len(v.numbers) || math.IsNaN(v.numbers[k]) {
		return "", false
	}
	if levels := v.attributes["levels"]; levels != nil { // a factor
		if l := int(v.numbers[k]) - 1; l >= 0 && l < len(levels.texts) && levels.texts[l] != nil {
			return *levels.texts[l], true
		}
		return "", false
	}
	return strconv.FormatFloat(v.numbers[k], 'g', -1, 64), true
}
