package problems

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Study writes the problem as a study file that asks a command for the value: command is the argument list of a program
// that reads the configuration from the file named by BOHIER_PARAMS and prints a number. Without one the study has no
// run section. A budget of 0 is the problem's own.
func (p *Problem) Study(seed uint64, budget int, command ...string) []byte {
	if budget <= 0 {
		budget = p.Budget
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s: %s.\n# Minimum %v (%s).\n", p.Name, p.Note, p.Optimum.Value, p.Optimum.Kind)
	fmt.Fprintf(&b, "version: 1\nname: %s\n", p.Name)
	if p.Front == nil {
		b.WriteString("objective: {name: f, direction: minimize}\nspace:\n")
	} else {
		b.WriteString("objectives: [{name: f, direction: minimize}, {name: g, direction: minimize}]\nspace:\n")
	}
	known := map[string]*Param{}
	for i := range p.Params {
		q := &p.Params[i]
		known[q.Name] = q
		fmt.Fprintf(&b, "  %s: {%s", quoteKey(q.Name), q.domain())
		if len(q.When) > 0 {
			fmt.Fprintf(&b, ", active_if: {%s}", conditions(q.When))
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(&b, "budget: {trials: %d}\nseed: %d\n", budget, seed)
	if len(command) > 0 {
		fmt.Fprintf(&b, "run: {command: [%s]}\n", quoted(command))
	}
	return b.Bytes()
}

// domain is the parameter's type and range in the form of a study file.
func (q *Param) domain() string {
	switch q.Kind {
	case Categorical:
		return fmt.Sprintf("type: categorical, values: [%s]", quoted(q.Choices))
	case Ordinal:
		return fmt.Sprintf("type: ordinal, values: [%s]", quoted(q.Choices))
	case Bool:
		return "type: bool"
	}
	s := fmt.Sprintf("type: %s, low: %v, high: %v", q.Kind, q.Low, q.High)
	if q.Log {
		s += ", scale: log"
	}
	return s
}

func conditions(when []Cond) string {
	parts := make([]string, len(when))
	for i, c := range when {
		name := quoteKey(c.Name)
		switch {
		case c.Op != "in":
			parts[i] = fmt.Sprintf("%s: {%s: %v}", name, c.Op, c.Bound)
		case len(c.Values) == 1:
			parts[i] = fmt.Sprintf("%s: %s", name, strconv.Quote(c.Values[0]))
		default:
			parts[i] = fmt.Sprintf("%s: [%s]", name, quoted(c.Values))
		}
	}
	return strings.Join(parts, ", ")
}

func quoted(values []string) string {
	q := make([]string, len(values))
	for i, v := range values {
		q[i] = strconv.Quote(v)
	}
	return strings.Join(q, ", ")
}

// quoteKey quotes names that older YAML reads as truth values.
func quoteKey(name string) string {
	switch name {
	case "y", "n", "Y", "N":
		return strconv.Quote(name)
	}
	return name
}
