package space

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"bohier/internal/lists"
)

// jsonText is the JSON text of one parameter, made once.
type jsonText struct {
	name   []byte         // "name":
	values [][]byte       // of choices and constants: one per value
	index  map[string]int // value → index
	other  map[string]int // other JSON of a value → index; that of a list or mapping is canonical
}

func newJSONTexts(params []Parameter) []jsonText {
	texts := make([]jsonText, len(params))
	for i := range params {
		p, t := &params[i], &texts[i]
		t.name = append(quoteJSON(p.Name), ':')
		if len(p.Values) > 0 {
			t.index, t.other = make(map[string]int, len(p.Values)), map[string]int{}
		}
		for k, v := range p.Values {
			l, j := p.Literal(k), JSONValue(v, p.Literal(k))
			t.values = append(t.values, j)
			t.index[v] = k
			if l != Text && string(j) != v || p.Kind == Constant {
				t.other[string(j)] = k
			}
			if l == Structure || p.Kind == Constant {
				t.other[canonical(v)] = k
			}
		}
		delete(t.other, "") // of a constant that is no list or mapping
	}
	return texts
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

// canonical is JSON in a form that does not depend on the order of keys and the spelling of
// numbers; empty for values that are no list or mapping.
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

// AppendJSON appends the active parameters of c as an object in declared order: numbers in shortest form that reads
// back exactly, ints without point, choices and constants with the type and spelling of their study file.
func (s *parameters) AppendJSON(dst []byte, c Configuration) []byte {
	return s.appendObject(dst, func(i int) (float64, bool) { return c.Value[i], c.Active[i] }, s.appendValue)
}

// appendValue appends raw value v of parameter i as JSON.
func (s *parameters) appendValue(dst []byte, i int, v float64) []byte {
	if values := s.json[i].values; values != nil {
		return append(dst, values[int(v)]...)
	}
	return appendNumber(dst, v)
}

// A Setting is the value of a parameter by its name.
type Setting struct {
	Name string
	Text string // as on a command line
	JSON []byte // as commands print it: a float has a point, for languages that tell 1.0 from 1
}

// Settings are the active parameters of c in declared order.
func (s *parameters) Settings(c Configuration) []Setting {
	active := lists.Where(len(c.Active), func(i int) bool { return c.Active[i] })
	return lists.Of(active, func(i int) Setting {
		value := s.appendValue(nil, i, c.Value[i])
		if s.params[i].Kind == Float && !bytes.ContainsAny(value, ".e") {
			value = append(value, ".0"...)
		}
		return Setting{s.params[i].Name, s.FormatValue(i, c.Value[i]), value}
	})
}

// JSON is a configuration as commands print it.
func (s *parameters) JSON(c Configuration) json.RawMessage { return JSONObject(s.Settings(c)) }

// JSONObject has settings as its members.
func JSONObject(settings []Setting) json.RawMessage {
	out := []byte{'{'}
	for k, v := range settings {
		if k > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, quoteJSON(v.Name)...), ':'), v.JSON...)
	}
	return append(out, '}')
}

// RecordedSettings are the members of a JSON object as they stand, whatever space they
// are of; none of a text that is no such object.
func RecordedSettings(data []byte) []Setting {
	var out []Setting
	err := members(data, func(name string, t token) error {
		value := []byte(t.text)
		if t.quoted {
			value = quoteJSON(t.text)
		}
		out = append(out, Setting{name, t.text, value})
		return nil
	})
	if err != nil {
		return nil
	}
	return out
}

// Names are those of the parameters in declared order.
func (s *parameters) Names() []string {
	return lists.Of(s.params, func(p Parameter) string { return p.Name })
}
