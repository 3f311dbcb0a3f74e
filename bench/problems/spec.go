package problems

import "encoding/json"

// MarshalJSON writes the problem's specification for programs in other languages: params with name, type (float, int,
// cat, ord), low, high, log or choices, and when, a conjunction of {name, op: in | gt | ge, value}.
func (p *Problem) MarshalJSON() ([]byte, error) {
	params := make([]map[string]any, len(p.Params))
	for i, q := range p.Params {
		m := map[string]any{"name": q.Name, "type": q.Kind}
		if q.Kind == Bool {
			m["type"] = Categorical
		}
		if q.Kind == Float || q.Kind == Int {
			m["low"], m["high"], m["log"] = q.Low, q.High, q.Log
		} else {
			m["choices"] = q.Choices
		}
		when := []map[string]any{}
		for _, c := range q.When {
			var value any = c.Bound
			if c.Op == "in" {
				value = c.Values
			}
			when = append(when, map[string]any{"name": c.Name, "op": c.Op, "value": value})
		}
		m["when"] = when
		params[i] = m
	}
	return json.Marshal(map[string]any{
		"name": p.Name, "params": params, "f_opt": p.Optimum.Value, "f_opt_kind": p.Optimum.Kind,
		"x_opt": p.Optimum.At, "tags": p.Tags, "budget": p.Budget, "note": p.Note,
	})
}
