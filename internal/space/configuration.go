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
	if len(c.Value) != len(d.Value) {
		return false
	}
	for i := range c.Value {
		if c.Active[i] != d.Active[i] || c.Active[i] && c.Value[i] != d.Value[i] {
			return false
		}
	}
	return true
}

// An Assignment gives raw values to some parameters, by index: a partial configuration.
type Assignment map[int]float64
