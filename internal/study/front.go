package study

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/pareto"
)

// A Front is the feasible complete trials that no other one dominates.
type Front struct {
	Trials     []Trial     // sorted by the first objective, ties by number
	Vectors    [][]float64 // their values, less is better
	Reference  []float64   // in the objectives' own units: worse values have no volume
	Origins    []Origin    // of the parts of Reference
	Unbeaten   bool        // no trial is better than all that the study file gives
	Volume     float64     // hypervolume up to Reference
	Normalised float64     // the same as a share of that between the ideal point and Reference

	units []int     // of the objectives, see pareto.Units
	ref   []float64 // Reference in those units, less is better
	scale float64   // the factor from a volume in those units to the normalised one
}

// A Standing holds the trials that can be on a front, with the values that count: the measured ones
// or, where those are noisy, the posterior means of now. Whatever is shown of a front, of ranks and
// of hypervolumes comes from one standing, so that all of it agrees.
type Standing struct {
	Study   *Study
	Trials  []*Trial    // by number
	Vectors [][]float64 // by trial, less is better
	// Again has, by number, the trials that measured the configuration of one of Trials again, and the index of that one:
	// the posterior is that of both. It is nil where values are as they were measured.
	Again map[int]int
	// Deviations are those of the posterior of an only objective, by trial.
	Deviations []float64

	front  *Front      // once it was found
	places map[int]int // of Trials and their repeats, by number, once one was asked for
	// The latest answer of Growth, and the trials that it was asked about.
	grown  []*Trial
	growth []float64
}

// Standing is that of the measured values: the feasible complete trials with all objectives.
func (st *Study) Standing(trials []*Trial) *Standing {
	s := &Standing{Study: st}
	for _, t := range trials {
		if st.Counts(t) {
			s.Trials, s.Vectors = append(s.Trials, t), append(s.Vectors, st.Vector(t))
		}
	}
	return s
}

// Believed reports whether posterior means count.
func (s *Standing) Believed() bool { return s.Again != nil }

// Of is the value of the first objective that counts for a trial; false: the trial cannot be the best.
func (s *Standing) Of(t *Trial) (e Estimate, ok bool) {
	if !s.Believed() {
		return Estimate{Mean: t.Values.Of(s.Study.Objective().Name)}, s.Study.Counts(t)
	}
	if s.places == nil {
		s.places = maps.Clone(s.Again)
		for k, t := range s.Trials {
			s.places[t.Number] = k
		}
	}
	k, ok := s.places[t.Number]
	if ok {
		e.Mean = s.Study.Objective().Direction.Sign() * s.Vectors[k][0]
	}
	if ok && s.Deviations != nil {
		e.Std = s.Deviations[k]
	}
	return e, ok
}

// Best are the first n of the front, or of one objective the n best, best first, ties by number or, with
// posterior means, in their order.
func (s *Standing) Best(n int) []Trial {
	if s.Study.Several() {
		if f := s.Front(); f != nil {
			return f.Trials[:min(n, len(f.Trials))]
		}
		return nil
	}
	best := s.Study.First(s.Trials, n)
	if s.Believed() {
		order := lists.Every(len(s.Trials))
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Vectors[a][0], s.Vectors[b][0]) })
		best = lists.At(s.Trials, order[:min(n, len(order))])
	}
	return lists.Of(best, func(t *Trial) Trial { return *t })
}

// Front finds the front, once; nil where there are no trials.
func (s *Standing) Front() *Front {
	if len(s.Trials) == 0 || s.front != nil {
		return s.front
	}
	on := pareto.Front(s.Vectors)
	slices.SortFunc(on, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.Vectors[a][0], s.Vectors[b][0]), cmp.Compare(s.Trials[a].Number, s.Trials[b].Number))
	})
	f := &Front{}
	for _, i := range on {
		f.Trials, f.Vectors = append(f.Trials, *s.Trials[i]), append(f.Vectors, s.Vectors[i])
	}
	var ref []float64
	ref, f.Origins, f.Unbeaten = s.Study.reference(f.Vectors, s.Vectors)
	for j, ob := range s.Study.Objectives {
		f.Reference = append(f.Reference, ob.Direction.Sign()*ref[j])
	}
	f.measure(ref)
	s.front = f
	return f
}

// measure finds the volumes up to a reference point, less being better.
func (f *Front) measure(ref []float64) {
	ideal, _ := pareto.Bounds(f.Vectors)
	f.units = pareto.Units(ideal, ref)
	vectors := lists.Of(f.Vectors, func(v []float64) []float64 { return pareto.In(f.units, v) })
	ideal, f.ref = pareto.In(f.units, ideal), pareto.In(f.units, ref)
	whole, unit := 1.0, 0
	for j := range f.ref {
		whole *= f.ref[j] - ideal[j]
		unit += f.units[j]
	}
	if volume := pareto.Hypervolume(vectors, f.ref); volume > 0 {
		f.Normalised = volume / whole
		f.scale = f.Normalised / volume
		f.Volume = min(math.Ldexp(volume, unit), math.MaxFloat64)
	}
}

// Ranks are, by trial number, 1 for the front, 2 for the front without those, and so
// on; trials that are not complete, not feasible or lack an objective have none.
func (s *Standing) Ranks() map[int]int {
	ranks := pareto.Ranks(s.Vectors)
	out := make(map[int]int, len(ranks))
	for k, r := range ranks {
		out[s.Trials[k].Number] = r
	}
	for number, k := range s.Again {
		out[number] = ranks[k]
	}
	return out
}

// Ranks are, by number, those of the trials on the front: 1.
func (f *Front) Ranks() map[int]int {
	out := map[int]int{}
	for k := range f.Trials {
		out[f.Trials[k].Number] = 1
	}
	return out
}

// Growth is the normalised hypervolume after each of the trials, in the order given,
// with the reference point of them all, and values as they stand now.
func (s *Standing) Growth(trials []*Trial) []float64 {
	if s.growth != nil && slices.Equal(trials, s.grown) { // a report has it twice
		return s.growth
	}
	out := make([]float64, len(trials))
	f := s.Front()
	if f == nil {
		return out
	}
	vectors, at := make([][]float64, len(s.Trials)), make(map[int]int, len(s.Trials)) // by number
	for k := range s.Trials {
		vectors[k], at[s.Trials[k].Number] = pareto.In(f.units, s.Vectors[k]), k
	}
	add, sum := pareto.Growing(vectors, f.ref), 0.0
	for k := range trials {
		if i, ok := at[trials[k].Number]; ok {
			sum += add(i)
		}
		out[k] = sum * f.scale
	}
	s.grown, s.growth = trials, out
	return out
}

// Knee is the index of the trial of a front that is the best compromise: the least
// achievement function with equal weights, ties by number.
func (f *Front) Knee() int {
	return f.Compromise(f.Vectors, slices.Repeat([]float64{1}, len(f.Reference)))
}

// Compromise is the index of the trial of least achievement with those weights, of
// values as they are given for each trial, less is better; ties by number.
func (f *Front) Compromise(values [][]float64, weights []float64) int {
	ideal, nadir := pareto.Bounds(values)
	g := pareto.Achievement(values, weights, ideal, nadir)
	best := 0
	for k := range g {
		if g[k] < g[best] || g[k] == g[best] && f.Trials[k].Number < f.Trials[best].Number {
			best = k
		}
	}
	return best
}

// An Origin says where a part of a reference point comes from.
type Origin string

// The origins: the front itself, the study file, or a constraint on the objective.
const (
	Inferred Origin = "inferred"
	Given    Origin = "given"
	Bound    Origin = "bound"
)

// reference is the reference point of the hypervolume, less being better: a tenth of the front's extent beyond it, or
// of that of all values where the front has none, within Limit.
func (st *Study) reference(front, all [][]float64) (ref []float64, origins []Origin, unbeaten bool) {
	best, worst := pareto.Bounds(all)
	least := make([]float64, len(best))
	ideal, nadir := pareto.Bounds(front)
	for j := range least {
		if nadir[j] == ideal[j] {
			if least[j] = worst[j] - best[j]; least[j] == 0 {
				least[j] = 1
			}
		}
	}
	ref = pareto.Reference(front, least)
	origins, beaten := st.Limit(ref, front, st.Objectives,
		func(j int, v float64) float64 { return st.Objectives[j].Direction.Sign() * v })
	return ref, origins, !beaten
}

// Limit moves a reference point that was inferred from a front of objectives, less being better,
// to the point of the study file once a trial is better than all of that (until then to the worse of the two), but
// never beyond a bound on the objective. In maps a value of objective j to the units of the front. Beaten reports
// whether a trial is better than all that is given.
func (st *Study) Limit(ref []float64, front [][]float64, of []Objective,
	in func(j int, v float64) float64) (origins []Origin, beaten bool) {
	given := slices.Clone(ref)
	for j, ob := range of {
		if ob.Reference != nil {
			given[j] = in(j, *ob.Reference)
		}
	}
	beaten = slices.ContainsFunc(front, func(v []float64) bool {
		for j, ob := range of {
			if ob.Reference != nil && !(v[j] < given[j]) {
				return false
			}
		}
		return true
	})
	for j, ob := range of {
		origin := Inferred
		if ob.Reference != nil && (beaten || given[j] >= ref[j]) {
			ref[j], origin = given[j], Given
		}
		for _, c := range st.Constraints {
			if c.Name != ob.Name || c.AtLeast != (ob.Direction == Maximize) {
				continue
			}
			if bound := in(j, c.Bound); bound < ref[j] {
				ref[j], origin = bound, Bound
			}
		}
		origins = append(origins, origin)
	}
	return origins, beaten
}

// A Leaderboard ranks a study's best configurations when their measurements are noisy: leaders, best posterior mean
// first. With several objectives it is the trials on Front, which is that of Standing, sorted by the first objective.
type Leaderboard struct {
	Leaders  []Leader
	Noise    map[string]NoiseLevel // of the objectives whose posterior means count in place of values, by name
	Luckiest *Leader               // the one with the best single trial; nil: the leader itself
	Front    *Front                // of several objectives, the first trial of each configuration
	Standing *Standing             // every configuration by its means
	Warnings []string
}

// A Leader is a measured configuration with its posterior.
type Leader struct {
	Trial       *Trial              // the first of its trials
	Believed    map[string]Estimate // by objective; one that is missing counts as measured
	Probability float64             // that it is the best, or on the front; NaN: unknown
	Luckiest    *Trial              // the one of its trials with the best value
}

// Expected is the posterior of an objective, or its measured value without deviation.
func (l *Leader) Expected(objective string) Estimate {
	e, ok := l.Believed[objective]
	if !ok {
		e.Mean = l.Trial.Values.Of(objective)
	}
	return e
}

type (
	// Estimate is the surrogate's prediction of the objective at a trial's configuration, without noise.
	Estimate struct {
		Mean float64 `json:"mean"`
		Std  float64 `json:"std"`
	}

	// NoiseLevel is that of one measurement: its standard deviation at the leader, in the objective's units, with the
	// median of reported standard errors in it, and the share of the surrogate's estimate in the variance of the values.
	NoiseLevel struct {
		SD     float64 `json:"sd"`
		Share  float64 `json:"share"`
		Source string  `json:"source"` // estimated, estimated and reported, or given
	}
)
