package problems

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// UnmarshalJSON reads what MarshalJSON writes. Such a problem has no function until Serve gives it one.
func (p *Problem) UnmarshalJSON(data []byte) error {
	var spec struct {
		Name, Note string
		Params     []struct {
			Name      string
			Type      Kind
			Low, High float64
			Log       bool
			Choices   []any
			When      []struct {
				Name, Op string
				Value    any
			}
		}
		Optimum *float64       `json:"f_opt"`
		Kind    string         `json:"f_opt_kind"`
		At      map[string]any `json:"x_opt"`
		Tags    []string
		Budget  int
	}
	if err := json.Unmarshal(data, &spec); err != nil {
		return err
	}
	*p = Problem{Name: spec.Name, Note: spec.Note, Tags: spec.Tags, Budget: spec.Budget,
		Optimum: Optimum{Kind: spec.Kind, At: spec.At}}
	if spec.Optimum != nil {
		p.Optimum.Value = *spec.Optimum
	} else {
		p.Optimum.Kind = "unknown"
	}
	for _, q := range spec.Params {
		param := Param{Name: q.Name, Kind: q.Type, Low: q.Low, High: q.High, Log: q.Log}
		for _, c := range q.Choices {
			param.Choices = append(param.Choices, fmt.Sprint(c))
		}
		for _, c := range q.When {
			cond := Cond{Name: c.Name, Op: c.Op}
			switch v := c.Value.(type) {
			case float64:
				cond.Bound = v
			case []any:
				for _, w := range v {
					cond.Values = append(cond.Values, fmt.Sprint(w))
				}
			default:
				return fmt.Errorf("%s: a condition on %s has the value %v; it must be a number or a list", q.Name, c.Name, c.Value)
			}
			param.When = append(param.When, cond)
		}
		p.Params = append(p.Params, param)
	}
	p.f = func(Point) (float64, error) {
		return 0, fmt.Errorf("no program serves this problem")
	}
	return nil
}

// Read reads a list of problems as MarshalJSON writes them.
func Read(file string) ([]*Problem, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []*Problem
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return list, nil
}

// Serve has a program work out the problem's values: command with the problem's name behind it must read a
// configuration a line, a JSON object, and answer with its value a line. One process serves all callers, one after the
// other, until stop is called.
func (p *Problem) Serve(command ...string) (stop func() error, err error) {
	ask, stop, err := p.Ask(command...)
	if err != nil {
		return nil, err
	}
	p.f = func(x Point) (float64, error) { return ask(p.Values(x)) }
	return stop, nil
}

// Ask starts such a program for questions with more in them than Values.
func (p *Problem) Ask(command ...string) (ask func(object map[string]any) (float64, error), stop func() error,
	err error) {
	cmd := exec.Command(command[0], append(slices.Clone(command[1:]), p.Name)...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	var mu sync.Mutex
	answers := bufio.NewReader(out)
	ask = func(object map[string]any) (float64, error) {
		line, err := json.Marshal(object)
		if err != nil {
			return 0, err
		}
		mu.Lock()
		defer mu.Unlock()
		if _, err := fmt.Fprintf(in, "%s\n", line); err != nil {
			return 0, fmt.Errorf("%s: %w", command[0], err)
		}
		text, err := answers.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return 0, fmt.Errorf("%s ended before it answered", command[0])
		}
		if err != nil {
			return 0, err
		}
		return strconv.ParseFloat(strings.TrimSpace(text), 64)
	}
	return ask, func() error { in.Close(); return cmd.Wait() }, nil
}

// Values are a point as JSON takes it: the choice of a Categorical as text, the others as numbers.
func (p *Problem) Values(x Point) map[string]any {
	out := map[string]any{}
	for i := range p.Params {
		q := &p.Params[i]
		v, ok := x[q.Name]
		switch {
		case !ok:
		case q.Kind == Categorical || q.Kind == Bool:
			out[q.Name] = q.Choices[int(v)]
		default:
			out[q.Name] = v
		}
	}
	return out
}
