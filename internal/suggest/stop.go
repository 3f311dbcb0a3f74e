package suggest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/acq"
	"bohier/internal/lists"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// regretDelta is the probability δ that the confidence bounds miss the objective.
const regretDelta = 0.1

// stopping compares the predictions of fitted models with the limits that end a study.
type stopping struct{ *surrogates }

// regretBound is an upper bound on how much the best trial can still be improved, in the objective's units (Makarova et
// al. 2022, arXiv:2104.08166, "Automatic termination for hyperparameter optimization", eq. 5): the lowest upper
// confidence bound among the trials minus the lowest lower one anywhere. The width of the bounds is theirs, β =
// ⅖·ln(d·n²·π²/6δ) for n trials and d coordinates. Constraints only narrow the choice, so the bound holds with them.
func (s stopping) regretBound(ctx context.Context) (float64, error) {
	st, h := s.st, s.h
	tried := feasiblePoints(st, h.Observed)
	if tried == nil {
		return math.Inf(1), nil
	}
	kappa := regretWidth(float64(len(h.Observed)), float64(max(1, len(st.Space.Coordinates()))))
	domain := space.NewDomain(st.Space, nil)
	if err := domain.Err(); err != nil {
		return 0, err
	}
	fit := s.goals[0].fit
	mean, sd := fit.Latent(tried)
	upper := math.Inf(1)
	for i := range mean {
		upper = min(upper, mean[i]+kappa*sd[i])
	}
	found, _, err := acq.Maximize(ctx,
		acq.Scored(acq.LowerBound(kappa), func() acq.Surrogate { return fit.Model.Standard() }),
		domain, acq.Options{
			Rand: generator(s.r, streamStop), Incumbents: centresAt(h, h.leading(centres)),
			Candidates: st.Acquisition.Candidates, Starts: st.Acquisition.Starts, Workers: surrogate.Workers(),
		})
	if err != nil {
		return 0, err
	}
	u := fit.Model.Units()
	gain := fit.Transform.Inverse(u.Value(upper)) - fit.Transform.Inverse(u.Value(-found[0].Score))
	return max(0, gain), nil
}

// regretWidth is √β.
func regretWidth(n, d float64) float64 {
	return math.Sqrt(max(0, 0.4*math.Log(d*n*n*math.Pi*math.Pi/(6*regretDelta))))
}

// regretReached is the Exhausted error of a study whose regret bound is small enough,
// nil while it is not or none is asked for.
func (s stopping) regretReached(ctx context.Context) error {
	limit := s.st.Stop.Regret
	if !(limit > 0) {
		return nil
	}
	bound, err := s.regretBound(ctx)
	if err != nil || !(bound < limit) {
		return err
	}
	return study.Errorf(study.Exhausted, "`bohier best` shows the result; lower stop.regret to go on",
		"no more than %.3g can be gained over the best trial, less than stop.regret: %v", bound, limit)
}

// targetProbability is the probability with which a target is reached where values are noisy: the
// first value beyond it is luck more often than not.
const targetProbability = 0.9

// JudgesTarget reports whether the surrogates decide if the targets are reached, because
// an objective with a target is noisy; elsewhere measured values decide.
func JudgesTarget(st *study.Study, trials []*study.Trial, fit *study.FitRecord) bool {
	return lists.Any(len(st.Objectives), func(k int) bool {
		return st.Objectives[k].Target != nil && MaterialNoise(st.For(k), trials, fit)
	})
}

// targetReached is the Exhausted error of a study whose targets the leader, or of several
// objectives one configuration, has surely reached; nil otherwise.
func (s stopping) targetReached() error {
	told := feasible(s.st, s.h.Observed)
	if len(told) == 0 || !JudgesTarget(s.st, s.h.Observed, s.r.Warm) {
		return nil
	}
	t, p := s.likeliest(told)
	if p < targetProbability {
		return nil
	}
	return Reached(t, fmt.Sprintf(" with probability %.2f", p))
}

// Reached is the Exhausted error of a study whose targets a trial has reached.
func Reached(t *study.Trial, how string) error {
	return study.Errorf(study.Exhausted, "`bohier best` shows it; change the target to go on",
		"every target is reached by trial %s%s", t.ID(), how)
}

// likeliest is the leader, or of several objectives the trial that most probably reaches
// the targets, with that probability.
func (s stopping) likeliest(told []*study.Trial) (*study.Trial, float64) {
	at := pointsOf(s.st, told)
	if !s.st.Several() { // the likeliest of many would be lucky
		fit := s.goals[0].fit
		mean := fit.Means(at)
		k := floats.MinIdx(mean)
		return told[k], fit.Reaches(*s.st.Objective().Target, at)[k]
	}
	likely := slices.Repeat([]float64{1}, len(told))
	for _, ob := range s.st.Objectives {
		if ob.Target == nil {
			continue
		}
		k := slices.IndexFunc(s.goals, func(g *goal) bool { return g.plan.Name == ob.Name && g.noisy })
		if k >= 0 {
			floats.Mul(likely, s.goals[k].fit.Reaches(*ob.Target, at))
			continue
		}
		for i, t := range told { // it counts as measured
			if sign := ob.Direction.Sign(); sign*t.Values.Of(ob.Name) > sign**ob.Target {
				likely[i] = 0
			}
		}
	}
	k := floats.MaxIdx(likely)
	return told[k], likely[k]
}

// JudgesGrowth reports whether the surrogates decide if the hypervolume still grows, because an objective is noisy: a
// lucky value raises it, and after that no true one does. Elsewhere measured values decide.
func JudgesGrowth(st *study.Study, trials []*study.Trial, fit *study.FitRecord) bool {
	return st.Stop.Hypervolume != nil && MaterialNoise(st, trials, fit)
}

// Levelled is the Exhausted error of a study whose hypervolume, after each of its complete
// trials, grew too little of late; nil otherwise.
func Levelled(st *study.Study, growth []float64) error {
	rule, n := st.Stop.Hypervolume, len(growth)
	if rule == nil || n <= rule.Trials || n < 3*policy.InitialCount(st) {
		return nil
	}
	last := growth[n-1]
	if more := last - growth[n-1-rule.Trials]; last > 0 && more < rule.Gain*last {
		return study.Errorf(study.Exhausted, "`bohier best` shows the front; lower stop.hypervolume.gain to go on",
			"the last %s raised the hypervolume by %.2g of itself, less than stop.hypervolume.gain: %v",
			study.Count(rule.Trials, "trial"), more/last, rule.Gain)
	}
	return nil
}

// levelled is Levelled of a noisy study, by the front of the posterior means.
func (s stopping) levelled() error {
	if s.h.pace.ended() > 0 || !JudgesGrowth(s.st, s.h.Observed, s.r.Warm) {
		return nil
	}
	return Levelled(s.st, s.standing().Growth(s.h.Observed))
}

// standing is the front's, with posterior means where an objective is noisy: of the first
// trial of each configuration, as the means of its others are the same.
func (s *surrogates) standing() *study.Standing {
	out := &study.Standing{Study: s.st}
	var confs []space.Configuration
	for _, t := range s.distinct() {
		out.Trials, out.Vectors, confs = append(out.Trials, t), append(out.Vectors, s.st.Vector(t)), append(confs, t.Config)
	}
	for _, g := range s.goals {
		if !g.noisy || len(confs) == 0 {
			continue
		}
		j := s.st.Goal(g.plan.Name)
		mean, _, _ := g.fit.Predict(s.st.Space, confs)
		for i, v := range mean {
			out.Vectors[i][j] = s.st.Objectives[j].Direction.Sign() * v
		}
	}
	return out
}
