// Package lists has what the standard library lacks for slices.
package lists

// Of is what a function makes of every item, never nil.
func Of[T, U any](items []T, of func(T) U) []U {
	out := make([]U, len(items))
	for i, x := range items {
		out[i] = of(x)
	}
	return out
}
