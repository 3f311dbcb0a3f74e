package space

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bohier/internal/points"

	"pgregory.net/rapid"
)

// feasibleDomain is a domain of a generated space with a part of one of its configurations fixed.
func feasibleDomain(t *rapid.T) (*Space, *Domain, Assignment, *rand.Rand) {
	s := drawSpace(t, rapid.Bool().Draw(t, "constrained"))
	r := drawRand(t)
	from := sampled(t, s, r, 1)[0]
	fixed := Assignment{}
	for i := range from.Value {
		if from.Active[i] && s.Param(i).Kind != Constant && rapid.IntRange(0, 3).Draw(t, "fix") == 0 {
			fixed[i] = from.Value[i]
		}
	}
	d := NewDomain(s, fixed)
	if d.Err() != nil || s.FeasibleFraction(r, 1000) < 0.02 {
		t.Skip("too rare")
	}
	return s, d, fixed, r
}

// checkPoint reports whether point k of q is exactly what its configuration encodes to, valid, and keeps what is fixed.
func checkPoint(t *rapid.T, s *Space, fixed Assignment, q *points.Set, k int) Configuration {
	c := s.Decode(q, k)
	if err := s.Validate(c); err != nil {
		t.Fatalf("%v\n%s", err, s.Describe())
	}
	for i, v := range fixed {
		if !c.Active[i] || c.Value[i] != v {
			t.Fatalf("%s is not fixed at %v\n%s", s.Param(i).Name, v, s.Describe())
		}
	}
	for co, i := range s.Coordinates() {
		if q.Active(co, k) != c.Active[i] {
			t.Fatalf("mask of %s is %v\n%s", s.Param(i).Name, q.Active(co, k), s.Describe())
		}
		if !c.Active[i] && q.At(co, k) != s.standIn(i) {
			t.Fatalf("inactive %s holds %v", s.Param(i).Name, q.At(co, k))
		}
	}
	return c
}

func TestDomainSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, d, fixed, r := feasibleDomain(t)
		q := d.Sample(r, 30)
		if q.Len() != 30 || q.Dim() != len(s.coords) {
			t.Fatalf("%d × %d", q.Len(), q.Dim())
		}
		seen := map[string]bool{}
		for k := range 30 {
			seen[s.BranchKey(checkPoint(t, s, fixed, q, k))] = true
			before := q.Slice(k, k+1)
			if !d.Repair(q, k) || !q.Equal(k, before, 0) {
				t.Fatalf("repair changes a sample\n%s", s.Describe())
			}
		}
		if n := len(d.p.branches); n <= 5 && len(seen) < n {
			t.Fatalf("%d of %d branches\n%s", len(seen), n, s.Describe())
		}
	})
}

// Points of other branches stand in for those of a branch that is too rare to be drawn.
func TestDomainSamplesBesideARareBranch(t *testing.T) {
	a := Compare{Eq, Ref{0}, Const(0)}
	params := []Parameter{{Name: "k", Kind: Categorical, Values: []string{"a", "b"}}}
	var sum Sum = Const(0)
	for i := range 4 {
		params = append(params, Parameter{Name: fmt.Sprint("x", i), Kind: Float, High: 1, Condition: a})
		sum = Binary{'+', sum, Ref{i + 1}}
	}
	rare := Clause{And{a, Compare{Lt, sum, Const(3.99)}}, "k == a and x0 + x1 + x2 + x3 < 3.99"}
	s, err := New(params, []Clause{rare}, nil)
	must(t, err)
	d := NewDomain(s, nil)
	q := d.Sample(rand.New(rand.NewPCG(1, 2)), 10)
	for k := range q.Len() {
		if c := s.Decode(q, k); !s.Allows(c) {
			t.Errorf("point %d is no configuration: %v", k, c.Value)
		}
	}
}

// Whatever a search writes into a point, repair makes an emitted one of it, twice
// is the same as once, and it says whether the constraints hold.
func TestRepair(t *testing.T) {
	valid := 0
	rapid.Check(t, func(t *rapid.T) {
		s, d, fixed, r := feasibleDomain(t)
		q := d.Sample(r, 1)
		for co, i := range s.Coordinates() {
			q.Col(co)[0] = -0.2 + 1.4*r.Float64()
			if m := s.Param(i).Levels(); m > 0 {
				q.Col(co)[0] *= float64(m)
			}
		}
		ok := d.Repair(q, 0)
		before := q.Clone()
		if again := d.Repair(q, 0); again != ok || !q.Equal(0, before, 0) {
			t.Fatalf("repair is not idempotent\n%s", s.Describe())
		}
		c := s.Decode(q, 0)
		bad := !s.Allows(c)
		missing := slices.ContainsFunc(s.Coordinates(), func(i int) bool { _, f := fixed[i]; return f && !c.Active[i] })
		if ok != (!bad && !missing) {
			t.Fatalf("repair says %v, violated %v, missing %v\n%s", ok, bad, missing, s.Describe())
		}
		if ok {
			valid++
			checkPoint(t, s, fixed, q, 0)
		}
	})
	if valid == 0 {
		t.Fatal("nothing was repaired")
	}
}

// A neighbour is valid, new, keeps what is fixed, and differs in one parameter
// and otherwise only in descendants of that parameter.
func TestNeighbors(t *testing.T) {
	total := 0
	rapid.Check(t, func(t *rapid.T) {
		s, d, fixed, r := feasibleDomain(t)
		q := d.Sample(r, 1)
		from := s.Decode(q, 0)
		near := d.Neighbors(r, q, 0)
		keys := map[string]bool{s.Key(from): true}
		for k := range near.Len() {
			total++
			c := checkPoint(t, s, fixed, near, k)
			if keys[s.Key(c)] {
				t.Fatalf("%s twice", s.Key(c))
			}
			keys[s.Key(c)] = true
			var changed []int
			for i := range c.Value {
				if c.Active[i] != from.Active[i] || c.Value[i] != from.Value[i] {
					changed = append(changed, i)
				}
			}
			mover := slices.ContainsFunc(changed, func(m int) bool {
				return from.Active[m] && c.Active[m] && !slices.ContainsFunc(changed, func(i int) bool {
					return i != m && !slices.Contains(s.Ancestors(i), m)
				})
			})
			if !mover && !s.mends() { // where a move is mended, others change, too
				t.Fatalf("from %s to %s\n%s", s.Key(from), s.Key(c), s.Describe())
			}
		}
	})
	if total == 0 {
		t.Fatal("no neighbours at all")
	}
}

// On a space without constraints every move along a graph is there.
func TestNeighborsFollowGraphs(t *testing.T) {
	s, err := New([]Parameter{
		{Name: "k", Kind: Categorical, Values: []string{"a", "b", "c", "d"}},
		{Name: "g", Kind: Categorical, Values: []string{"a", "b", "c", "d"}, Graph: Path(4)},
		{Name: "o", Kind: Ordinal, Values: []string{"a", "b", "c", "d"}},
		{Name: "n", Kind: Int, Low: 1, High: 9},
		{Name: "x", Kind: Float, Low: 0, High: 1},
		{Name: "child", Kind: Float, Low: 0, High: 1, Condition: In{0, []float64{1, 2}}},
		{Name: "deep", Kind: Float, Low: 0, High: 1, Condition: Compare{Gt, Ref{4}, Const(0.5)}},
	}, nil, nil)
	must(t, err)
	c, err := s.ParseJSON([]byte(`{"k":"b","g":"b","o":"d","n":9,"x":0.25,"child":0.125}`))
	must(t, err)
	near := NewDomain(s, nil).Neighbors(rand.New(rand.NewPCG(1, 2)), s.EncodeAll([]Configuration{c}), 0)
	var got []string
	for k := range near.Len() {
		n := s.Decode(near, k)
		for _, i := range []int{0, 1, 2, 3} {
			if n.Value[i] != c.Value[i] {
				text := s.Param(i).Name + "=" + s.FormatValue(i, n.Value[i])
				if i == 0 && n.Active[5] && n.Value[5] != 0.125 {
					text += " anew"
				}
				got = append(got, text)
			}
		}
		if n.Value[4] != 0.25 {
			if n.Value[4] <= 0.5 || !n.Active[6] {
				t.Errorf("x moves to %v", n.Value[4])
			}
			got = append(got, "x>0.5")
		}
	}
	slices.Sort(got)
	got = slices.Compact(got)
	want := []string{"g=a", "g=c", "k=a", "k=c", "k=c anew", "k=d", "n=8", "o=c", "x>0.5"}
	if !slices.Equal(got, want) {
		t.Errorf("moves %v, not %v", got, want)
	}
}

func TestEmptyDomain(t *testing.T) {
	s := fixture(t, "svm")
	kernel, _ := s.Index("kernel")
	degree, _ := s.Index("degree")
	d := NewDomain(s, Assignment{kernel: 0, degree: 3})
	if d.Err() == nil || d.Err().Error() != "degree is inactive with kernel=linear (active if kernel in [poly])" {
		t.Errorf("error: %v", d.Err())
	}
	q := points.New(1, len(s.coords))
	r := rand.New(rand.NewPCG(1, 2))
	if d.Sample(r, 5).Len() != 0 || d.Repair(q, 0) || d.Neighbors(r, q, 0).Len() != 0 {
		t.Error("an empty domain has points")
	}
}

func TestSmooth(t *testing.T) {
	s := fixture(t, "svm")
	c, err := s.ParseJSON([]byte(`{"scale":"none","kernel":"poly","C":1,"gamma":1,"degree":3,"coef0":0,"class_weight":"none"}`))
	must(t, err)
	q := s.EncodeAll([]Configuration{c})
	if got := NewDomain(s, nil).Smooth(q, 0); !slices.Equal(got, []int{2, 3, 4, 5}) {
		t.Errorf("smooth: %v", got)
	}
	if got := NewDomain(s, Assignment{2: 1}).Smooth(q, 0); !slices.Equal(got, []int{3, 4, 5}) {
		t.Errorf("smooth with C fixed: %v", got)
	}
}

// A whole number with many values moves by one and by a hundredth and a tenth of its range, in both directions.
func TestNumbersMoveBothWays(t *testing.T) {
	s, err := New([]Parameter{{Name: "n", Kind: Int, Low: 0, High: 1000}}, nil, nil)
	must(t, err)
	moves := NewDomain(s, nil).numberMoves(rand.New(rand.NewPCG(1, 2)), 0, 500)
	slices.Sort(moves)
	if want := []float64{400, 490, 499, 501, 510, 600}; !slices.Equal(moves, want) {
		t.Errorf("from 500 to %v, want %v", moves, want)
	}
}

// A place in an order moves to its two neighbours, at an end to one.
func TestOrdinalsMoveToNeighbours(t *testing.T) {
	s, err := New([]Parameter{{Name: "o", Kind: Ordinal, Values: []string{"s", "m", "l"}}}, nil, nil)
	must(t, err)
	for v, want := range [][]float64{{1}, {0, 2}, {1}} {
		if moves := NewDomain(s, nil).moves(rand.New(rand.NewPCG(1, 2)), 0, float64(v)); !slices.Equal(moves, want) {
			t.Errorf("from %d to %v, want %v", v, moves, want)
		}
	}
}

// Of many parameters a draw is moved, a new one each time, and of many moves a draw is returned.
func TestNeighborsOfManyParameters(t *testing.T) {
	var params []Parameter
	for i := range 100 {
		params = append(params, Parameter{Name: fmt.Sprint("n", i), Kind: Int, Low: 0, High: 1000})
	}
	s, err := New(params, nil, nil)
	must(t, err)
	d, r := NewDomain(s, nil), rand.New(rand.NewPCG(1, 2))
	q := d.Sample(r, 1)
	moved := map[int]bool{}
	for range 20 {
		near, now := d.Neighbors(r, q, 0), map[int]bool{}
		for k := range near.Len() {
			for c := range near.Dim() {
				if near.At(c, k) != q.At(c, 0) {
					now[c], moved[c] = true, true
				}
			}
		}
		if near.Len() > maxNeighbors || len(now) != maxMovable {
			t.Errorf("%d neighbours move %d parameters, want %d", near.Len(), len(now), maxMovable)
		}
	}
	if len(moved) != 100 {
		t.Errorf("only %d of 100 parameters ever move", len(moved))
	}
}
