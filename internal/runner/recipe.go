package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"bohier/internal/gp"
	"bohier/internal/study"
)

// A recipe is one way to model the objective.
type recipe struct{ kernel, transform string }

// prefix keeps the recipes' hyperparameters apart in a warm start.
func (r recipe) prefix() string { return r.kernel + "." + r.transform }

// recipes are the ways `auto` stands for, most trusted first.
func recipes(st *study.Study) []recipe {
	transforms := []string{st.Objective.Transform}
	if st.Objective.Transform == "auto" {
		transforms = []string{"power", "copula"}
	}
	var out []recipe
	for _, t := range transforms {
		for _, k := range kernelNames(st) {
			out = append(out, recipe{k, t})
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
func fitTurn(ctx context.Context, st *study.Study, h *history, warm map[string]float64, seed uint64) (*fitted, error) {
	all := recipes(st)
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
			lead := float64(len(best.report.LOO.Std)) * (best.density() - other.density())
			if lead <= patience {
				chosen = other
			}
			if lead < 0 {
				first = c
			}
		}
	}
	next[favouriteKey+all[first].prefix()] = 1
	chosen.warm = next
	return chosen, nil
}

// coldLimit is the number of trials up to which a recipe may be fitted for the
// first time: without a warm start that takes seconds beyond. Studies that grow
// have tried them all by then; those that begin with an import keep the favourite.
const coldLimit = 300

func affordable(r recipe, h *history, warm map[string]float64) bool {
	_, fitted := warm[densityKey+r.prefix()]
	return fitted || len(h.told) <= coldLimit
}

// favourite is the index of the recipe that predicted best so far; it is the most
// trusted one, and ok false, before there was a suggestion.
func favourite(all []recipe, warm map[string]float64) (k int, ok bool) {
	for k, r := range all {
		if warm[favouriteKey+r.prefix()] != 0 {
			return k, true
		}
	}
	return 0, false
}

// fitNoted fits a recipe and notes its hyperparameters and density.
func fitNoted(ctx context.Context, st *study.Study, r recipe, h *history, warm map[string]float64, seed uint64, note map[string]float64) (*fitted, error) {
	f, err := fitWarping(ctx, st, r, h, warm, seed)
	if err != nil {
		return nil, err
	}
	for k, v := range f.report.Warm {
		note[r.prefix()+"/"+k] = v
	}
	note[densityKey+r.prefix()] = f.density()
	return f, nil
}

// fitBest fits the favourite recipe or, before there was a suggestion, every one,
// and returns that with the best leave-one-out density of the untransformed
// objective.
func fitBest(ctx context.Context, st *study.Study, h *history, warm map[string]float64, seed uint64) (*fitted, error) {
	var best *fitted
	var failure error
	all := recipes(st)
	if k, ok := favourite(all, warm); ok {
		all = all[k : k+1]
	}
	for _, r := range all {
		f, err := fitWarping(ctx, st, r, h, warm, seed)
		var none *gp.FallbackError
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.As(err, &none):
			return nil, err
		case err != nil:
			failure = errors.Join(failure, fmt.Errorf("%s: %w", r.kernel, err))
		case best == nil || f.density() > best.density():
			best = f
		}
	}
	if best == nil {
		return nil, failure
	}
	return best, nil
}

// density is the mean log density of an observation left out, in the objective's
// own units. It flatters the copula transform by up to ln 2: between an
// observation's neighbours the map rises by two ranks, and by one without it. That
// stays, because ranks are the better bet for penalised objectives
// (docs/benchmarks.md).
func (f *fitted) density() float64 {
	slope := 0.0
	for _, v := range f.raw {
		slope += f.transform.LogSlope(v) / float64(len(f.raw))
	}
	return slope - f.report.LOO.LogLoss
}
