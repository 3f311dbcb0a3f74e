package space

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// fixtures reads testdata/spaces/real.json.
func fixtures(t testing.TB) map[string]*Space {
	t.Helper()
	type declared struct {
		Name, Type string
		Low, High  float64
		Log        bool
		Choices    []string
		When       []struct {
			Name, Op string
			Value    any
		}
	}
	data, err := os.ReadFile("testdata/spaces/real.json")
	must(t, err)
	var all map[string][]declared
	must(t, json.Unmarshal(data, &all))
	out := map[string]*Space{}
	for name, list := range all {
		var params []Parameter
		for _, d := range list {
			kinds := map[string]Kind{"float": Float, "int": Int, "cat": Categorical, "ord": Ordinal}
			p := Parameter{Name: d.Name, Kind: kinds[d.Type], Low: d.Low, High: d.High, Values: d.Choices}
			if d.Log {
				p.Scale = Log
			}
			var all And
			for _, w := range d.When {
				i := slices.IndexFunc(list, func(o declared) bool { return o.Name == w.Name })
				switch v := w.Value.(type) {
				case []any:
					in := In{Param: i}
					for _, x := range v {
						in.Values = append(in.Values, float64(slices.Index(list[i].Choices, x.(string))))
					}
					all = append(all, in)
				case float64:
					op := map[string]Op{"ge": Ge, "gt": Gt, "le": Le, "lt": Lt}[w.Op]
					all = append(all, Compare{op, Ref{i}, Const(v)})
				}
			}
			switch len(all) {
			case 0:
			case 1:
				p.Condition = all[0]
			default:
				p.Condition = all
			}
			params = append(params, p)
		}
		if out[name], err = New(params, nil, nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return out
}

func fixture(t testing.TB, name string) *Space {
	t.Helper()
	s := fixtures(t)[name]
	if s == nil {
		t.Fatalf("no space %s", name)
	}
	return s
}

func TestRealSpaces(t *testing.T) {
	// Branches, active numbers and active choices counted by hand from the declarations.
	want := map[string]struct{ branches, dim, choices int }{
		"svm": {4, 4, 3}, "cash": {8, 4, 3}, "mlp": {8, 8, 3}, "boost": {5, 5, 2},
		"goldstein": {8, 7, 2}, "jenatton": {4, 2, 2}, "ax": {4, 3, 2},
	}
	all := fixtures(t)
	for name, s := range all {
		w, known := want[name]
		if !known {
			continue
		}
		if got := len(s.Branches()); got != w.branches || !s.whole().exact {
			t.Errorf("%s: %d branches, not %d", name, got, w.branches)
		}
		n, c := s.MostActive(s.Numeric), s.MostActive(func(i int) bool { return s.Params()[i].Nominal() })
		if n != w.dim || c != w.choices {
			t.Errorf("%s: %d active numbers and %d choices, not %d and %d", name, n, c, w.dim, w.choices)
		}
		cs, err := designed(s, "halton", 64, 7)
		must(t, err)
		q := s.EncodeAll(cs)
		for k, c := range cs {
			must(t, s.Validate(c))
			if !s.Decode(q, k).Equal(c) {
				t.Errorf("%s: %s does not come back", name, s.AppendJSON(nil, c))
			}
		}
		_, err = sampleBranches(s, rand.New(rand.NewPCG(1, 2)), 10)
		must(t, err)
	}
	if len(all) < len(want) {
		t.Errorf("%d spaces read", len(all))
	}
}

// sampleBranches are n configurations that a domain draws, every activity pattern getting its share.
func sampleBranches(s *Space, r *rand.Rand, n int) (cs []Configuration, err error) {
	d := NewDomain(s, nil)
	if d.Err() != nil {
		return nil, d.Err()
	}
	q := d.Sample(r, n)
	for i := range n {
		cs = append(cs, s.Decode(q, i))
	}
	return cs, nil
}
