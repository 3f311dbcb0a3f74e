package policy_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"bohier/internal/policy"
	"bohier/internal/study"
)

// schedule is testdata/oracles/fidelity_schedule.json: numbers of a straightforward
// simulator in another language, see the README there.
type schedule struct {
	Ladders []struct {
		Low, High, Eta, Unit float64
		Levels               []float64
	}
	Brackets []struct {
		Levels int
		Eta    float64
		Sizes  []int
	}
	Simulations []struct {
		Levels    []float64
		Trials    int
		Workers   int
		LostEvery int `json:"lost_every"`
		Values    [][]float64
		Log       [][]any
		Entries   []int
		Complete  []int
	}
	Worth []struct {
		Levels []float64
		Trials []struct {
			Start  float64
			Values []float64
		}
		Worth []struct {
			Level              float64
			Correlation, Worth string
		}
	}
}

func readSchedule(t *testing.T) (s schedule) {
	t.Helper()
	b, err := os.ReadFile("../../testdata/oracles/fidelity_schedule.json")
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil || min(len(s.Ladders), len(s.Brackets), len(s.Simulations), len(s.Worth)) == 0 {
		t.Fatalf("%v, or a section has no case", err)
	}
	return s
}

func TestLadders(t *testing.T) {
	for _, l := range readSchedule(t).Ladders {
		if got := study.Ladder(l.Low, l.High, l.Eta, l.Unit); !slices.EqualFunc(got, l.Levels,
			func(a, b float64) bool { return math.Abs(a-b) <= 1e-15*b }) {
			t.Errorf("%v…%v by %v in units of %v: %v, want %v", l.Low, l.High, l.Eta, l.Unit, got, l.Levels)
		}
	}
}

func TestBracketSizes(t *testing.T) {
	for _, b := range readSchedule(t).Brackets {
		if got := policy.Brackets(b.Levels-1, b.Eta); !slices.Equal(got, b.Sizes) {
			t.Errorf("%d levels by %v: %v, want %v", b.Levels, b.Eta, got, b.Sizes)
		}
	}
}

func TestWorthOfLevels(t *testing.T) {
	for n, w := range readSchedule(t).Worth {
		c := newCase(w.Levels)
		for _, tr := range w.Trials {
			i := c.add(tr.Start, tr.Start)
			for k, v := range tr.Values {
				c.report(i, w.Levels[k], v)
			}
		}
		got := policy.Levels(c.st, c.trials)
		for k, want := range w.Worth {
			for what, pair := range map[string][2]float64{
				"correlation": {got[k].Correlation, parse(t, want.Correlation)}, "worth": {got[k].Worth, parse(t, want.Worth)},
			} {
				if !(math.Abs(pair[0]-pair[1]) <= 1e-12) {
					t.Errorf("set %d, level %v: %s %v, want %v", n, want.Level, what, pair[0], pair[1])
				}
			}
		}
	}
}

func parse(t *testing.T, s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestLogs follows the recorded logs: workers that are served by number whenever they
// are free, with legs that take as many ticks as units.
func TestLogs(t *testing.T) {
	for n, s := range readSchedule(t).Simulations {
		c := newCase(s.Levels)
		c.st.Fidelity.Start = study.StartLow
		c.st.Budget.Trials = s.Trials
		type leg struct {
			trial  int
			until  float64
			lost   bool
			worker int
		}
		var running []leg
		var log [][5]float64 // time, worker, trial, from (−1: lost), to
		free, issued := map[int]bool{}, 0
		for w := 1; w <= s.Workers; w++ {
			free[w] = true
		}
		for now := 0.0; ; {
			for w := 1; w <= s.Workers; w++ {
				if !free[w] {
					continue
				}
				d := policy.NextLeg(c.st, c.trials, wishOf(s.Trials-len(c.trials)))
				if d.To == 0 || d.Source == policy.SourceFinish {
					continue
				}
				i := c.give(d)
				from := c.trials[i].Course.Last().From
				issued++
				free[w] = false
				running = append(running, leg{i, now + d.To - from, s.LostEvery > 0 && issued%s.LostEvery == 0, w})
				log = append(log, [5]float64{now, float64(w), float64(i + 1), from, d.To})
			}
			if len(running) == 0 {
				break
			}
			slices.SortStableFunc(running, func(a, b leg) int {
				if a.until != b.until {
					return int(a.until - b.until)
				}
				return a.worker - b.worker
			})
			now = running[0].until
			for len(running) > 0 && running[0].until == now {
				r := running[0]
				running = running[1:]
				to := c.trials[r.trial].Course.Last().To
				free[r.worker] = true
				if r.lost {
					log = append(log, [5]float64{now, float64(r.worker), float64(r.trial + 1), -1, to})
					c.abandon(r.trial)
					continue
				}
				c.report(r.trial, to, s.Values[r.trial][slices.Index(s.Levels, to)])
			}
		}
		if len(log) != len(s.Log) {
			t.Errorf("simulation %d: %d legs, want %d", n, len(log), len(s.Log))
		}
		for k := range min(len(log), len(s.Log)) {
			want := [5]float64{}
			for m, v := range s.Log[k] {
				if want[m] = -1; v != "lost" {
					want[m] = v.(float64)
				}
			}
			if log[k] != want {
				t.Fatalf("simulation %d, row %d: %v, want %v", n, k, log[k], want)
			}
		}
	}
}
