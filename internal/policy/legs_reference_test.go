package policy_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"bohier/internal/policy"
	"bohier/internal/study"
)

// An event is what a plain simulator keeps: the reference reads nothing else.
type event struct {
	what  string // new, promote, value, lost, infeasible, transient
	trial int
	level int // of value; reached by new and promote
	value int
}

// referencePromotion reads the whole list of events anew: who is paused where, a sort
// of every rung, the cut in integers. It returns trial −1 for none.
func referencePromotion(levels []int, events []event) (trial, level int) {
	type card struct {
		values        map[int]int
		at, to, fails int
		busy, out     bool
	}
	cards := map[int]*card{}
	for _, e := range events {
		c := cards[e.trial]
		switch e.what {
		case "new":
			cards[e.trial] = &card{values: map[int]int{}, at: -1, to: e.level, busy: true}
		case "promote":
			c.to, c.busy = e.level, true
		case "value":
			if c.values[e.level] = e.value; e.level > c.at {
				c.at, c.fails = e.level, 0
			}
			c.busy = c.busy && c.at < c.to
		case "lost", "transient":
			c.busy = false
			if c.out = c.at < 0; e.what == "transient" {
				c.fails++
			}
		case "infeasible":
			c.busy, c.out = false, true
			if c.at < c.to {
				c.values[c.to] = 1 << 40
			}
		}
	}
	for k := len(levels) - 2; k >= 0; k-- {
		var rung []int
		for i, c := range cards {
			if _, in := c.values[k]; in {
				rung = append(rung, i)
			}
		}
		slices.SortFunc(rung, func(a, b int) int {
			if d := cards[a].values[k] - cards[b].values[k]; d != 0 {
				return d
			}
			return a - b
		})
		for _, i := range rung[:len(rung)*levels[k]/levels[k+1]] {
			if c := cards[i]; c.at == k && !c.busy && !c.out && c.fails < 2 {
				return i, k + 1
			}
		}
	}
	return -1, 0
}

// referenceStart reads the events anew: of the brackets the one that has got least of its
// size, by fractions of integers.
func referenceStart(rule string, levels []int, eta int, events []event) int {
	top := len(levels) - 1
	if rule == study.SchedulerNone {
		return top
	}
	if rule == study.SchedulerASHA {
		return 0
	}
	started, at, reached := make([]int, top+1), map[int]int{}, map[int]bool{}
	for _, e := range events {
		switch e.what {
		case "new":
			at[e.trial] = e.level
			started[e.level]++
		case "value":
			reached[e.trial] = true
		case "lost", "transient":
			if !reached[e.trial] { // it may be made again
				started[at[e.trial]]--
			}
		}
	}
	best, size, given := 0, 0, 1
	for k := range levels {
		power := 1
		for range top - k {
			power *= eta
		}
		n := ((top+1)*power + top - k) / (top + 1 - k) // rounded up
		if n*given > size*(2*started[k]+1) {
			best, size, given = k, n, 2*started[k]+1
		}
	}
	return best
}

// TestAgainstReference holds every promotion and every start of random studies of asha, hyperband and none against the
// reference: ties, lost and failing legs, corrections, late values, 1 to 64 workers.
func TestAgainstReference(t *testing.T) {
	studies := 200
	if os.Getenv("BOHIER_SOAK") != "" {
		studies = 12000
	}
	promotions := 0
	for n := range studies {
		rule := []string{study.SchedulerASHA, study.SchedulerHyperband, study.SchedulerASHA, study.SchedulerNone}[n%4]
		promotions += randomStudy(t, rand.New(rand.NewPCG(uint64(n), 19)), rule)
	}
	if promotions < studies/2 {
		t.Errorf("%d promotions in %d studies: the test is idle", promotions, studies)
	}
}

func randomStudy(t *testing.T, rng *rand.Rand, rule string) (promotions int) {
	levels := []int{1 + rng.IntN(3)}
	for range 1 + rng.IntN(4) {
		levels = append(levels, levels[len(levels)-1]*(2+rng.IntN(3))+rng.IntN(2))
	}
	var resources []float64
	for _, r := range levels {
		resources = append(resources, float64(r))
	}
	c := newCase(resources)
	c.st.Fidelity.Scheduler, c.st.Fidelity.Start = rule, study.StartLow
	workers, most := 1+rng.IntN(64), 5+rng.IntN(40)
	var events []event
	for range 4 * most {
		busy := c.pending()
		if len(busy) < workers && rng.IntN(3) > 0 {
			d := policy.NextLeg(c.st, c.trials, wishOf(most-len(c.trials)))
			if d.Source == policy.SourceFinish {
				d = study.Task{}
			}
			trial, level := referencePromotion(levels, events)
			got := d.Trial - 1
			if got != trial || trial >= 0 && d.To != resources[level] {
				t.Fatalf("levels %v: promoted %d to %v, the reference %d to %d\n%v", levels, got, d.To, trial, level, events)
			}
			switch {
			case d.Trial > 0:
				promotions++
				events = append(events, event{what: "promote", trial: c.give(d), level: level})
			case d.To > 0:
				start := slices.Index(resources, d.Start)
				if want := referenceStart(rule, levels, int(c.st.Fidelity.Eta), events); start != want || d.To != d.Start {
					t.Fatalf("%s, levels %v: a new trial from %v to %v, the reference at %d\n%v", rule, levels, d.Start, d.To,
						levels[want], events)
				}
				events = append(events, event{what: "new", trial: c.give(d), level: start})
			}
			continue
		}
		if len(busy) == 0 {
			continue
		}
		i := busy[rng.IntN(len(busy))]
		to := slices.Index(resources, c.trials[i].Course.Last().To)
		v := rng.IntN(12) // many ties
		switch rng.IntN(12) {
		case 0:
			c.abandon(i)
			events = append(events, event{what: "lost", trial: i})
		case 1:
			c.fail(i, study.Infeasible)
			events = append(events, event{what: "infeasible", trial: i})
		case 2:
			c.fail(i, study.Transient)
			events = append(events, event{what: "transient", trial: i})
		case 3: // a correction of any trial that has the value
			k := rng.IntN(len(levels))
			if i = rng.IntN(len(c.trials)); c.trials[i].Course.Find(resources[k]) != nil {
				c.trials[i].Course = c.trials[i].Course.Clone()
				c.trials[i].Course.Put(study.Point{Resource: resources[k],
					Observation: study.Observation{Values: study.Values{{Name: "f", Value: float64(v)}}}})
				events = append(events, event{what: "value", trial: i, level: k, value: v})
			}
		default:
			c.report(i, resources[to], float64(v))
			events = append(events, event{what: "value", trial: i, level: to, value: v})
		}
	}
	return promotions
}

// TestStopping holds verdicts of stopping and of the median rule against ones written down from their definitions.
func TestStopping(t *testing.T) {
	levels := []int{1, 3, 9, 27}
	stopped := map[string]int{}
	studies := 300
	if os.Getenv("BOHIER_SOAK") != "" {
		studies = 10000
	}
	for n := range studies {
		rng := rand.New(rand.NewPCG(uint64(n), 20))
		rule := []string{study.SchedulerStopping, study.SchedulerMedian}[n%2]
		c := newCase([]float64{1, 3, 9, 27})
		c.st.Fidelity.Scheduler, c.st.Fidelity.Start, c.st.Fidelity.Probes = rule, study.StartLow, rng.IntN(3)
		values := map[int][]int{}
		for range 120 {
			busy := c.pending()
			if len(busy) == 0 || len(busy) < 4 && rng.IntN(2) == 0 {
				i := c.give(policy.NextLeg(c.st, c.trials, policy.Wish{}))
				values[i] = nil
				continue
			}
			i := busy[rng.IntN(len(busy))]
			k := len(values[i])
			v := rng.IntN(9)
			values[i] = append(values[i], v)
			got := c.report(i, float64(levels[k]), float64(v))
			want := study.VerdictGo
			switch straight := i < c.st.Fidelity.Probes; {
			case k == 3:
				want = study.VerdictDone
			case straight:
			case rule == study.SchedulerStopping:
				all, ahead := 0, 0
				for m, vs := range values {
					if len(vs) > k {
						if all++; vs[k] < v || vs[k] == v && m < i {
							ahead++
						}
					}
				}
				if ahead >= (all+2)/3 { // place ahead+1 beyond ⌈all/3⌉
					want = study.VerdictStop
				}
			case k >= 1:
				var means []float64
				for m, vs := range values {
					if m != i && len(vs) > k {
						sum := 0
						for _, w := range vs[:k+1] {
							sum += w
						}
						means = append(means, float64(sum)/float64(k+1))
					}
				}
				slices.Sort(means)
				if n := len(means); n >= 5 && float64(slices.Min(values[i])) > (means[(n-1)/2]+means[n/2])/2 {
					want = study.VerdictStop
				}
			}
			if got != want {
				t.Fatalf("%s: trial %d says %d at level %d: %s, want %s\n%v", rule, i, v, k, got, want, values)
			}
			if want == study.VerdictStop {
				stopped[rule]++
			}
		}
	}
	if stopped[study.SchedulerStopping] < 100 || stopped[study.SchedulerMedian] < 100 {
		t.Errorf("too few were stopped for a test: %v", stopped)
	}
}

// A trial that starts higher is judged from its start on, whatever it reports below.
func TestJudgedFromTheStartOn(t *testing.T) {
	for _, rule := range []string{study.SchedulerStopping, study.SchedulerMedian} {
		c := newCase([]float64{1, 3, 9, 27})
		c.st.Fidelity.Scheduler = rule
		for range 6 {
			i := c.add(1, 27)
			for _, r := range []float64{1, 3, 9} {
				c.report(i, r, 0)
			}
		}
		late := c.add(9, 27)
		if below, then := c.report(late, 3, 5), c.report(late, 9, 5); below != study.VerdictGo || then != study.VerdictStop {
			t.Errorf("%s: a trial from 9 on that is worse than others: %s at 3, %s at 9", rule, below, then)
		}
	}
}

// TestInvariants lets random operations happen and looks at what may never be.
func TestInvariants(t *testing.T) {
	operations := 8000
	if os.Getenv("BOHIER_SOAK") != "" {
		operations = 150000
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for n := 0; n < operations; {
		c := newCase([]float64{1, 3, 7, 19, 52})
		c.st.Fidelity.Probes = rng.IntN(4)
		c.st.Fidelity.Start = []string{study.StartAuto, study.StartLow, study.StartSpread}[rng.IntN(3)]
		c.st.Fidelity.Scheduler = []string{study.SchedulerASHA, study.SchedulerStopping, study.SchedulerHyperband,
			study.SchedulerMedian, study.SchedulerNone}[rng.IntN(5)]
		c.st.Fidelity.Resume = rng.IntN(2) == 0
		c.st.Budget.Resource = float64(52 + rng.IntN(1500))
		idle := false
		for step := 0; step < 400 && !idle; step++ {
			n++
			busy := c.pending()
			if len(busy) < 4 && rng.IntN(2) == 0 || len(busy) == 0 {
				d := policy.NextLeg(c.st, c.trials, policy.Wish{})
				if d.To == 0 {
					if idle = len(busy) == 0; idle && d.Waiting {
						t.Fatal("nobody is at work and somebody is waited for")
					}
					continue
				}
				if d.Trial > 0 {
					checkPromotion(t, c, d)
				}
				c.give(d)
				if spent := policy.Spent(c.st, c.trials); spent > c.st.Budget.Resource {
					t.Fatalf("%v units given out of %v", spent, c.st.Budget.Resource)
				}
				continue
			}
			i := busy[rng.IntN(len(busy))]
			before := c.st.Fidelity.Resource(c.trials[i].Course)
			switch rng.IntN(10) {
			case 0:
				c.abandon(i)
			case 1:
				c.fail(i, study.Transient)
			case 2:
				c.fail(i, study.Infeasible)
			default:
				k := c.st.Fidelity.LevelAt(before) + 1
				c.report(i, c.st.Fidelity.Levels[k], rng.NormFloat64())
			}
			if now := c.st.Fidelity.Resource(c.trials[i].Course); now < before {
				t.Fatalf("the resource of a trial fell from %v to %v", before, now)
			}
		}
	}
}

func checkPromotion(t *testing.T, c *bench, d study.Task) {
	t.Helper()
	tr := &c.trials[d.Trial-1]
	k := c.st.Fidelity.LevelAt(c.st.Fidelity.Resource(tr.Course))
	if tr.State != study.Paused || tr.Course.Barred() {
		t.Fatalf("promoted a trial that is %s", tr.State)
	}
	rung := policy.Rung(c.st, c.trials, k)
	place := slices.IndexFunc(rung, func(e policy.Entry) bool { return e.Trial == d.Trial-1 })
	most := int(float64(len(rung)) * c.st.Fidelity.Levels[k] / c.st.Fidelity.Levels[k+1])
	if d.Source == policy.SourcePromotion && place >= most {
		t.Fatalf("place %d of %d was promoted, only %d may be", place+1, len(rung), most)
	}
}
