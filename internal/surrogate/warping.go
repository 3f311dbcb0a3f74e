package surrogate

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"bohier/internal/gp"
	"bohier/internal/study"
)

// warpGain is how many nats the warped surrogate must predict better, in all, for
// every exponent it adds.
const warpGain = 0.5

// Fit fits the model r to the objective's values, starting from warm. Where r compares
// warped and straight axes both are fitted, and the warped ones taken where they
// predict the observations left out better.
func Fit(ctx context.Context, st *study.Study, r study.ModelSpec, h Data, warm study.HyperSet, seed uint64) (*Fitted, error) {
	if r.Warping != study.WarpingCompare {
		return fitSpec(ctx, st, r, r.Warping == study.WarpingOn, h, warm, seed)
	}
	straight, err := fitSpec(ctx, st, r, false, h, warm, seed)
	if err != nil {
		return nil, err
	}
	warped, err := fitSpec(ctx, st, r, true, h, warm, seed)
	var none *gp.FallbackError
	if errors.As(err, &none) {
		return straight, nil
	}
	if err != nil {
		return nil, err
	}
	n := float64(len(h.Told()))
	added := float64(len(warped.Report.Hyper) - len(straight.Report.Hyper))
	if n*(warped.Density()-straight.Density()) > warpGain*added {
		return warped, nil
	}
	return straight, nil
}

// Warps reports whether a study's axes are warped in any case: where it says so, and
// where it leaves the choice open but sets the exponents.
func Warps(st *study.Study) bool {
	h := st.Surrogate.Hyper
	names := slices.Concat(slices.Collect(maps.Keys(h.Fixed)), slices.Collect(maps.Keys(h.Initial)),
		slices.Collect(maps.Keys(h.Bounds)), slices.Collect(maps.Keys(h.Prior)))
	exponent := func(name string) bool { return strings.HasPrefix(name, "warp.") }
	on := st.Surrogate.Warping == "true" || st.Surrogate.Warping == "auto" && slices.ContainsFunc(names, exponent)
	return on && st.WarmStart == nil
}
