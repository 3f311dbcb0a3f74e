package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"bohier/internal/space"
	"bohier/internal/study"
)

// mostLevels bounds the values of a number with a step that become a list.
const mostLevels = 1000

// ExportConfigSpace is the space as JSON of ConfigSpace (format 0.4). left says what
// it cannot express.
func ExportConfigSpace(st *study.Study) (out []byte, left []string, err error) {
	s := st.Space
	w := &csWriter{s: s}
	var lost notes
	params, conditions, forbidden := []any{}, []any{}, []any{}
	for i := range s.Params() {
		p, note := w.parameter(i)
		if note != "" {
			lost.add(note, s.Param(i).Name)
		}
		params = append(params, p)
		if e := s.Param(i).Condition; e != nil {
			c, err := w.condition(e, s.Param(i).Name, false)
			if err != nil {
				left = append(left, fmt.Sprintf("active_if of %s is left out: %v", s.Param(i).Name, err))
				continue
			}
			conditions = append(conditions, c)
		}
	}
	for _, part := range []struct {
		key     string
		clauses []space.Clause
	}{{"forbidden", s.Forbidden()}, {"require", s.Require()}} {
		for _, k := range part.clauses {
			c, err := w.forbidden(k.Expr, part.key == "require")
			if err != nil {
				left = append(left, fmt.Sprintf("%s %s is left out: %v", part.key, space.Format(k.Expr, s), err))
				continue
			}
			forbidden = append(forbidden, c)
		}
	}
	out, err = json.MarshalIndent(map[string]any{
		"name": nilIfEmpty(st.Name), "hyperparameters": params, "conditions": conditions, "forbiddens": forbidden,
		"format_version": 0.4, "json_format_version": 0.4, "python_module_version": "1.2.0",
	}, "", " ")
	return append(out, '\n'), append(lost.list("parameter"), left...), err
}

type csWriter struct{ s *space.Space }

// value is raw value v of parameter i in JSON.
func (w *csWriter) value(i int, v float64) json.RawMessage { return w.s.AppendValue(nil, i, v) }

func (w *csWriter) parameter(i int) (out map[string]any, lost string) {
	p := w.s.Param(i)
	out = map[string]any{"name": p.Name, "meta": nil}
	if p.Default != nil {
		out["default_value"] = w.value(i, *p.Default)
	}
	list := func() (all []json.RawMessage) {
		for k := range p.Values {
			all = append(all, w.value(i, float64(k)))
		}
		return all
	}
	levels := math.Round((p.High-p.Low)/p.Step) + 1
	switch {
	case p.Kind == space.Constant:
		out["type"], out["value"] = "constant", w.value(i, 0)
	case p.Kind == space.Ordinal:
		out["type"], out["sequence"] = "ordinal", list()
	case p.Choice():
		out["type"], out["choices"], out["weights"] = "categorical", list(), nil
	case p.Step > 0 && !(p.Kind == space.Int && p.Step == 1) && levels <= mostLevels:
		var all []json.RawMessage
		for k := range int(levels) {
			all = append(all, w.value(i, p.Low+float64(k)*p.Step))
		}
		out["type"], out["sequence"] = "ordinal", all
		lost = "with a step written as lists of their values"
	default:
		out["type"] = map[space.Kind]string{space.Int: "uniform_int", space.Float: "uniform_float"}[p.Kind]
		out["lower"], out["upper"], out["log"] = w.value(i, p.Low), w.value(i, p.High), p.Scale == space.Log
		switch {
		case p.Step > 0 && p.Step != 1 || p.Precision > 0:
			lost = "without their step or precision"
		case p.Scale == space.Logit || p.Scale == space.ReverseLog:
			lost = "on a linear scale"
		}
	}
	return out, lost
}

var errInexpressible = errors.New("ConfigSpace cannot express it")

// negated comparisons, and those with their sides exchanged.
var (
	negated   = map[space.Op]space.Op{space.Eq: space.Ne, space.Ne: space.Eq, space.Lt: space.Ge, space.Ge: space.Lt, space.Gt: space.Le, space.Le: space.Gt}
	exchanged = map[space.Op]space.Op{space.Eq: space.Eq, space.Ne: space.Ne, space.Lt: space.Gt, space.Gt: space.Lt, space.Le: space.Ge, space.Ge: space.Le}
	csNames   = map[space.Op]string{space.Eq: "EQ", space.Ne: "NEQ", space.Lt: "LT", space.Gt: "GT"}
)

// condition writes when child is active; not turns the expression round.
func (w *csWriter) condition(e space.Expr, child string, not bool) (map[string]any, error) {
	join := func(kind string, list []space.Expr) (map[string]any, error) {
		var parts []any
		for _, x := range list {
			c, err := w.condition(x, child, not)
			if err != nil {
				return nil, err
			}
			parts = append(parts, c)
		}
		if len(parts) == 1 {
			return parts[0].(map[string]any), nil
		}
		return map[string]any{"type": kind, "child": child, "conditions": parts}, nil
	}
	and, or := "AND", "OR"
	if not {
		and, or = or, and
	}
	switch e := e.(type) {
	case space.And:
		return join(and, e)
	case space.Or:
		return join(or, e)
	case space.Not:
		return w.condition(e.X, child, !not)
	case space.In:
		if not {
			var all []space.Expr
			for _, v := range e.Values {
				all = append(all, space.Compare{Op: space.Eq, Left: space.Ref{Param: e.Param}, Right: space.Const(v)})
			}
			return join("AND", all)
		}
		var values []json.RawMessage
		for _, v := range e.Values {
			values = append(values, w.value(e.Param, v))
		}
		return map[string]any{"type": "IN", "child": child, "parent": w.s.Param(e.Param).Name, "values": values}, nil
	case space.Compare:
		op, i, v, err := atom(e)
		if err != nil {
			return nil, err
		}
		if not {
			op = negated[op]
		}
		one := func(op space.Op) map[string]any {
			return map[string]any{"type": csNames[op], "child": child, "parent": w.s.Param(i).Name, "value": w.value(i, v)}
		}
		switch op {
		case space.Le:
			return map[string]any{"type": "OR", "child": child, "conditions": []any{one(space.Lt), one(space.Eq)}}, nil
		case space.Ge:
			return map[string]any{"type": "OR", "child": child, "conditions": []any{one(space.Gt), one(space.Eq)}}, nil
		}
		return one(op), nil
	}
	return nil, errInexpressible
}

// atom is a comparison of a parameter with a number.
func atom(e space.Compare) (op space.Op, i int, v float64, err error) {
	left, isRef := e.Left.(space.Ref)
	right, isConst := e.Right.(space.Const)
	if isRef && isConst {
		return e.Op, left.Param, float64(right), nil
	}
	number, isConst := e.Left.(space.Const)
	ref, isRef := e.Right.(space.Ref)
	if isRef && isConst {
		return exchanged[e.Op], ref.Param, float64(number), nil
	}
	return 0, 0, 0, errInexpressible
}

// forbidden writes what must not hold; not turns the expression round.
func (w *csWriter) forbidden(e space.Expr, not bool) (map[string]any, error) {
	switch x := e.(type) {
	case space.Not:
		return w.forbidden(x.X, !not)
	case space.And:
		return w.clauses(map[bool]string{false: "AND", true: "OR"}[not], x, not)
	case space.Or:
		return w.clauses(map[bool]string{false: "OR", true: "AND"}[not], x, not)
	case space.In:
		p := w.s.Param(x.Param)
		held := x.Values
		if not {
			if !p.Choice() {
				return nil, errInexpressible
			}
			held = nil
			for k := range p.Values {
				if !slices.Contains(x.Values, float64(k)) {
					held = append(held, float64(k))
				}
			}
		}
		values := []json.RawMessage{}
		for _, v := range held {
			values = append(values, w.value(x.Param, v))
		}
		return map[string]any{"type": "IN", "name": p.Name, "values": values}, nil
	case space.Compare:
		return w.relation(x, not)
	}
	return nil, errInexpressible
}

func (w *csWriter) clauses(kind string, list []space.Expr, not bool) (map[string]any, error) {
	var clauses []any
	for _, x := range list {
		c, err := w.forbidden(x, not)
		if err != nil {
			return nil, err
		}
		clauses = append(clauses, c)
	}
	if len(clauses) == 1 {
		return clauses[0].(map[string]any), nil
	}
	return map[string]any{"type": kind, "clauses": clauses}, nil
}

// csOrders are the parts of the names of clauses and relations.
var csOrders = map[space.Op]string{space.Lt: "LT", space.Le: "LE", space.Eq: "EQ", space.Gt: "GT", space.Ge: "GE"}

func (w *csWriter) relation(x space.Compare, not bool) (map[string]any, error) {
	op, i, v, err := atom(x)
	if err == nil {
		if not {
			op = negated[op]
		}
		name := w.s.Param(i).Name
		switch {
		case op == space.Eq:
			return map[string]any{"type": "EQUALS", "name": name, "value": w.value(i, v)}, nil
		case op == space.Ne && w.s.Param(i).Choice():
			return w.forbidden(space.In{Param: i, Values: []float64{v}}, true)
		case op == space.Ne:
			return nil, errInexpressible
		}
		return map[string]any{"type": "CLAUSE_" + csOrders[op], "name": name, "value": w.value(i, v)}, nil
	}
	left, ok1 := x.Left.(space.Ref)
	right, ok2 := x.Right.(space.Ref)
	if op = x.Op; not {
		op = negated[op]
	}
	if !ok1 || !ok2 || op == space.Ne {
		return nil, errInexpressible
	}
	return map[string]any{"type": "RELATION_" + csOrders[op], "left": w.s.Param(left.Param).Name, "right": w.s.Param(right.Param).Name}, nil
}
