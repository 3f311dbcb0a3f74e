package journal

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bohier/internal/study"
)

// mergeWorld is several journals of one study, some of them copies of others, that people go on with and merge.
type mergeWorld struct {
	t        *testing.T
	r        *rand.Rand
	m        *memFS
	journals []Options
	ticks    int
	value    float64
	careful  bool               // a trial's outcome is reported and corrected in one journal only
	home     map[string]int     // by origin: that journal
	told     map[string]float64 // by origin: the outcome that counts, when careful
	further  map[float64]string // further measurements: of which trial
}

func (w *mergeWorld) add() int {
	i := len(w.journals)
	o := memOptions(w.m, w.r.Uint64())
	o.Path = fmt.Sprintf("/d/%d.jsonl", i)
	o.Now = func() time.Time { w.ticks++; return clockTime.Add(time.Duration(w.ticks) * time.Millisecond) }
	w.journals = append(w.journals, o)
	return i
}

func (w *mergeWorld) update(i int, decide func(s *State) ([]Record, error)) {
	w.t.Helper()
	update(w.t, w.journals[i], decide)
}

// act does something in journal i.
func (w *mergeWorld) act(i int) {
	s := read(w.t, w.journals[i])
	if len(s.Trials) == 0 || w.r.IntN(4) == 0 {
		w.update(i, func(s *State) ([]Record, error) {
			w.value++
			number := s.NextNumber()
			params := json.RawMessage(fmt.Sprintf(`{"x":%v}`, w.value))
			recs := []Record{{Kind: KindSuggest, Trial: number, Tag: s.tag(), Params: params, Worker: "w"}}
			w.home[mergeKey(s.Run, fmt.Sprintf("%d-%s", number, recs[0].Tag))] = i
			return recs, nil
		})
		return
	}
	t := s.Trials[w.r.IntN(len(s.Trials))]
	from := origin(s, &t)
	home := w.home[from] == i || !w.careful
	w.value++
	switch k := w.r.IntN(6); {
	case k == 0 && t.State == study.Pending && home:
		w.update(i, func(s *State) ([]Record, error) { recs, _, err := s.Abandon(t.ID(), ""); return recs, err })
	case k == 1 && t.State == study.Pending:
		w.update(i, func(s *State) ([]Record, error) { return s.Return([]study.Trial{t}, ""), nil })
	case k == 2 && t.State == study.Complete:
		w.further[w.value] = from
		w.tell(i, t.ID(), study.Replicate)
	case k < 4 && home && t.State == study.Complete:
		maps.DeleteFunc(w.further, func(v float64, of string) bool { return of == from && has(&t, v) })
		w.told[from] = w.value
		w.tell(i, t.ID(), study.Replace)
	case home && (t.State == study.Pending || t.State == study.Abandoned):
		w.told[from] = w.value
		w.tell(i, t.ID(), study.Once)
	}
}

func (w *mergeWorld) tell(i int, id string, mode study.Mode) {
	if _, err := tell(w.journals[i], id, w.value, mode); err != nil {
		w.t.Fatal(err)
	}
}

func (w *mergeWorld) merge(to, from int) int {
	before := read(w.t, w.journals[to]).Seq
	if _, err := Merge(ctx, w.journals[to], w.journals[from]); err != nil {
		w.t.Fatal(err)
	}
	return read(w.t, w.journals[to]).Seq - before
}

// measured is the values of a trial: the outcome first, then the further ones in order.
func measured(t *study.Trial) []float64 {
	var out []float64
	if v, ok := t.Values.Get("loss"); ok {
		out = append(out, v)
	}
	for _, o := range t.Replicates {
		out = append(out, o.Values.Of("loss"))
	}
	if len(out) > 1 {
		slices.Sort(out[1:])
	}
	return out
}

func has(t *study.Trial, v float64) bool { return slices.Contains(measured(t), v) }

// all is what a journal says of each trial, by origin.
func (w *mergeWorld) all(i int) map[string][]float64 {
	s := read(w.t, w.journals[i])
	out := map[string][]float64{}
	for k := range s.Trials {
		t := &s.Trials[k]
		if _, twice := out[origin(s, t)]; twice {
			w.t.Fatalf("journal %d has %s twice\n%s", i, origin(s, t), w.m.bytes(w.journals[i].Path))
		}
		out[origin(s, t)] = measured(t)
	}
	return out
}

// However journals are copied, gone on with and merged: when all are merged both ways until nothing comes any more,
// each has every trial and every measurement once.
func TestMergeConverges(t *testing.T) {
	t.Parallel()
	acts, merges := 0, 0
	for seed := range uint64(soak(30, 5000)) {
		w := &mergeWorld{t: t, r: newRand(seed), m: newMemFS(), careful: seed%3 > 0,
			home: map[string]int{}, told: map[string]float64{}, further: map[float64]string{}}
		w.act(w.add())
		for range 30 {
			i := w.r.IntN(len(w.journals))
			switch k := w.r.IntN(12); {
			case k == 0 && len(w.journals) < 4: // a copy
				data := w.m.bytes(w.journals[i].Path)
				w.m.set(w.journals[w.add()].Path, &inode{data: data, disk: data, lock: map[int64]*memFile{}})
			case k == 1 && len(w.journals) < 4: // another study
				w.act(w.add())
			case k == 2:
				if from := w.r.IntN(len(w.journals)); from != i {
					w.merge(i, from)
					merges++
				}
			default:
				w.act(i)
				acts++
			}
		}
		// All pairs, in any order, until nothing comes any more.
		n := len(w.journals)
		for round := 0; ; round++ {
			came := 0
			for _, p := range w.r.Perm(n * n) {
				if p/n != p%n {
					came += w.merge(p/n, p%n)
				}
			}
			if came == 0 {
				break
			}
			if round > n {
				t.Fatalf("seed %d: %d records came in round %d", seed, came, round)
			}
		}
		first := w.all(0)
		for i := range w.journals {
			got := w.all(i)
			if len(got) != len(w.home) {
				t.Fatalf("seed %d: journal %d has %d trials of %d", seed, i, len(got), len(w.home))
			}
			for from, values := range got {
				want := first[from]
				if w.careful && !slices.Equal(values, want) {
					t.Fatalf("seed %d: %s is %v in journal %d and %v in journal 0", seed, from, values, i, want)
				}
				if len(slices.Compact(slices.Sorted(slices.Values(values)))) != len(values) {
					t.Fatalf("seed %d: journal %d has of %s %v", seed, i, from, values)
				}
				if told, ok := w.told[from]; ok && w.careful && (len(values) == 0 || values[0] != told) {
					t.Fatalf("seed %d: %s is %v in journal %d, told was %v", seed, from, values, i, told)
				}
			}
			for v, from := range w.further {
				if w.careful && !slices.Contains(got[from], v) {
					t.Fatalf("seed %d: journal %d lacks %v of %s, has %v", seed, i, v, from, got[from])
				}
			}
		}
	}
	figure(t, "merged histories, acts", acts, soak(600, 100000))
	figure(t, "merges between", merges, soak(25, 6000))
}

// The two journals of a pair merged both ways, again and again.
func TestMergeBothWays(t *testing.T) {
	a := filled(t)
	for name, b := range map[string]Options{"a copy": options(t), "another study": filled(t)} {
		t.Run(name, func(t *testing.T) {
			if name == "a copy" {
				write(t, b.Path, content(t, a.Path))
			}
			mustAsk(t, a, "", 0.5)
			mustAsk(t, b, "", 0.625)
			want := 0
			for round := range 5 {
				for _, pair := range [][2]Options{{a, b}, {b, a}} {
					m, err := Merge(ctx, pair[0], pair[1])
					if err != nil || round > 0 && m.Added+m.Observed > 0 {
						t.Fatalf("round %d: %+v %v", round, m, err)
					}
				}
				if n := len(read(t, a).Trials); want == 0 {
					want = n
				}
				if x, y := len(read(t, a).Trials), len(read(t, b).Trials); x != want || y != want {
					t.Fatalf("round %d: %d and %d trials, not %d", round, x, y, want)
				}
			}
		})
	}
}

// Parts of many trials are merged as one: each trial once, with its outcome, and none again.
func TestMergeInParts(t *testing.T) {
	const n = partOfMerged + partOfMerged/2
	m := newMemFS()
	from, to := memOptions(m, 1), memOptions(m, 2)
	from.Path = "/d/other.jsonl"
	update(t, from, func(s *State) ([]Record, error) {
		list := make([]study.Addition, n)
		for k := range list {
			list[k] = addition(fmt.Appendf(nil, `{"x":%d}`, k), value(float64(k)))
		}
		recs, _, err := s.Add(list)
		return recs, err
	})
	update(t, from, func(s *State) ([]Record, error) { // the first and the last one again, as if they had come back from a copy
		first, last := value(7), value(7)
		first.Key, last.Key = mergeKey(s.Run, s.Trials[0].ID()), mergeKey(s.Run, s.Trials[n-1].ID())
		recs, _, err := s.Add([]study.Addition{addition([]byte(`{"x":0}`), first), addition([]byte(`{"x":0}`), last)})
		return recs, err
	})
	late := mustAsk(t, from, "", 0.25) // it is observed when all others are
	update(t, from, func(s *State) ([]Record, error) {
		recs, _, err := s.Add(slices.Repeat([]study.Addition{addition([]byte(`{"x":1}`), value(1))}, 2*partOfMerged))
		return recs, err
	})
	if _, err := tell(from, late.ID(), n, study.Once); err != nil {
		t.Fatal(err)
	}
	mustAsk(t, to, "", 0.5)
	for _, want := range []struct{ added, conflicts int }{{n + 1 + 2*partOfMerged, 0}, {0, 2}} {
		rep, err := Merge(t.Context(), to, from)
		if err != nil || rep.Added != want.added || rep.Observed != 0 || len(rep.Conflicts) != want.conflicts {
			t.Fatalf("merged %+v, %v, want %+v", rep, err, want)
		}
	}
	trials := read(t, to).Trials
	if len(trials) != 1+n+1+2*partOfMerged {
		t.Fatalf("%d trials", len(trials))
	}
	for k, tr := range trials[1 : n+2] {
		if v, ok := tr.Values.Get("loss"); tr.Number != k+2 || !ok || v != float64(k) {
			t.Fatalf("trial %s has the value %v, want %d", tr.ID(), v, k)
		}
	}
}

// Records about a trial lie anywhere in a journal that is longer than what is in memory at once, and those of a newer
// program may name trials that are none.
func TestMergeFindsScatteredRecords(t *testing.T) {
	const n = partOfMerged + 2
	m := newMemFS()
	from, to := memOptions(m, 1), memOptions(m, 2)
	from.Path = "/d/other.jsonl"
	long := strings.Repeat("long", maxLine/5)
	update(t, from, func(*State) ([]Record, error) {
		recs := make([]Record, 0, 3*n)
		for k := range n {
			recs = append(recs, Record{Kind: KindSuggest, Trial: k + 1, Tag: "k3f9", Params: json.RawMessage(`{"x":1}`)})
			if k%(n/4) == 0 {
				recs = append(recs, Record{Kind: KindRemark, Trial: k + 1, Tag: "k3f9", Note: long, Optional: true})
			}
		}
		for k := n; k > 0; k-- {
			recs = append(recs, Record{Kind: KindObserve, Trial: k, Tag: "k3f9", State: study.Complete,
				Values: value(float64(k)).Values})
		}
		for k := range 9 { // of the first and the last part
			recs = append(recs, Record{Kind: KindReplace, Trial: 1 + k*(n-1)/8, Tag: "k3f9", State: study.Complete,
				Values: value(float64(-k)).Values})
		}
		return recs, nil
	})
	data := m.bytes(from.Path)
	if len(data) < window+maxLine/4 {
		t.Fatalf("%d bytes are no long journal", len(data))
	}
	s := read(t, from)
	first := forge(s.Seq+1, s.pos().Sum, fmt.Sprintf(`"t":"sing","trial":%d,"optional":true`, n+1))
	sum, _ := Sum(first[:len(first)-1])
	data = append(append(data, first...), forge(s.Seq+2, sum, `"t":"sing","trial":9000,"optional":true`)...)
	m.set(from.Path, &inode{data: data, disk: data, lock: map[int64]*memFile{}})
	for _, want := range []int{n, 0} {
		if rep, err := Merge(t.Context(), to, from); err != nil || rep.Added != want || rep.Observed != 0 {
			t.Fatalf("merged %+v, %v, want %d", rep, err, want)
		}
	}
	got := read(t, to).Trials
	if len(got) != n {
		t.Fatalf("%d trials", len(got))
	}
	same := func(a, b study.Remark) bool { return a.Text == b.Text }
	for k, want := range s.Trials {
		if g := &got[k]; !slices.Equal(g.Values, want.Values) || !slices.EqualFunc(g.Remarks, want.Remarks, same) {
			t.Fatalf("trial %d has %v and %d remarks, want %v and %d", k+1, g.Values, len(g.Remarks), want.Values,
				len(want.Remarks))
		}
	}
}

// A part is the same when it is decided again, because another process was faster.
func TestMergeIsDecidedAgain(t *testing.T) {
	m := merging{from: filled(t).defaults()}
	end, err := m.read(t.Context())
	must(t, err)
	defer end()
	to := read(t, options(t))
	for range 2 {
		must(t, m.begin(to))
		trials, err := m.next()
		if err != nil || len(trials) != 4 || len(m.merge(to, trials)) == 0 || m.rep.Added != 4 {
			t.Fatal(trials, m.rep, err)
		}
	}
}

// A report that came late at a lower resource keeps what was measured beside it, and the one before it gets none of that.
func TestMergedLateReport(t *testing.T) {
	t.Parallel()
	from, to := options(t), options(t)
	from.Study, to.Study = upTo(9), upTo(9)
	update(t, from, func(*State) ([]Record, error) {
		early := Record{Kind: KindReport, Trial: 1, Tag: "k3f9", Leg: 1, Resource: 9, State: study.Complete,
			Verdict: study.VerdictDone, Values: study.Values{{Name: "loss", Value: 0.5}}}
		late := early
		late.Resource = 2
		return []Record{{Kind: KindSuggest, Trial: 1, Tag: "k3f9", Params: json.RawMessage(`{"x":0.5}`), Source: "design",
			Start: 9, To: 9}, early, late, {Kind: KindMeasure, Trial: 1, Tag: "k3f9", Optional: true,
			Metrics: study.Metrics{{Name: "acc", Value: 0.25}}}}, nil
	})
	if _, err := Merge(ctx, to, from); err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{from, to} {
		for _, p := range read(t, o).Trials[0].Course.Points {
			if measured := len(p.Metrics) > 0; measured != (p.Resource == 2) {
				t.Errorf("%s: at %v: %+v", o.Path, p.Resource, p.Metrics)
			}
		}
	}
}

// Of a long curve in one report as many points are kept as a record takes: the ends, those at levels, those with more
// than a value, and others evenly between.
func TestLongReportsAreThinned(t *testing.T) {
	f := &study.Fidelity{Name: "epochs", Levels: []float64{10, 100, 1000}, Kind: study.FidelityCurve}
	curve := func(n int) []study.Point {
		out := make([]study.Point, n)
		for k := range out {
			out[k] = study.Point{Resource: float64(k + 1), Observation: value(1 / float64(k+1)).Observation}
		}
		return out
	}
	if got := thin(curve(curveMost), f); len(got) != curveMost {
		t.Errorf("of %d points %d are kept", curveMost, len(got))
	}
	got := thin(curve(1000), f)
	at := map[float64]bool{}
	for i, p := range got {
		if at[p.Resource] = true; i > 0 && p.Resource-got[i-1].Resource > 6 {
			t.Errorf("nothing is kept from %v to %v", got[i-1].Resource, p.Resource)
		}
	}
	if len(got) > curveMost || !at[1] || !at[10] || !at[100] || !at[1000] {
		t.Errorf("%d points, or an end or a level is missing: %v", len(got), at)
	}
	costly := curve(1000)
	costly[501].Cost = new(2.5)
	if got := thin(costly, f); !slices.ContainsFunc(got, func(p study.Point) bool { return p.Cost != nil }) {
		t.Error("a cost is left out")
	}
	if f.Kind = study.FidelityFolds; len(thin(curve(1000), f)) != 1000 {
		t.Error("folds are left out")
	}
}

// Points of a curve that have a value alone are merged in the record of the next one, as they are observed; those
// of a long one in several.
func TestMergedCurves(t *testing.T) {
	t.Parallel()
	from, to := options(t), options(t)
	from.Study, to.Study = upTo(1000), upTo(1000)
	cost := 2.5
	update(t, from, func(*State) ([]Record, error) {
		recs := []Record{{Kind: KindSuggest, Trial: 1, Tag: "k3f9", Params: json.RawMessage(`{"x":0.5}`), Source: "design",
			Start: 1000, To: 1000}}
		for k := range 2*curveMost + 7 {
			r := Record{Kind: KindReport, Trial: 1, Tag: "k3f9", Leg: 1, Resource: float64(k + 1), State: study.Pending,
				Verdict: study.VerdictGo, Values: study.Values{{Name: "loss", Value: 1 / float64(k+1)}}}
			if k == 3 {
				r.Cost = &cost
			}
			recs = append(recs, r)
		}
		return recs, nil
	})
	parted := options(t)
	parted.Study = upTo(1000)
	if _, err := Copy(ctx, from, parted); err != nil {
		t.Fatal(err)
	}
	update(t, from, func(*State) ([]Record, error) {
		end := Record{Kind: KindReport, Trial: 1, Tag: "k3f9", Leg: 1, Resource: 999, State: study.Pending,
			Verdict: study.VerdictGo, Values: study.Values{{Name: "loss", Value: 0.25}}}
		done := end
		done.Resource, done.State, done.Verdict = 1000, study.Complete, study.VerdictDone
		return []Record{end, done}, nil
	})
	want := read(t, from).Trials[0]
	for _, c := range []struct {
		to                       Options
		added, observed, records int
	}{{to, 1, 0, 2 + 4}, {to, 0, 0, 2 + 4}, {parted, 0, 2, 2 + 2*curveMost + 7 + 1}} {
		rep, err := Merge(ctx, c.to, from)
		if err != nil || rep.Added != c.added || rep.Observed != c.observed {
			t.Fatalf("merged %+v, %v, want %+v", rep, err, c)
		}
		s := read(t, c.to)
		same := func(p, q study.Point) bool {
			return p.Resource == q.Resource && sameObservation(p.Observation, q.Observation)
		}
		if got := s.Trials[0]; got.State != study.Complete ||
			!slices.EqualFunc(got.Course.Points, want.Course.Points, same) {
			t.Errorf("%s: %+v became %+v", got.State, want.Course, got.Course)
		}
		if s.Seq != c.records {
			t.Errorf("%d records, want %d", s.Seq, c.records)
		}
	}
}
