package space

// A Space is an ordered list of parameters with conditions and constraints on
// inputs. It is immutable and safe for concurrent use.
type Space struct {
	params    []Parameter
	forbidden []Clause
	require   []Clause
}
