package policy

import (
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/study"
)

// Level is a level: how many trials have a value there, how many of them went on, the estimated worth of starting there
// over full trainings, and the share of all units that went to trials which got as far and no further.
type Level struct {
	Resource float64 `json:"resource"`
	Entries  int     `json:"entries"`
	Promoted int     `json:"promoted"` // entries that are judged there and went on
	// Worth is W, the expected gain of starting here over full trainings, in standard deviations.
	Worth   float64 `json:"worth"`
	Trusted bool    `json:"trusted"` // else nothing starts here, is promoted from here or judged here
	Share   float64 `json:"share"`   // of all units, that of trials which got as far and no further

	Correlation float64 `json:"-"` // ρ: estimated rank correlation with full resource
}

// Trusted marks the levels of a study that deserve trust, as Level.Trusted does.
func Trusted(st *study.Study, trials []study.Trial) []bool { return newLadder(st, trials).trusted }

// Levels describes every level of a study.
func Levels(st *study.Study, trials []study.Trial) []Level {
	l := newLadder(st, trials)
	rho, worth := l.evidence()
	out, shares := make([]Level, len(l.f.Levels)), Shares(st, trials)
	for k, r := range l.f.Levels {
		out[k] = Level{Resource: r, Share: shares[k], Correlation: rho[k], Worth: worth[k], Trusted: l.trusted[k]}
		out[k].Entries, out[k].Promoted = l.judged(k)
	}
	return out
}

// judged counts the trials with a value at a level, and of these the ones that went on.
func (l ladder) judged(level int) (entries, promoted int) {
	for i := range l.trials {
		if _, _, ok := l.f.Entry(l.trials[i].Course, level); ok {
			if entries++; l.wentOn(l.trials[i].Course, level) {
				promoted++
			}
		}
	}
	return entries, promoted
}

// Shares are the shares of all units that went to trials which got as far as each level, and
// no further; zeros where no units were spent.
func Shares(st *study.Study, trials []study.Trial) []float64 {
	f := &st.Fidelity
	out, all := make([]float64, len(f.Levels)), 0.0
	for i := range trials {
		c := trials[i].Course
		spent := f.Spent(c)
		if k := f.LevelAt(f.Resource(c)); k >= 0 {
			out[k] += spent
		}
		all += spent
	}
	for k := range out {
		if all > 0 {
			out[k] /= all
		}
	}
	return out
}

// wentOn reports whether a trial was judged at a level and went on: it has a value beyond, or
// a leg that leads there and is under way, or began there.
func (l ladder) wentOn(c *study.Course, level int) bool {
	r, last := l.f.Levels[level], c.Last()
	if level == l.f.Top() || last == nil || c.Start > r {
		return false
	}
	return l.f.Resource(c) > r || last.To > r && (!last.Ended || last.From >= r)
}

// evidence is the estimated correlation ρ of each level with full resource and the worth W of starting there.
func (l ladder) evidence() (rho, worth []float64) {
	top := l.f.Top()
	rho, worth = make([]float64, top+1), make([]float64, top+1)
	rho[top] = 1
	for k := top - 1; k >= 0; k-- {
		r := l.f.Levels
		composed := rho[k+1] * correlation(l.agreement(k, k+1, 0.5+0.5*math.Pow(r[k]/r[k+1], 0.4)))
		if rho[k] = composed; k < top-1 {
			rho[k] = correlation(l.agreement(k, top, 0.5+math.Asin(composed)/math.Pi))
		}
		trainings := 1.0
		for j := k + 1; j <= top; j++ {
			trainings += 1 - r[j-1]/r[j]
		}
		worth[k] = rho[k]*expectedBest(r[top]/r[k]) - expectedBest(trainings)
	}
	return rho, worth
}

// correlation is that of two normals whose pairs are ordered alike with probability p.
func correlation(p float64) float64 { return math.Sin(math.Pi / 2 * max(0, 2*p-1)) }

// expectedBest is the expected best of m standard normals (Blom's approximation).
func expectedBest(m float64) float64 {
	return math.Sqrt2 * math.Erfinv(2*(m-0.375)/(m+0.25)-1)
}

// agreement is the probability that levels k and j order two trials alike, from a prior
// worth three observations and the trials that nobody judged below level j.
func (l ladder) agreement(k, j int, prior float64) float64 {
	var low, high []Entry
	for i := range l.trials {
		c := l.trials[i].Course
		if c == nil || c.Start < l.f.Levels[j] {
			continue
		}
		a, okA := l.value(i, k)
		b, okB := l.value(i, j)
		if okA && okB {
			low, high = append(low, a), append(high, b)
		}
	}
	n := float64(len(low))
	if n < 2 {
		return prior
	}
	pairs := n * (n - 1) / 2
	alike := (pairs + float64(concordance(low, high))) / 2
	deviation := 0.5 * math.Sqrt(2*(2*n+5)/(9*n*(n-1)))
	return (3*prior + (n-1)*max(0, alike/pairs-deviation/2)) / (n + 2)
}

// concordance is the number of pairs that two lists order alike, less that of pairs that they
// order the other way (Knight 1966). A pair that is tied in one of them is neither.
func concordance(low, high []Entry) (sum int) {
	order := lists.Every(len(low))
	slices.SortFunc(order, func(a, b int) int { return high[a].compare(high[b]) })
	rank := make([]int, len(low)) // in high, from 1, ties alike
	for k, i := range order {
		if rank[i] = k + 1; k > 0 && high[order[k-1]].compare(high[i]) == 0 {
			rank[i] = rank[order[k-1]]
		}
	}
	slices.SortFunc(order, func(a, b int) int { return low[a].compare(low[b]) })
	tree := make([]int, len(low)+1) // counts of ranks (Fenwick 1994)
	upTo := func(r int) (n int) {
		for ; r > 0; r &= r - 1 {
			n += tree[r]
		}
		return n
	}
	for from := 0; from < len(order); {
		to := from
		for ; to < len(order) && low[order[to]].compare(low[order[from]]) == 0; to++ {
			r := rank[order[to]]
			sum += upTo(r-1) - (from - upTo(r))
		}
		for ; from < to; from++ {
			for r := rank[order[from]]; r < len(tree); r += r & -r {
				tree[r]++
			}
		}
	}
	return sum
}

// value is trial i at a level, without failures.
func (l ladder) value(i, level int) (Entry, bool) {
	o, _, ok := l.f.Entry(l.trials[i].Course, level)
	if !ok {
		return Entry{}, false
	}
	return l.judge(o, level)
}
