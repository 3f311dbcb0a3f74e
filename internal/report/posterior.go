package report

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/study"
)

type (
	// Measurements summarises the measurements of one configuration: how often, the mean of each
	// outcome, and the sample standard deviation of each measured more than once.
	Measurements struct {
		N    int          `json:"n"`
		Mean study.Values `json:"mean"`
		Std  study.Values `json:"std"`
	}

	// Luckiest is the trial with the best value, where it is not the leader's, with the posterior of its configuration.
	Luckiest struct {
		Trial     int            `json:"trial"`
		ID        string         `json:"id"`
		Value     float64        `json:"value"`
		Posterior study.Estimate `json:"posterior"`
	}
)

// Measure summarises the named outcomes of measurements.
func Measure(names []string, list []study.Measurement) Measurements {
	m := Measurements{N: len(list), Mean: study.Values{}, Std: study.Values{}}
	for _, name := range names {
		var mean, squares, n float64 // Welford's recurrence
		for _, o := range list {
			v, ok := o.Values.Get(name)
			if !ok {
				continue
			}
			n++
			d := v - mean
			mean += v/n - mean/n // d could overflow
			squares += d * (v - mean)
		}
		if n > 0 && !math.IsInf(mean, 0) && !math.IsNaN(mean) {
			m.Mean.Set(name, mean)
		}
		if sd := math.Sqrt(squares / (n - 1)); n > 1 && !math.IsInf(sd, 0) && !math.IsNaN(sd) {
			m.Std.Set(name, sd)
		}
	}
	return m
}

// A Repeated is the measurements of every trial's configuration, by number (Study.Measurements).
type Repeated map[int][]study.Measurement

// Of summarises the measurements of a trial's configuration; nil for one.
func (r Repeated) Of(st *study.Study, t *study.Trial) *Measurements {
	if len(r[t.Number]) < 2 {
		return nil
	}
	return new(Measure(st.Outcomes(), r[t.Number]))
}

// mark gives a leader's object the reason of its lead; the first one of a board says by whose judgement, and names the
// luckiest.
func mark(st *study.Study, t *Trial, b *study.Leaderboard) {
	k := slices.IndexFunc(b.Leaders, func(l study.Leader) bool { return l.Trial.Number == t.Trial })
	if k < 0 {
		return
	}
	l, objective := &b.Leaders[k], st.Objective().Name
	t.By = "posterior"
	if !math.IsNaN(l.Probability) {
		t.ProbabilityBest = &l.Probability
	}
	if b.Front != nil {
		t.Rank, t.Posterior = 1, &study.Posterior{Objectives: l.Believed}
		return
	}
	t.Posterior = &study.Posterior{Estimate: new(l.Believed[objective])}
	if of := b.Luckiest; k == 0 && of != nil {
		lucky := of.Luckiest
		t.Luckiest = &Luckiest{lucky.Number, lucky.ID(), lucky.Values.Of(objective), of.Believed[objective]}
	}
}

// words is the mean of an outcome, with the sample standard deviation of several values.
func (m *Measurements) words(name string) string {
	if m == nil {
		return ""
	}
	mean, ok := m.Mean.Get(name)
	switch sd, several := m.Std.Get(name); {
	case !ok:
		return ""
	case several:
		return PlusMinus(mean, sd)
	}
	return Rounded(mean)
}

// rows are the means of outcomes that were measured several times, in words, with their names.
func (m *Measurements) rows(st *study.Study) [][]string {
	return lists.Some(st.Outcomes(), func(n string) ([]string, bool) {
		sd, ok := m.Std.Get(n)
		return []string{fmt.Sprintf("mean %s of %d", n, m.N), PlusMinus(m.Mean.Of(n), sd)}, ok
	})
}

// NoiseWords describes the noise, and of one objective how sure the leader is and whose value was luck.
func NoiseWords(b *study.Leaderboard) []string { return sentences("noise", b) }
