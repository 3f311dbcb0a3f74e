package surrogate

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"bohier/internal/gp"
	"bohier/internal/study"
)

// warpingKey holds in a recipe's warm start how `warping: auto` decided: the
// number of observations then, negative where the axes stayed straight.
const warpingKey = "warping"

// warpGain is how many nats the warped surrogate must predict better, in all, for
// every exponent it adds.
const warpGain = 0.5

// Fit fits a recipe, with warped axes where the study says so or, under
// `auto`, where observations left out are predicted better with them. That is
// decided by fitting both, anew whenever the observations have grown by a quarter.
func Fit(ctx context.Context, st *study.Study, r Spec, h Data, warm map[string]float64, seed uint64) (*Fitted, error) {
	warm = WarmOf(warm, r.Prefix())
	if st.Surrogate.Warping != "auto" || st.WarmStart != nil || warps(st) {
		return fitSpec(ctx, st, r, h, warm, seed)
	}
	n := float64(len(h.Observed))
	decided := warm[warpingKey]
	if decided != 0 && n < 1.25*math.Abs(decided) {
		f, err := fitSpec(ctx, WithWarping(st, decided > 0), r, h, warm, seed)
		if err != nil {
			return nil, err
		}
		return f.deciding(decided), nil
	}
	straight, err := fitSpec(ctx, WithWarping(st, false), r, h, warm, seed)
	if err != nil {
		return nil, err
	}
	warped, err := fitSpec(ctx, WithWarping(st, true), r, h, warm, seed)
	var none *gp.FallbackError
	if errors.As(err, &none) {
		return straight.deciding(-n), nil
	}
	if err != nil {
		return nil, err
	}
	added := float64(len(warped.Report.Hyper) - len(straight.Report.Hyper))
	if n*(warped.Density()-straight.Density()) > warpGain*added {
		return warped.deciding(n), nil
	}
	return straight.deciding(-n), nil
}

// deciding records the decision for the next suggestions.
func (f *Fitted) deciding(n float64) *Fitted {
	f.Warped = n > 0
	f.Report.Warm[warpingKey] = n
	return f
}

// warps tells whether a study's axes are warped in any case: where it says so, and
// where it leaves the choice open but sets the exponents.
func warps(st *study.Study) bool {
	s := st.Surrogate
	on := s.Warping == "true"
	for _, names := range [][]string{slices.Sorted(maps.Keys(s.Hyper.Fixed)), slices.Sorted(maps.Keys(s.Hyper.Initial)), slices.Sorted(maps.Keys(s.Hyper.Bounds)), slices.Sorted(maps.Keys(s.Hyper.Prior))} {
		for _, name := range names {
			on = on || s.Warping == "auto" && strings.HasPrefix(name, "warp.")
		}
	}
	return on && st.WarmStart == nil
}

// WithWarping is the study with its axes warped or straight.
func WithWarping(st *study.Study, on bool) *study.Study {
	out := *st
	out.Surrogate.Warping = "false"
	if on {
		out.Surrogate.Warping = "true"
	}
	return &out
}
