package exchange

import (
	"cmp"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strconv"
	"strings"

	"bohier/internal/config"
	"bohier/internal/lazy"
	"bohier/internal/lists"
	"bohier/internal/study"
)

var iraceOption = lazy.Regexp(`^\s*([a-zA-Z]+)\s*(?:=|<-)\s*["']?([^"']*)["']?$`)

// iraceScenario are the options of a scenario, and their names in its order; nil for a file of parameters.
func iraceScenario(data []byte) (options map[string]string, order []string) {
	options = map[string]string{}
	for _, line := range iraceLines(data) {
		m := iraceOption().FindStringSubmatch(line)
		if m == nil {
			return nil, nil
		}
		if _, twice := options[m[1]]; !twice {
			order = append(order, m[1])
		}
		options[m[1]] = strings.TrimSpace(m[2])
	}
	return options, order
}

// iraceLines are the lines of a text that say something, without comments and the blanks at their ends,
// by number from 0.
func iraceLines(data []byte) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i, line := range strings.Split(string(data), "\n") {
			line = strings.TrimRight(config.StripComment(line), " \t\r")
			if strings.TrimSpace(line) != "" && !yield(i, line) {
				return
			}
		}
	}
}

// iraceSpace is the space that a scenario names, with all that goes with it.
func iraceSpace(in Input, options map[string]string, order []string) (*Study, error) {
	take := func(name string) string {
		value := options[name]
		delete(options, name)
		return value
	}
	st := &Study{Form: "irace", Space: in.Data, Objectives: []Objective{{Direction: "minimize"}}}
	sections := map[string]string{
		"forbiddenFile": "forbidden", "parameterFile": "parameters", "configurationsFile": "points",
	}
	for _, option := range []string{"parameterFile", "forbiddenFile", "configurationsFile"} {
		name := take(option)
		if option == "parameterFile" {
			name = cmp.Or(name, "parameters.txt")
		}
		if name = path.Clean(name); name == "." { // there is none
			continue
		}
		text := in.beside(name)
		if text == nil {
			return nil, unreadable(in, "copy it beside the scenario and name it there", "the file %s of %s is not beside it",
				name, option)
		}
		st.parts = append(st.parts, part{sections[option], in.path(name), text})
	}
	take("digits")
	st.parts = append(st.parts, part{"scenario", in.Name, in.Data})
	if n, err := strconv.Atoi(options["maxExperiments"]); err == nil && n > 0 {
		st.Budget = n
		delete(options, "maxExperiments")
		st.SpaceNotes = append(st.SpaceNotes,
			"irace counts an experiment for each instance, a budget of trials counts configurations")
	}
	instances, missing := iraceInstances(in, strings.Fields(take("trainInstancesText")), take("trainInstancesFile"),
		take("trainInstancesDir"))
	if missing != "" {
		st.SpaceNotes = append(st.SpaceNotes, "the instances in "+missing+" are left out: it is not beside the scenario")
	}
	st.iraceCommand(strings.Fields(take("targetRunner")), instances)
	left := lists.Only(order, func(name string) bool { return options[name] != "" })
	if len(left) > 0 {
		st.SpaceNotes = append(st.SpaceNotes, "left out of the scenario: "+
			strings.Join(lists.Of(left, func(name string) string { return name + " = " + options[name] }), ", "))
	}
	return st, nil
}

// iraceInstances are those of training: of a text, of a file with one a line, or all of a
// directory. missing lists the absent parts.
func iraceInstances(in Input, list []string, file, dir string) (_ []string, missing string) {
	if len(list) > 0 {
		return list, ""
	}
	if file != "" {
		data := in.beside(path.Clean(file))
		if data == nil {
			return nil, file
		}
		for _, line := range iraceLines(data) {
			list = append(list, path.Join(dir, strings.Trim(strings.TrimSpace(line), `"'`)))
		}
		return list, ""
	}
	if dir == "" || in.Dir == nil {
		return nil, ""
	}
	entries, err := fs.ReadDir(in.Dir, path.Clean(dir))
	if err != nil {
		return nil, dir
	}
	return lists.Some(entries, func(e fs.DirEntry) (string, bool) { return path.Join(dir, e.Name()), !e.IsDir() }), ""
}

// iraceCommand is the target runner as irace calls it, on the first instance.
func (s *Study) iraceCommand(run, instances []string) {
	instance := "instance"
	if len(instances) > 0 {
		instance = instances[0]
	}
	if len(run) == 0 {
		s.Command = nil
		return
	}
	s.Command = append(append([]string{}, run...), "1", "1", "1", instance)
	s.SpaceNotes = append(s.SpaceNotes, "the target runner gets configuration 1, instance 1 and seed 1")
	switch n := len(instances); {
	case n == 0:
		s.SpaceNotes = append(s.SpaceNotes, "there is no instance: the command gets the word instance in place of one")
	case n > 1:
		s.SpaceNotes = append(s.SpaceNotes,
			fmt.Sprintf("%s left out: the command runs %s; fidelity: {name: instances, low: %d, high: %d, kind: folds} races "+
				"over all of them",
				study.Count(n-1, "instance"), instance, min(5, n-1), n))
	}
}
