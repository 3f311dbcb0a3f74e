package config

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/space"
)

// A DraftParam is a parameter. Its conditions must all hold.
type DraftParam struct {
	Name      string
	Type      string // float, int, categorical, ordinal, bool; empty: a constant, Values[0]
	Low, High float64
	Scale     string // of a number; empty: linear
	Step      float64
	Values    []DraftValue
	Positions []float64
	Default   *DraftValue
	Prior     *float64 // where the user expects good values
	When      []string
	Comment   string
}

// Choice reports whether the parameter is one of several values.
func (p *DraftParam) Choice() bool { return p.Type != "float" && p.Type != "int" }

// Number makes the parameter a float or int, or a constant where its bounds are equal.
func (p *DraftParam) Number(kind string, low, high float64, scale string) {
	if low == high {
		p.Values = []DraftValue{{num(low), space.Number}}
		return
	}
	p.Type, p.Low, p.High, p.Scale = kind, low, high, scale
}

// Quantised makes the parameter a multiple of q within the bounds; an int where all of them are whole.
func (p *DraftParam) Quantised(low, high, q float64, scale string) {
	kind := "float"
	if q == math.Trunc(q) {
		kind = "int"
	}
	low, high = Multiples(low, high, q)
	if scale == "log" && low == 0 {
		low = q
	}
	p.Number(kind, low, high, scale)
	if p.Type != "" && q != 1 || kind == "float" {
		p.Step = q
	}
}

// Multiples are the least and the greatest multiple of q within bounds.
func Multiples(low, high, q float64) (least, greatest float64) {
	const slack = 1e-9 // for quotients of decimals
	return Decimal(q * math.Ceil(low/q-slack)), Decimal(q * math.Floor(high/q+slack))
}

// Decimal drops the error that binary arithmetic adds to decimals, and the sign of zero.
func Decimal(x float64) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 14, 64), 64)
	return v + 0
}

// Untyped is a value of a tool that has texts only: a text that study files read as a number is one.
func Untyped(text string) DraftValue {
	if _, wrong := parseNumber(text); wrong == "" && !octal().MatchString(text) {
		return DraftValue{text, space.Number}
	}
	return DraftValue{text, space.Text}
}

// Choices makes the parameter one of the values: a bool for true and false, a constant for
// a single one, an ordinal for three numbers or more, in ascending order.
func (p *DraftParam) Choices(values []DraftValue, ordered bool) {
	p.Values = values
	all := func(kind space.Literal) bool {
		return !slices.ContainsFunc(values, func(v DraftValue) bool { return v.Kind != kind })
	}
	switch {
	case len(values) == 1:
		return
	case len(values) == 2 && all(space.Boolean):
		p.Type, p.Values = "bool", nil
	case ordered:
		p.Type = "ordinal"
	case len(values) > 2 && all(space.Number):
		p.Type = "ordinal"
		at := func(v DraftValue) float64 { x, _ := parseNumber(v.Text); return x }
		p.Values = slices.Clone(values)
		slices.SortStableFunc(p.Values, func(a, b DraftValue) int { return cmp.Compare(at(a), at(b)) })
		p.Positions = positionsOf(lists.Of(p.Values, at))
	default:
		p.Type = "categorical"
	}
}

// positionsOf are the places of ascending numbers: nil where they are evenly spaced or have
// one ratio, their logarithms over a decade or more, else the numbers.
func positionsOf(numbers []float64) []float64 {
	even := func(v []float64) bool {
		step := v[1] - v[0]
		for i := 2; i < len(v); i++ {
			if math.Abs(v[i]-v[i-1]-step) > 0.02*math.Abs(step) {
				return false
			}
		}
		return true
	}
	if even(numbers) || numbers[0] == numbers[1] {
		return nil
	}
	if numbers[0] <= 0 {
		return numbers
	}
	logs := lists.Of(numbers, func(v float64) float64 { return math.Round(1000*math.Log10(v)) / 1000 })
	switch {
	case even(logs):
		return nil
	case numbers[len(numbers)-1] >= 10*numbers[0] &&
		!slices.ContainsFunc(logs[1:], func(v float64) bool { return v == logs[0] }):
		return logs
	}
	return numbers
}

func (v DraftValue) node() *yaml.Node { return typedNode(v.Text, v.Kind) }

// node is the declaration with its conditions. A parameter with one value and a condition is a
// choice: constants are always active.
func (p *DraftParam) node() *yaml.Node {
	if p.Type == "" && len(p.When) == 0 {
		m := flowMap()
		addKey(m, "value", p.Values[0].node())
		return m
	}
	own := map[string]*yaml.Node{"type": textNode(cmp.Or(p.Type, "categorical")), "low": nil, "high": nil}
	if !p.Choice() {
		own["low"], own["high"], own["scale"] = numberNode(p.Low), numberNode(p.High), textNode(cmp.Or(p.Scale, "linear"))
	}
	if len(p.Values) > 0 {
		own["values"] = listOf(p.Values, DraftValue.node)
	}
	if p.Default != nil && p.Type != "" {
		own["default"] = p.Default.node()
	}
	switch len(p.When) {
	case 0:
	case 1:
		own["active_if"] = textNode(p.When[0])
	default:
		own["active_if"] = textNode("(" + strings.Join(p.When, ") and (") + ")")
	}
	if p.Prior != nil {
		own["prior"] = flowMap()
		addKey(own["prior"], "mode", numberNode(*p.Prior))
	}
	return printSection("space.*", p, own)
}
