package surrogate

import (
	"maps"
	"slices"
	"strings"

	"bohier/internal/study"
)

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
