package suggest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/lists"
	"bohier/internal/pareto"
	"bohier/internal/points"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// A goal is an objective with its fitted models. Each of several is modelled by itself, as the
// objective of a study of one is.
type goal struct {
	h    *history // of a study of this objective alone
	plan study.ObjectivePlan
	fit  *surrogate.Fitted
	// noisy: a value may be luck, and the mean of the surrogate counts in its place.
	noisy bool
}

// add makes a goal of the models fitted to the k-th objective.
func (s fitting) add(k int, fit *surrogate.Fitted) {
	h := s.h.alone()[k]
	s.goals = append(s.goals, &goal{h: h, plan: s.plan.Goals(s.st)[k], fit: fit,
		noisy: h.materialNoise(s.r.Warm)})
}

// fitGoals fits the plan's models of the objectives, one after the other. One whose
// values are all equal drops out; the error is a *gp.FallbackError where all do.
func (s fitting) fitGoals(ctx context.Context) error {
	s.note = s.r.Warm.Clone()
	var none *gp.FallbackError
	for k, h := range s.h.alone() {
		plan := s.plan.Goals(s.st)[k]
		fit, note, err := fitPlan(ctx, h, plan.Model, s.r.Warm.Of(h.st), s.r.Seed)
		switch {
		case errors.As(err, &none):
			s.flat = append(s.flat, plan.Name)
			continue
		case err != nil:
			return err
		case s.st.Several():
			s.note.Objectives[plan.Name] = note
		default:
			s.note = note
		}
		s.add(k, fit)
	}
	if len(s.goals) == 0 {
		return none
	}
	return nil
}

// warnings are those of the objectives' surrogates.
func (s *surrogates) warnings() (out []string) {
	if len(s.goals) == 0 {
		return nil
	}
	for _, name := range s.flat {
		out = append(out, fmt.Sprintf("objective %s plays no part yet: there is nothing to learn from its values", name))
	}
	for _, g := range s.goals {
		for _, w := range slices.Concat(g.fit.Warnings, g.fit.Stopped()) {
			out = append(out, s.st.Attributed(g.plan.Name, w))
		}
	}
	return out
}

// leading are the n best feasible observed trials by their values. With several objectives they are the
// trials of the front that contribute most to its hypervolume.
func (h *history) leading(n int) []*study.Trial {
	all := once(h, "leading", func() []*study.Trial {
		able := feasible(h.st, h.Observed)
		if !h.st.Several() {
			return h.st.First(able, len(able))
		}
		return contributors(h.st.Standing(able).Front(), len(able))
	})
	return all[:min(n, len(all))]
}

// contributors are the n trials of a front that contribute most to its hypervolume; none of no front.
func contributors(front *study.Front, n int) []*study.Trial {
	if front == nil {
		return nil
	}
	vectors := front.Vectors
	if most := 64; len(vectors) > most { // contributions of more take long
		vectors = vectors[:most]
	}
	ref := pareto.Reference(vectors, slices.Repeat([]float64{1e-9}, len(vectors[0])))
	share := pareto.Contributions(vectors, ref)
	order := make([]int, len(vectors))
	floats.Scale(-1, share) // the largest first
	floats.ArgsortStable(share, order)
	return lists.Of(order[:min(len(order), n)], func(k int) *study.Trial { return &front.Trials[k] })
}

// The reference point of the front is a tenth of its extent beyond the nadir, and so many standard deviations of a
// modelled objective beyond the ideal at least. Closer to the front, the search fills in the part that it found first
// and never sees the rest; farther away, it is after the ends of the front alone (bench/notes).
const beyondIdeal = 2

// meansOf are the vectors of predicted means at all points of some sets, for each
// belief about pending trials, in standardised units.
func meansOf(believed [][]*gp.Model, sets ...*points.Set) [][][]float64 {
	out := make([][][]float64, len(believed[0]))
	for _, x := range sets {
		if x == nil || x.Len() == 0 {
			continue
		}
		means := make([][][]float64, len(believed)) // by objective, belief and point
		for j, models := range believed {
			for range models {
				means[j] = append(means[j], make([]float64, x.Len()))
			}
			gp.Together(models).Means(means[j], x)
		}
		for f := range out {
			for i := range x.Len() {
				out[f] = append(out[f], lists.Of(means, func(by [][]float64) float64 { return by[f][i] }))
			}
		}
	}
	return out
}

// lowest is the least first part of vectors.
func lowest(all [][]float64) float64 {
	least := math.Inf(1)
	for _, v := range all {
		least = min(least, v[0])
	}
	return least
}

// measured replaces the means at trials by measured values, for objectives without material noise. The mean of a
// surrogate is off by a little, and where an objective has one value in a large part of the space (its least, perhaps)
// that little would decide which of many trials nothing dominates.
func (s *surrogates) measured(tried [][][]float64, told []*study.Trial) {
	for i, t := range told {
		for j, g := range s.goals {
			for f := range tried {
				tried[f][i][j] = g.counting(t, tried[f][i][j])
			}
		}
	}
}

// counting is the value of a trial that counts, in standardised units: the measured one or, where the objective is
// noisy or its surrogate knows earlier studies, whose means alone have one scale, its mean.
func (g *goal) counting(t *study.Trial, mean float64) float64 {
	v, ok := t.Values.Get(g.plan.Name)
	if g.noisy || !ok || len(g.h.Sources) > 0 {
		return mean
	}
	return g.standard(v, mean)
}

// joint is the score of the objectives, given the predicted means of all that was tried. One of
// several that is left is scored as the objective of a study of one.
func (s scoring) joint(p *study.Plan, head string, all [][]float64) (acq.Joint, error) {
	if len(s.goals) == 1 {
		if slices.Contains(acq.JointNames(), head) {
			head = "logei"
		}
		h, err := acq.NewHead(head, lowest(all), s.st.Acquisition.Kappa)
		return acq.Alone(h), err
	}
	front := frontOf(all)
	if head == "parego" {
		return s.scalarised(front)
	}
	xi := lists.Of(s.goals, func(g *goal) float64 { return g.plan.Xi })
	ref := s.reference(front, p.Reach)
	if s.h.Share && len(ref) > 2 {
		all = pareto.Pick(pareto.Reduce(all, ref), ref, briefFront)
	}
	return acq.NewHypervolume(all, ref, xi)
}

// briefFront is the number of vectors that the front of a share of very many trials is thinned to, where
// three objectives make many boxes of it.
const briefFront = 48

// frontOf are the vectors that no other one dominates.
func frontOf(all [][]float64) [][]float64 { return lists.At(all, pareto.Front(all)) }

// reference is the reference point of the hypervolume, in standardised units: a tenth of the front's extent beyond it,
// reach at least, or the point of the study file once a trial is better, but never beyond a bound on the objective.
func (s scoring) reference(front [][]float64, reach float64) []float64 {
	ref := pareto.Reference(front, slices.Repeat([]float64{max(1, 10*reach)}, len(s.goals)))
	ideal, _ := pareto.Bounds(front)
	obs := make([]study.Objective, len(s.goals))
	for j, g := range s.goals {
		ref[j], obs[j] = max(ref[j], ideal[j]+beyondIdeal), g.h.st.Objective()
	}
	s.st.Limit(ref, front, obs, func(j int, v float64) float64 { return s.goals[j].standard(v, ref[j]) })
	return ref
}

// standard is a value of the objective as it is modelled, in standardised units;
// otherwise where its transform has no such value.
func (g *goal) standard(value, otherwise float64) float64 {
	v := g.fit.Model.Units().Standard(g.fit.Transform.Forward(g.fit.Sign * value))
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return otherwise
	}
	return v
}

// scalarised is the augmented Chebyshev scalarisation, between the bounds of the front, with
// weights drawn for the trial: uniformly from the positive numbers that add up to 1.
func (s scoring) scalarised(front [][]float64) (acq.Joint, error) {
	ideal, nadir := pareto.Bounds(front)
	rng, sum := generator(s.r, streamWeights), 0.0
	weights, span := make([]float64, len(s.goals)), make([]float64, len(s.goals))
	for j := range weights {
		weights[j] = rng.ExpFloat64()
		sum += weights[j]
	}
	for j := range span {
		weights[j] /= sum
		span[j] = max(nadir[j]-ideal[j], 1e-9)
		nadir[j] = ideal[j] + span[j]
	}
	return acq.NewChebyshev(weights, ideal, span, slices.Min(pareto.Achievement(front, weights, ideal, nadir)))
}
