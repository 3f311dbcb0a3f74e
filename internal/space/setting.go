package space

import "bohier/internal/lists"

// A Setting is the value of a parameter by its name.
type Setting struct {
	Name string
	Text string // as on a command line
	JSON []byte
}

// Settings are the active parameters of c in declared order.
func (s *parameters) Settings(c Configuration) []Setting {
	active := lists.Where(len(c.Active), func(i int) bool { return c.Active[i] })
	return lists.Of(active, func(i int) Setting {
		return Setting{s.params[i].Name, s.FormatValue(i, c.Value[i]), s.AppendValue(nil, i, c.Value[i])}
	})
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
