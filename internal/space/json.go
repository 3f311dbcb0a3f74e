package space

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// jsonText is what one parameter contributes to JSON, made once.
type jsonText struct {
	name   []byte         // "name":
	values [][]byte       // choices: one per value; constants: the value
	index  map[string]int // choices: value → index
	typed  map[string]int // choices: JSON that is neither a text nor spelled as the value → index
	deep   map[string]int // choices: canonical JSON of a list or mapping → index
}

func newJSONTexts(params []Parameter) []jsonText {
	texts := make([]jsonText, len(params))
	for i := range params {
		p, t := &params[i], &texts[i]
		t.name = append(quoteJSON(p.Name), ':')
		for k, v := range p.Values {
			t.values = append(t.values, JSONValue(v, p.Literal(k)))
			if p.Choice() {
				if t.index == nil {
					t.index = make(map[string]int, len(p.Values))
				}
				t.index[v] = k
				switch j := string(t.values[k]); {
				case p.Literal(k) == Structure:
					t.deep = with(t.deep, canonical(v), k)
				case p.Literal(k) != Text && j != v:
					t.typed = with(t.typed, j, k)
				}
			}
		}
	}
	return texts
}

func with(m map[string]int, key string, v int) map[string]int {
	if m == nil {
		m = map[string]int{}
	}
	m[key] = v
	return m
}

func quoteJSON(text string) []byte {
	special := func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }
	if strings.IndexFunc(text, special) < 0 {
		return []byte(`"` + text + `"`)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic("space: " + err.Error()) // strings always encode
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// JSONValue is a value of type l, by its text, as JSON writes it.
func JSONValue(text string, l Literal) []byte {
	switch l {
	case Number:
		return jsonNumber(text)
	case Boolean:
		return []byte(strings.ToLower(text)) // a study file may write True
	case Null:
		return []byte("null")
	case Structure:
		return []byte(text)
	}
	return quoteJSON(text)
}

// CanonicalValue is JSONValue in a form that reports whether two values are the same
// in JSON, whose readers know numbers as doubles; of a Structure that is not JSON it is empty.
func CanonicalValue(text string, l Literal) string {
	switch l {
	case Structure:
		return canonical(text)
	case Number:
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			return number(v)
		}
	}
	return string(JSONValue(text, l))
}

// canonical is JSON in a form that does not depend on the order of keys and the
// spelling of numbers; empty for what is not a list or mapping.
func canonical(text string) string {
	var x any
	if !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(text), &x) != nil {
		return ""
	}
	b, err := json.Marshal(x)
	if err != nil {
		return ""
	}
	return string(b)
}

// jsonNumber keeps the spelling of a number where JSON allows it.
func jsonNumber(text string) []byte {
	t := strings.TrimPrefix(text, "+")
	for _, form := range []string{t, "0" + t, strings.Replace(t, "-.", "-0.", 1), t + "0"} {
		if json.Valid([]byte(form)) && sameNumber(form, text) {
			return []byte(form)
		}
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return appendNumber(nil, v)
	}
	return quoteJSON(text)
}

// AppendJSON appends the active parameters of c as an object in declared order:
// numbers in shortest form that reads back exactly, ints without point, choices
// and constants with the type and spelling of their study file.
func (s *Space) AppendJSON(dst []byte, c Configuration) []byte {
	return s.appendObject(dst, func(i int) (float64, bool) { return c.Value[i], c.Active[i] }, s.AppendValue)
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
