package journal

import (
	"cmp"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
)

// pair is a space of two numbers, x up to a bound and y.
type pair struct{ high float64 }

func (p pair) Fingerprint() string { return "sha256:pair" }

func (p pair) AppendJSON(dst []byte, c space.Configuration) []byte {
	b, err := json.Marshal(map[string]float64{"x": c.Value[0], "y": c.Value[1]})
	if err != nil {
		panic(err)
	}
	return append(dst, b...)
}

func (p pair) ParseJSON(b []byte, fills ...json.RawMessage) (space.Configuration, error) {
	m := map[string]float64{}
	for _, text := range append(slices.Clone(fills), b) {
		if err := json.Unmarshal(text, &m); err != nil && len(text) > 0 {
			return space.Configuration{}, err
		}
	}
	c := space.NewConfiguration(2)
	c.Value[0], c.Active[0] = m["x"], true
	c.Value[1], c.Active[1] = m["y"], true
	switch _, ok := m["y"]; {
	case !ok:
		return c, errors.New("no y")
	case m["x"] > p.high:
		return c, errors.New("x is out of range")
	}
	return c, nil
}

func (p pair) Proposable(space.Configuration) error { return nil }

func TestMigrateFillsNewParameters(t *testing.T) {
	o := filled(t) // x = 0, 1/8, 2/8, 3/8
	n := o
	n.Space = pair{high: 0.3}
	s, _, err := Migrate(ctx, n, json.RawMessage(`{"y": 7}`))
	must(t, err)
	for _, s := range []*State{s, read(t, n)} {
		for i, tr := range s.Trials {
			switch {
			case i == 3 && tr.Outside: // what it was made with, and nothing that was filled in
				if len(tr.Own) != 1 || tr.Own[0].Name != "x" || tr.Own[0].Text != "0.375" {
					t.Errorf("trial %d: own values %+v", i+1, tr.Own)
				}
			case tr.Outside || tr.Config.Value[0] != float64(i)/8 || tr.Config.Value[1] != 7:
				t.Errorf("trial %d is %+v, outside %v", i+1, tr.Config, tr.Outside)
			}
		}
	}
	// What came before keeps its line: history is not rewritten.
	if string(s.Params(1)) != `{"x":0}` {
		t.Errorf("params %s", s.Params(1))
	}
	if _, _, err := Migrate(ctx, o, nil); err != nil {
		t.Error("and back:", err)
	}
}

// Values for a new parameter may be given after the space was adopted.
func TestMigrateFillsLater(t *testing.T) {
	o := filled(t)
	n := o
	n.Space = pair{high: 1}
	if s, _, err := Migrate(ctx, n, nil); err != nil || !s.Trials[0].Outside {
		t.Fatal(err)
	}
	if _, lines, err := Migrate(ctx, n, json.RawMessage(`{"y":7}`)); err != nil || len(lines) != 1 {
		t.Fatal(lines, err)
	}
	for i, tr := range read(t, n).Trials {
		if tr.Outside || tr.Config.Value[1] != 7 {
			t.Errorf("trial %d is %+v", i+1, tr.Config)
		}
	}
	if _, lines, err := Migrate(ctx, n, json.RawMessage(`{"y":8}`)); err != nil || len(lines) != 0 {
		t.Error("again", lines, err)
	}
}

// ruled is a line that a rule forbids.
type ruled struct{ line }

func (ruled) Fingerprint() string { return "sha256:ruled" }

func (r ruled) ParseJSON(b []byte, fills ...json.RawMessage) (space.Configuration, error) {
	c, err := r.line.ParseJSON(b, fills...)
	return c, cmp.Or(err, error(space.RuleError("x")))
}

// Which trials surrogates learn from depends on the space and the context of today, not on those that were before.
func TestForbiddenTrials(t *testing.T) {
	s := read(t, filled(t))
	for _, context := range []string{"", "another", ""} {
		s.In(ruled{}, json.RawMessage(`{"context":"`+context+`"}`))
		if tr := s.Trials[0]; !tr.Outside || tr.Forbidden != (context == "") || tr.Config.Active == nil {
			t.Errorf("in context %q: %+v", context, tr)
		}
	}
	s.In(pair{high: 1}, nil)
	if tr := s.Trials[0]; !tr.Outside || tr.Forbidden || tr.Config.Active != nil {
		t.Errorf("without a parameter: %+v", tr)
	}
}

// A suggestion is computed again in the space it was made in.
func TestReplayUsesTheRecordedSpace(t *testing.T) {
	o := filled(t)
	n := o
	n.Space, n.Study = pair{high: 1}, json.RawMessage(`{"space":"pair"}`)
	if _, _, err := Migrate(ctx, n, json.RawMessage(`{"y":7}`)); err != nil {
		t.Fatal(err)
	}
	update(t, n, func(s *State) ([]Record, error) { recs, _, err := s.Reserve(Asking{N: 1}); return recs, err })
	update(t, n, func(s *State) ([]Record, error) {
		c := space.NewConfiguration(2)
		c.Value[0], c.Value[1], c.Active[0], c.Active[1] = 0.5, 3, true, true
		recs, _, err := s.Suggest(s.Trials[4], &study.Suggestion{Config: c, Source: "model"}, s.Seq, 0)
		return recs, err
	})
	spaceOf := func(recorded json.RawMessage) (Space, error) {
		if string(recorded) == string(n.Study) {
			return n.Space, nil
		}
		return o.Space, nil
	}
	got := ""
	err := replay(n, func(prefix *State, tr *study.Trial, recorded json.RawMessage) error {
		sp, err := spaceOf(recorded)
		prefix.In(sp, recorded)
		got += prefix.space.Fingerprint() + " "
		want := 1 // coordinates
		if tr.Number == 5 {
			want = 2
		}
		if first := prefix.Trials[0].Config; tr.Number > 1 && len(first.Value) != want {
			t.Errorf("for trial %d the first is %+v", tr.Number, first)
		}
		return err
	})
	if want := "sha256:one sha256:one sha256:one sha256:one sha256:pair "; err != nil || got != want {
		t.Errorf("%s: %v", got, err)
	}
}

func TestMergeAnotherStudy(t *testing.T) {
	a, b := filled(t), filled(t)
	b.Path = filepath.Join(filepath.Dir(b.Path), "s.journal.jsonl")
	m, err := Merge(ctx, a, b)
	if err != nil || m.Added != 4 || len(m.Conflicts) > 0 {
		t.Fatalf("%+v %v", m, err)
	}
	s := read(t, a)
	if c := counts(s); c[study.Complete] != 2 || c[study.Failed] != 2 || c[study.Abandoned] != 2 ||
		c[study.Pending] != 2 {
		t.Error(c)
	}
	if _, err := tell(b, "4", 9, study.Once); err != nil {
		t.Fatal(err)
	}
	if m, err := Merge(ctx, a, b); err != nil || m.Added != 0 || m.Observed != 1 ||
		read(t, a).Trials[7].Values.Of("loss") != 9 {
		t.Errorf("%+v %v", m, err)
	}
	if _, err := tell(b, "4", 10, study.Replace); err != nil {
		t.Fatal(err)
	}
	// A correction travels; of two that know nothing of each other ours stays.
	if m, err := Merge(ctx, a, b); err != nil || len(m.Conflicts) != 0 || m.Observed != 1 ||
		read(t, a).Trials[7].Values.Of("loss") != 10 {
		t.Errorf("%+v %v", m, err)
	}
	if _, err := tell(b, "4", 33, study.Replace); err != nil {
		t.Fatal(err)
	}
	if _, err := tell(a, "8", 44, study.Replace); err != nil {
		t.Fatal(err)
	}
	if m, err := Merge(ctx, a, b); err != nil || len(m.Conflicts) != 1 || read(t, a).Trials[7].Values.Of("loss") != 44 ||
		!strings.HasSuffix(m.Conflicts[0], "is complete loss=44 here and complete loss=33 there; ours stays") {
		t.Errorf("%+v %v", m, err)
	}
	other := options(t)
	other.Space = line{"two"}
	mustAsk(t, other, "", 0.5)
	_, err = Merge(ctx, a, other)
	wantCode(t, err, study.Mismatch)
}
