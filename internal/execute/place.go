package execute

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/runner"
	"bohier/internal/study"
)

// readPlaced is readResult of what a command reports, with the outcomes from where
// run.result says that they lie.
func readPlaced(st *study.Study, object map[string]any) (runner.Tell, error) {
	if st.Run == nil || len(st.Run.Result) == 0 {
		return readResult(st, object)
	}
	values, _ := object["values"].(map[string]any)
	found := map[string]any{}
	for name, path := range st.Run.Result {
		if v, ok := at(object, path); ok {
			found[name] = v
		}
	}
	for name := range st.Run.Result {
		delete(values, name)
		delete(object, name)
		if v, ok := found[name]; ok {
			object[name] = v
		}
	}
	t, err := readResult(st, object)
	if path := st.Run.Result[st.Objective().Name]; path != "" && Lacks(err) {
		err = missingError{fmt.Sprintf("there is nothing at %s, where run.result has the objective %s", path,
			st.Objective().Name)}
	}
	return t, err
}

// at is what lies at a path of a JSON value: names of members and places in lists, from 0 or
// negative from the end, joined by dots. A member whose own name has dots is found, too.
func at(v any, path string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		if inner, ok := v[path]; ok {
			return inner, true
		}
		for i, r := range path {
			if r != '.' {
				continue
			}
			if inner, ok := v[path[:i]]; ok {
				if found, ok := at(inner, path[i+1:]); ok {
					return found, true
				}
			}
		}
	case []any:
		place, rest, deeper := strings.Cut(path, ".")
		k, err := strconv.Atoi(place)
		if k < 0 {
			k += len(v)
		}
		if err != nil || k < 0 || k >= len(v) {
			return nil, false
		}
		if !deeper {
			return v[k], true
		}
		return at(v[k], rest)
	}
	return nil, false
}

// whereNumber are the paths below an object to numbers whose last name is name, or below
// it where name lies there without being a number; the first few.
func whereNumber(object map[string]any, name string) (paths []string) {
	const most = 3
	var walk func(v any, path string, below bool)
	walk = func(v any, path string, below bool) {
		if len(paths) == most {
			return
		}
		if _, ok := number(v); ok && below && path != name {
			paths = append(paths, path)
			return
		}
		if m, ok := v.(map[string]any); ok {
			keys := make([]string, 0, len(m))
			for key := range m {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			for _, key := range keys {
				walk(m[key], strings.TrimPrefix(path+"."+key, "."), below || key == name)
			}
		}
	}
	walk(object, "", false)
	return paths
}

// elsewhere says where an object has what may be the value of an outcome; empty for nowhere.
func elsewhere(object map[string]any, name string) string {
	paths := whereNumber(object, name)
	switch len(paths) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("; one stands at %s: run: {result: {%s: %s}}", paths[0], name, paths[0])
	}
	return fmt.Sprintf("; such as run: {result: {%s: %s}} says which of %s it is", name, paths[0],
		strings.Join(paths, ", "))
}

// inJSON is a value as it was reported.
func inJSON(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
