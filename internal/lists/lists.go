// Package lists has functions on slices that the standard library lacks.
package lists

import (
	"math"
	"slices"
)

// Of is the list of a function's results for every item, never nil.
func Of[T, U any](items []T, of func(T) U) []U {
	out := make([]U, len(items))
	for i, x := range items {
		out[i] = of(x)
	}
	return out
}

// Only are the items for which keep holds, in their order; nil for none.
func Only[T any](items []T, keep func(T) bool) (out []T) {
	for _, x := range items {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

// Some are a function's results for the items for which it has one, in their order; nil for none.
func Some[T, U any](items []T, of func(T) (result U, ok bool)) (out []U) {
	for _, x := range items {
		if result, ok := of(x); ok {
			out = append(out, result)
		}
	}
	return out
}

// Distinct are the items, of those with one key the first.
func Distinct[T any, K comparable](items []T, key func(T) K) []T {
	met := map[K]bool{}
	return Only(items, func(x T) bool {
		k := key(x)
		again := met[k]
		met[k] = true
		return !again
	})
}

// At are the items at places, never nil.
func At[T any](items []T, places []int) []T { return Of(places, func(k int) T { return items[k] }) }

// Make is n items as a function makes them, never nil.
func Make[T any](n int, of func(i int) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = of(i)
	}
	return out
}

// Every are the numbers below n.
func Every(n int) []int { return Make(n, func(i int) int { return i }) }

// Any reports whether holds does of a number below n.
func Any(n int, holds func(i int) bool) bool {
	for i := range n {
		if holds(i) {
			return true
		}
	}
	return false
}

// Where are the numbers below n for which holds does; nil for none.
func Where(n int, holds func(i int) bool) (out []int) {
	for i := range n {
		if holds(i) {
			out = append(out, i)
		}
	}
	return out
}

// Median is the median of v, of an even number the middle of the two; NaN of none.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	s := slices.Clone(v)
	slices.Sort(s)
	return s[(len(s)-1)/2]/2 + s[len(s)/2]/2
}
