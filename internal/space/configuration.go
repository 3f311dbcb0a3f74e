package space

import "slices"

// A Configuration holds a raw value for every parameter of a space, in the space's order: the number itself for Float
// and Int, the index of a value for choices (Bool: 0 false, 1 true) and 0 for constants. An inactive parameter holds 0
// and is marked so.
type Configuration struct {
	Value  []float64
	Active []bool
}

// NewConfiguration returns n zero values, all inactive.
func NewConfiguration(n int) Configuration {
	return Configuration{Value: make([]float64, n), Active: make([]bool, n)}
}

// Clone is an independent copy.
func (c Configuration) Clone() Configuration {
	return Configuration{Value: slices.Clone(c.Value), Active: slices.Clone(c.Active)}
}

// Equal reports whether two configurations of one space have the same active parameters with the same values.
func (c Configuration) Equal(d Configuration) bool {
	return slices.Equal(c.Active, d.Active) && slices.Equal(c.Value, d.Value) // inactive ones hold 0
}

// An Assignment gives raw values to some parameters, by index: a partial configuration.
type Assignment map[int]float64

// PartialJSON is an assignment as a JSON object in the space's order. ParsePartial reads it back.
func (s *parameters) PartialJSON(a Assignment) []byte {
	return s.appendObject(nil, a.value, s.appendValue)
}

// PartialTexts is PartialJSON with the values of choices but bools as texts, whatever their type.
func (s *parameters) PartialTexts(a Assignment) []byte {
	return s.appendObject(nil, a.value, func(dst []byte, i int, v float64) []byte {
		if p := &s.params[i]; p.Choice() && p.Kind != Bool {
			return append(dst, quoteJSON(p.Values[int(v)])...)
		}
		return s.appendValue(dst, i, v)
	})
}

func (a Assignment) value(i int) (v float64, ok bool) {
	v, ok = a[i]
	return v, ok
}

func (a Assignment) has(i int) bool {
	_, ok := a[i]
	return ok
}

// appendObject appends the parameters that have a value as a JSON object in the space's order.
func (s *parameters) appendObject(dst []byte, of func(i int) (v float64, ok bool),
	value func([]byte, int, float64) []byte) []byte {
	dst = append(dst, '{')
	first := true
	for i := range s.params {
		v, ok := of(i)
		if !ok {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(dst, s.json[i].name...)
		dst = value(dst, i, v)
	}
	return append(dst, '}')
}

// Assignment is the active values of a configuration.
func (c Configuration) Assignment() Assignment {
	a := Assignment{}
	for i, on := range c.Active {
		if on {
			a[i] = c.Value[i]
		}
	}
	return a
}

// Assemble is the configuration an assignment describes. Values of parameters that turn out inactive are dropped. The
// error is that of Validate.
func (s *Space) Assemble(a Assignment) (Configuration, error) {
	c := NewConfiguration(len(s.params))
	for _, i := range s.depend.Order {
		v, given := a[i]
		if (given || s.params[i].Kind == Constant) && s.holds(i, c) {
			c.Value[i], c.Active[i] = v, true
		}
	}
	return c, s.Validate(c)
}
