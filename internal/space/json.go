package space

import (
	"bytes"
	"encoding/json"
	"strings"
)

// jsonText is what one parameter contributes to JSON, made once.
type jsonText struct {
	name   []byte         // "name":
	values [][]byte       // choices: one per value; constants: the value
	index  map[string]int // choices: value → index
}

func newJSONTexts(params []Parameter) []jsonText {
	texts := make([]jsonText, len(params))
	for i := range params {
		p, t := &params[i], &texts[i]
		t.name = append(quoteJSON(p.Name), ':')
		for k, v := range p.Values {
			switch {
			case p.Kind == Bool || p.Kind == Constant && p.Literal == Boolean:
				t.values = append(t.values, []byte(v))
			case p.Kind == Constant && p.Literal == Number:
				t.values = append(t.values, jsonNumber(v))
			default:
				t.values = append(t.values, quoteJSON(v))
			}
			if p.Choice() {
				if t.index == nil {
					t.index = make(map[string]int, len(p.Values))
				}
				t.index[v] = k
			}
		}
	}
	return texts
}

func quoteJSON(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic("space: " + err.Error()) // strings always encode
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// jsonNumber keeps the spelling of a number where JSON allows it.
func jsonNumber(text string) []byte {
	t := strings.TrimPrefix(text, "+")
	for _, form := range []string{t, "0" + t, strings.Replace(t, "-.", "-0.", 1), t + "0"} {
		if json.Valid([]byte(form)) && sameNumber(form, text) {
			return []byte(form)
		}
	}
	return quoteJSON(text)
}

// AppendJSON appends the active parameters of c as an object in declared order:
// numbers in shortest form that reads back exactly, ints without point, choices
// as strings, bools as booleans, constants as their study file wrote them.
func (s *Space) AppendJSON(dst []byte, c Configuration) []byte {
	dst = append(dst, '{')
	first := true
	for i := range s.params {
		if !c.Active[i] {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(dst, s.json[i].name...)
		dst = s.AppendValue(dst, i, c.Value[i])
	}
	return append(dst, '}')
}

// AppendValue appends raw value v of parameter i as JSON.
func (s *Space) AppendValue(dst []byte, i int, v float64) []byte {
	p := &s.params[i]
	switch {
	case p.Kind == Constant:
		return append(dst, s.json[i].values[0]...)
	case p.Choice():
		return append(dst, s.json[i].values[int(v)]...)
	}
	return appendNumber(dst, v)
}
