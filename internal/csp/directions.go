package csp

import (
	"math/big"
	"slices"

	"bohier/internal/lists"
)

// mostPairs bounds the vectors of a basis whose pairs are combined.
const mostPairs = 64

// longest is the number of bits of an entry of a direction.
const longest = 48

// directions are integer vectors that keep every equality, by the variables they move:
// a basis of the null space, and pairs of its vectors combined so that the variable they
// share stays. A variable of an equality has an entry, though it may be empty.
func directions(equal []*Linear, free func(v int) bool) map[int][]way {
	out := map[int][]way{}
	if len(equal) == 0 {
		return out
	}
	var vars []int
	for _, x := range equal {
		for _, t := range x.Terms {
			if t.Table == nil && free(t.Var) && !slices.Contains(vars, t.Var) {
				vars = append(vars, t.Var)
			}
			if t.Table != nil {
				out[t.Var] = nil
			}
		}
	}
	slices.Sort(vars)
	for _, v := range vars {
		out[v] = nil
	}
	basis := nullSpace(equal, vars)
	all := slices.Clone(basis)
	if len(basis) <= mostPairs {
		for i := range basis {
			for j := range i {
				if w := combined(basis[i], basis[j]); w != nil {
					all = append(all, w)
				}
			}
		}
	}
	for _, w := range all {
		for _, t := range w {
			out[t.Var] = append(out[t.Var], w)
		}
	}
	return out
}

// nullSpace is a basis of the vectors that every row maps to 0, by Gauss-Jordan
// elimination; very long vectors are left out.
func nullSpace(rows []*Linear, vars []int) (basis []way) {
	var m [][]*big.Rat
	for _, x := range rows {
		row := lists.Make(len(vars), func(int) *big.Rat { return new(big.Rat) })
		for _, t := range x.Terms {
			if j, ok := slices.BinarySearch(vars, t.Var); ok {
				row[j].SetInt64(t.Coef)
			}
		}
		m = append(m, row)
	}
	pivots := []int{}
	for j := len(vars) - 1; j >= 0 && len(pivots) < len(m); j-- {
		k := len(pivots)
		at := slices.IndexFunc(m[k:], func(row []*big.Rat) bool { return row[j].Sign() != 0 })
		if at < 0 {
			continue
		}
		m[k], m[k+at] = m[k+at], m[k]
		inverse := new(big.Rat).Inv(m[k][j])
		for c := range m[k] {
			m[k][c].Mul(m[k][c], inverse)
		}
		for i := range m {
			if i == k || m[i][j].Sign() == 0 {
				continue
			}
			times := new(big.Rat).Set(m[i][j])
			for c := range m[i] {
				m[i][c].Sub(m[i][c], new(big.Rat).Mul(times, m[k][c]))
			}
		}
		pivots = append(pivots, j)
	}
	for j := range vars {
		if slices.Contains(pivots, j) {
			continue
		}
		scale := big.NewInt(1) // of the denominators
		for k := range pivots {
			d := m[k][j].Denom()
			scale.Mul(scale, new(big.Int).Div(d, new(big.Int).GCD(nil, nil, scale, d)))
		}
		w := way{{Var: vars[j], Coef: scale.Int64()}}
		fits := scale.BitLen() < longest
		for k, p := range pivots {
			v := new(big.Rat).Mul(m[k][j], new(big.Rat).SetInt(scale))
			fits = fits && v.Num().BitLen() < longest
			if v.Sign() != 0 {
				w = append(w, Term{Var: vars[p], Coef: -v.Num().Int64()})
			}
		}
		if fits {
			basis = append(basis, w)
		}
	}
	return basis
}

// combined is a multiple of a less one of b so that a variable of both stays; nil: they share none.
func combined(a, b way) way {
	for _, x := range a {
		for _, y := range b {
			if x.Var != y.Var {
				continue
			}
			g := gcd(x.Coef, y.Coef)
			if bitLen(x.Coef/g)+bitLen(y.Coef/g) > 62-longest {
				return nil
			}
			sum := map[int]int64{}
			for _, t := range a {
				sum[t.Var] += t.Coef * (y.Coef / g)
			}
			for _, t := range b {
				sum[t.Var] -= t.Coef * (x.Coef / g)
			}
			var out way
			var d int64
			for v, c := range sum {
				if bitLen(c) > longest {
					return nil
				}
				if c != 0 {
					out = append(out, Term{Var: v, Coef: c})
					d = gcd(d, c)
				}
			}
			for k := range out {
				out[k].Coef /= d
			}
			slices.SortFunc(out, func(s, t Term) int { return s.Var - t.Var })
			return out
		}
	}
	return nil
}

func bitLen(v int64) int { return big.NewInt(v).BitLen() }
