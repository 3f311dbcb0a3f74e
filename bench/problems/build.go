package problems

import "strconv"

// The constructors of parameters and conditions, short for the tables of spaces.

func float(name string, low, high float64, when ...Cond) Param {
	return Param{Name: name, Kind: Float, Low: low, High: high, When: when}
}

func logFloat(name string, low, high float64, when ...Cond) Param {
	return Param{Name: name, Kind: Float, Low: low, High: high, Log: true, When: when}
}

func integer(name string, low, high float64, when ...Cond) Param {
	return Param{Name: name, Kind: Int, Low: low, High: high, When: when}
}

func logInteger(name string, low, high float64, when ...Cond) Param {
	return Param{Name: name, Kind: Int, Low: low, High: high, Log: true, When: when}
}

func categorical(name string, choices []string, when ...Cond) Param {
	return Param{Name: name, Kind: Categorical, Choices: choices, When: when}
}

func ordinal(name string, choices []string, when ...Cond) Param {
	return Param{Name: name, Kind: Ordinal, Choices: choices, When: when}
}

func is(name string, values ...string) Cond { return Cond{Name: name, Op: "in", Values: values} }

func above(name string, bound float64) Cond { return Cond{Name: name, Op: "gt", Bound: bound} }

func atLeast(name string, bound float64) Cond { return Cond{Name: name, Op: "ge", Bound: bound} }

// digits lists "0" … "n−1".
func digits(n int) []string {
	s := make([]string, n)
	for i := range s {
		s[i] = strconv.Itoa(i)
	}
	return s
}

// indexed is name followed by a number.
func indexed(name string, i int) string { return name + strconv.Itoa(i) }

// at is a configuration on record.
type at = map[string]any
