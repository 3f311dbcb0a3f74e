package pareto

import (
	"cmp"
	"slices"
	"sort"
)

// Ranks are 1 for the front, 2 for the front of the rest, and so on (Goldberg 1989). It
// takes n·log n time for two entries, n·(log n)^(m−1) for m.
func Ranks(values [][]float64) []int {
	if len(values) == 0 {
		return nil
	}
	// A vector and its equals have one rank: unlike is one of each, in lexicographic order.
	order := lexicographic(values, every(len(values)))
	var unlike [][]float64
	at := make([]int, len(values))
	for _, i := range order {
		if n := len(unlike); n == 0 || !slices.Equal(unlike[n-1], values[i]) {
			unlike = append(unlike, values[i])
		}
		at[i] = len(unlike) - 1
	}
	s := sorting{values: unlike, rank: make([]int, len(unlike))}
	for i := range s.rank {
		s.rank[i] = 1
	}
	s.within(every(len(unlike)), len(values[0])-1)
	out := make([]int, len(values))
	for i, k := range at {
		out[i] = s.rank[k]
	}
	return out
}

// A sorting raises ranks until each is one more than the largest of the vectors that dominate
// its own (Jensen 2003, doi:10.1109/TEVC.2003.817234; Buzdalov & Shalyto 2014). Vectors are unlike and in lexicographic
// order, so that one is dominated only by vectors before it that are no worse in the entries
// from the second to the last.
type sorting struct {
	values [][]float64
	rank   []int
}

// few is the number of vectors that are compared one by one.
const few = 16

// within ranks the vectors of a list, ascending, by the entries 1 to last.
func (s *sorting) within(list []int, last int) {
	switch {
	case len(list) < 2:
	case last == 0: // of one entry each vector dominates the next
		for k, i := range list[1:] {
			s.rank[i] = max(s.rank[i], s.rank[list[k]]+1)
		}
	case last == 1:
		s.sweep(list, list)
	case len(list) <= few:
		for k, i := range list {
			for _, j := range list[:k] {
				s.raise(i, j, last)
			}
		}
	default:
		low, same, high := s.parts(list, last, s.median(list, last))
		s.within(low, last)
		s.across(low, same, last-1)
		s.within(same, last-1)
		s.across(merged(low, same), high, last-1)
		s.within(high, last)
	}
}

// across raises the ranks of list by the vectors of by, which are final and no worse in the
// entries above last.
func (s *sorting) across(by, list []int, last int) {
	switch {
	case len(by) == 0 || len(list) == 0:
	case len(by) <= few || len(list) <= few:
		for _, i := range list {
			for _, j := range by {
				if j > i {
					break
				}
				s.raise(i, j, last)
			}
		}
	case last == 1:
		s.sweep(by, list)
	default:
		middle := s.median(merged(by, list), last)
		byLow, bySame, byHigh := s.parts(by, last, middle)
		low, same, high := s.parts(list, last, middle)
		s.across(byLow, low, last)
		s.across(byLow, same, last-1)
		s.across(bySame, same, last-1)
		s.across(merged(byLow, bySame), high, last-1)
		s.across(byHigh, high, last)
	}
}

// raise puts the rank of vector i above that of j, which comes before it, if j is no worse in
// the entries 1 to last.
func (s *sorting) raise(i, j, last int) {
	if s.rank[j] < s.rank[i] {
		return
	}
	for k := 1; k <= last; k++ {
		if s.values[j][k] > s.values[i][k] {
			return
		}
	}
	s.rank[i] = s.rank[j] + 1
}

// sweep raises the ranks of list by those of by, which may be the same list, by entry 1: in
// lexicographic order a rank has only to be kept with the least entry 1 that has it, where
// no larger rank has a smaller one.
func (s *sorting) sweep(by, list []int) {
	type step struct {
		value float64
		rank  int
	}
	var stairs []step // both ascending
	k := 0
	add := func(j int) {
		v, r := s.values[j][1], s.rank[j]
		at := sort.Search(len(stairs), func(i int) bool { return stairs[i].value > v })
		if at > 0 && stairs[at-1].rank >= r {
			return
		}
		if at > 0 && stairs[at-1].value == v {
			at--
		}
		end := at
		for end < len(stairs) && stairs[end].rank <= r {
			end++
		}
		stairs = slices.Replace(stairs, at, end, step{v, r})
	}
	for _, i := range list {
		for ; k < len(by) && by[k] < i; k++ {
			add(by[k])
		}
		v := s.values[i][1]
		if at := sort.Search(len(stairs), func(k int) bool { return stairs[k].value > v }); at > 0 {
			s.rank[i] = max(s.rank[i], stairs[at-1].rank+1)
		}
	}
}

func (s *sorting) median(list []int, entry int) float64 {
	column := make([]float64, len(list))
	for k, i := range list {
		column[k] = s.values[i][entry]
	}
	slices.Sort(column)
	return column[len(column)/2]
}

// parts are the vectors of a list below, at and above a value of an entry, in their order.
func (s *sorting) parts(list []int, entry int, at float64) (low, same, high []int) {
	for _, i := range list {
		switch cmp.Compare(s.values[i][entry], at) {
		case -1:
			low = append(low, i)
		case 0:
			same = append(same, i)
		default:
			high = append(high, i)
		}
	}
	return low, same, high
}

// merged is two ascending lists as one.
func merged(a, b []int) []int {
	out := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] < b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}
