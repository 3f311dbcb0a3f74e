package policy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"bohier/internal/gp"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// specs are the ways `auto` stands for, most trusted first.
func specs(st *study.Study) []surrogate.Spec {
	transforms := []string{st.Objective.Transform}
	if st.Objective.Transform == "auto" {
		transforms = []string{"power", "copula"}
	}
	var out []surrogate.Spec
	for _, t := range transforms {
		for _, k := range KernelNames(st) {
			out = append(out, surrogate.Spec{Kernel: k, Transform: t})
		}
	}
	return out
}

// The keys under which a warm start keeps which recipe predicted best, and how
// well each predicted observations left out when it was last fitted.
const (
	favouriteKey = "favourite."
	densityKey   = "density."
)

// challengeEvery is how often another recipe is tried against the favourite: in
// every other suggestion. patience is how many nats it may predict all
// observations worse and still make the suggestion. What predicts about as well
// is worth a turn, because turns guard against the one failure a surrogate does
// not notice, being sure of the wrong place; what predicts clearly worse is not
// (docs/benchmarks.md).
const (
	challengeEvery = 2
	patience       = 5
)

// fitTurn fits the favourite recipe or, when it is its turn and it predicts the
// observations about as well, a challenger. A challenger that predicts them better
// becomes the favourite. A warm start has too few observations of its own to judge
// by: there the recipes take turns.
func fitTurn(ctx context.Context, st *study.Study, h *history, warm map[string]float64, seed uint64) (*surrogate.Fitted, error) {
	all := specs(st)
	first, _ := favourite(all, warm)
	own := settledIn(st, h)
	if !own {
		first = h.turn() / challengeEvery % len(all)
	}
	next := maps.Clone(warm)
	if next == nil {
		next = map[string]float64{}
	}
	maps.DeleteFunc(next, func(k string, _ float64) bool { return strings.HasPrefix(k, favouriteKey) })
	best, err := fitNoted(ctx, st, all[first], h, warm, seed, next)
	if err != nil {
		return nil, err
	}
	chosen := best
	if c := h.turn() / challengeEvery % len(all); own && h.turn()%challengeEvery == challengeEvery-1 && c != first && affordable(all[c], h, warm) {
		other, err := fitNoted(ctx, st, all[c], h, warm, seed, next)
		if ctx.Err() != nil { // whether or not the fit ended before
			return nil, context.Cause(ctx)
		}
		if err == nil { // a challenger that cannot be fitted has lost
			lead := float64(len(best.Report.LOO.Std)) * (best.Density() - other.Density())
			compared := fmt.Sprintf("challenged: %s predicts the values %.4g nats better than %s", all[first].Prefix(), lead, all[c].Prefix())
			if lead <= patience {
				chosen = other
			}
			chosen.Considered = append(chosen.Considered, compared)
			if lead < 0 {
				first = c
			}
		}
	}
	next[favouriteKey+all[first].Prefix()] = 1
	chosen.Warm = next
	return chosen, nil
}

// coldLimit is the number of trials up to which a recipe may be fitted for the
// first time: without a warm start that takes seconds beyond. Studies that grow
// have tried them all by then; those that begin with an import keep the favourite.
const coldLimit = 300

func affordable(r surrogate.Spec, h *history, warm map[string]float64) bool {
	_, fitted := warm[densityKey+r.Prefix()]
	return fitted || len(h.Observed) <= coldLimit
}

// favourite is the index of the recipe that predicted best so far; it is the most
// trusted one, and ok false, before there was a suggestion.
func favourite(all []surrogate.Spec, warm map[string]float64) (k int, ok bool) {
	for k, r := range all {
		if warm[favouriteKey+r.Prefix()] != 0 {
			return k, true
		}
	}
	return 0, false
}

// fitNoted fits a recipe and notes its hyperparameters and density.
func fitNoted(ctx context.Context, st *study.Study, r surrogate.Spec, h *history, warm map[string]float64, seed uint64, note map[string]float64) (*surrogate.Fitted, error) {
	f, err := surrogate.Fit(ctx, st, r, h.Data, warm, seed)
	if err != nil {
		return nil, err
	}
	for k, v := range f.Report.Warm {
		note[r.Prefix()+"/"+k] = v
	}
	note[densityKey+r.Prefix()] = f.Density()
	return f, nil
}

// FitBest fits the favourite recipe or, before there was a suggestion, every one that
// is affordable, and returns that with the best leave-one-out density of the
// untransformed objective.
func FitBest(ctx context.Context, st *study.Study, h *history, warm map[string]float64, seed uint64) (*surrogate.Fitted, error) {
	var best *surrogate.Fitted
	var failure error
	all := specs(st)
	first, chosen := favourite(all, warm)
	for k, r := range all {
		if k != first && (chosen || !affordable(r, h, warm)) {
			continue
		}
		f, err := surrogate.Fit(ctx, st, r, h.Data, warm, seed)
		var none *gp.FallbackError
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.As(err, &none):
			return nil, err
		case err != nil:
			failure = errors.Join(failure, fmt.Errorf("%s: %w", r.Kernel, err))
		case best == nil || f.Density() > best.Density():
			best = f
		}
	}
	if best == nil {
		return nil, failure
	}
	return best, nil
}
