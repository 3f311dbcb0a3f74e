package points_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bohier/internal/points"
	_ "bohier/internal/seeded"
)

// row is the plain model of one point: a value and an activity per coordinate.
type row struct {
	v  []float64
	on []bool
}

func draw(t *rapid.T, n, d int) ([]row, *points.Set) {
	rows := make([]row, n)
	s := points.New(n, d)
	for i := range rows {
		rows[i] = row{make([]float64, d), make([]bool, d)}
		for c := range d {
			rows[i].v[c] = float64(rapid.IntRange(0, 3).Draw(t, "v"))
			rows[i].on[c] = rapid.IntRange(0, 4).Draw(t, "on") > 0
			s.Set(c, i, rows[i].v[c], rows[i].on[c])
		}
	}
	return rows, s
}

func check(t *rapid.T, what string, s *points.Set, want []row) {
	if s.Len() != len(want) {
		t.Fatalf("%s: %d points, not %d", what, s.Len(), len(want))
	}
	for i, w := range want {
		for c := range w.v {
			if s.At(c, i) != w.v[c] || s.Col(c)[i] != w.v[c] || s.Active(c, i) != w.on[c] {
				t.Fatalf("%s: point %d coordinate %d is %v %v", what, i, c, s.At(c, i), s.Active(c, i))
			}
			if m := s.Activity(c); m == nil && !w.on[c] || m != nil && m[i] != w.on[c] {
				t.Fatalf("%s: mask", what)
			}
		}
	}
}

// Every operation does what it would to a plain list of rows, and results are independent of their sources.
func TestSetIsAListOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 5).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d")
		rows, s := draw(t, n, d)
		check(t, "set", s, rows)
		if s.Dim() != d {
			t.Fatal(s.Dim())
		}

		idx := rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 6).Draw(t, "idx")
		var picked []row
		for _, i := range idx {
			picked = append(picked, rows[i])
		}
		selected := s.Select(idx)
		check(t, "select", selected, picked)

		lo := rapid.IntRange(0, n).Draw(t, "lo")
		hi := rapid.IntRange(lo, n).Draw(t, "hi")
		slice := s.Slice(lo, hi)
		check(t, "slice", slice, rows[lo:hi])

		clone := s.Clone()
		joined := points.Concat(s, selected, slice)
		check(t, "concat", joined, slices.Concat(rows, picked, rows[lo:hi]))

		for i := range n {
			for j := range n {
				same := slices.Equal(rows[i].on, rows[j].on)
				for c := range d {
					same = same && (!rows[i].on[c] || rows[i].v[c] == rows[j].v[c])
				}
				if s.Equal(i, clone, j) != same {
					t.Fatalf("equal %v %v", rows[i], rows[j])
				}
			}
		}

		for c := range d {
			s.Set(c, 0, 9, !rows[0].on[c])
		}
		check(t, "clone", clone, rows)
		check(t, "slice later", slice, rows[lo:hi])
		s.Copy(0, clone, 0)
		check(t, "copy back", s, rows)
	})
}

func TestMismatchPanics(t *testing.T) {
	a, b := points.New(1, 2), points.New(1, 3)
	for name, f := range map[string]func(){
		"copy":   func() { a.Copy(0, b, 0) },
		"concat": func() { points.Concat(a, b) },
		"equal":  func() { a.Equal(0, b, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of sets of different dimension", name)
				}
			}()
			f()
		}()
	}
}

func TestExtend(t *testing.T) {
	s := points.New(3, 2)
	s.Set(1, 2, 0.25, false)
	e := s.Extend(7)
	if e.Dim() != 3 || e.Len() != 3 || s.Dim() != 2 {
		t.Fatalf("%d points of %d coordinates from %d", e.Len(), e.Dim(), s.Dim())
	}
	if e.At(1, 2) != 0.25 || e.Active(1, 2) || !e.Active(1, 1) {
		t.Error("the other coordinates changed")
	}
	for i := range 3 {
		if e.At(2, i) != 7 || !e.Active(2, i) {
			t.Errorf("point %d has %v in the new coordinate", i, e.At(2, i))
		}
	}
}
