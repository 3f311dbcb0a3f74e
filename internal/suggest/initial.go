package suggest

import (
	"maps"
	"math/rand/v2"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A study begins with points that no surrogate chooses: its own, then an initial design (Jones, Schonlau & Welch 1998,
// doi:10.1023/A:1008306431147), at random or by a low-discrepancy sequence (Joe & Kuo 2008, doi:10.1137/070709359; Owen
// 2017, arXiv:1706.02808). A point belongs to a trial number, so that processes that ask at once get different ones.

// maxRetries bounds the search for a configuration nobody has tried before the space is enumerated or given up.
const maxRetries = 200

// pointOf proposes the point of a design that belongs to the trial's number, or a later one where
// that was tried. So processes that ask at once do not meet.
func pointOf(h *history, r Request, kind, source string) (*study.Suggestion, error) {
	st, at := h.st, (r.Number-1)/h.st.Replicates.Times()
	for k := range maxRetries {
		c, err := st.Space.DesignPoint(kind, r.Seed, at+k*designStride)
		if err != nil {
			return nil, err
		}
		if k == 0 && policy.InMiddle(st, at) {
			c = st.Space.Middle(c)
		}
		if r.Number%2 == 0 && policy.PriorGuidesDesign(st) { // the other half shows where a prior errs
			c = designUnderPrior(st.Space, c, generator(r, streamInitial+uint64(k)<<32))
		}
		if len(r.Fixed) > 0 {
			if c, err = fix(st.Space, c, r.Fixed, generator(r, streamInitial)); err != nil {
				return nil, err
			}
		}
		if h.new(c) {
			return &study.Suggestion{Config: c, Source: source}, nil
		}
	}
	return untried(h, r, source)
}

// designStride separates the design points tried in turn for one number from those of the numbers near it.
const designStride = 4099

// ownPoints are the points the study asks for first, completed with declared defaults where those fit. A study that
// names no points but declares defaults or priors gets the configuration of the priors' modes and the other defaults.
func ownPoints(st *study.Study) []space.Assignment {
	own := st.Initial.Points
	believed := func(p *space.Parameter) *float64 {
		if p.Prior == nil {
			return nil
		}
		return &p.Prior.Mode
	}
	defaults := slices.ContainsFunc(st.Space.Params(), func(p space.Parameter) bool { return p.Default != nil })
	if len(own) == 0 && (defaults || st.Space.HasPriors()) {
		own = []space.Assignment{withFitting(st.Space, space.Assignment{}, believed)}
	}
	if !defaults {
		return own
	}
	return lists.Of(own, func(a space.Assignment) space.Assignment {
		return withFitting(st.Space, a, func(p *space.Parameter) *float64 { return p.Default })
	})
}

// withFitting adds to a, parents first, the values that of gives parameters, perhaps nil, as
// far as they go with the rest.
func withFitting(s *space.Space, a space.Assignment, of func(*space.Parameter) *float64) space.Assignment {
	wished := space.Assignment{}
	for i := range s.Params() {
		if v := of(s.Param(i)); v != nil {
			wished[i] = *v
		}
	}
	return s.Fill(a, wished)
}

// ownPoint proposes the first initial point of the study file that no trial
// has, leaving one to every process that reserved a number before this one.
func ownPoint(h *history, r Request) (*study.Suggestion, error) {
	var left []space.Configuration
	for k, a := range ownPoints(h.st) {
		c, err := h.st.Space.Complete(a, rand.New(rand.NewPCG(r.Seed, uint64(k)<<32|streamInitial)))
		if err != nil {
			return nil, err
		}
		if h.new(c) {
			left = append(left, c)
		}
	}
	if h.ahead >= len(left) {
		return nil, nil
	}
	return &study.Suggestion{Config: left[h.ahead], Source: "initial", Spare: left[h.ahead+1:]}, nil
}

// again proposes the best configuration of another context of the study, so that its value of now is known; nil: it is
// known or under way, or there is none.
func again(h *history, trials []study.Trial, r Request) *study.Suggestion {
	stale := lists.Only(study.Pointers(trials), func(t *study.Trial) bool {
		return t.Stale && t.State == study.Complete && h.st.Measured(t) && h.st.Feasible(t) &&
			h.st.Space.Proposable(t.Config) == nil
	})
	if len(stale) == 0 || len(r.Fixed) > 0 || h.ahead > 0 {
		return nil
	}
	if best := h.st.First(stale, 1)[0]; h.new(best.Config) {
		return &study.Suggestion{Config: best.Config, Source: "replicate"}
	}
	return nil
}

// untried finds any new configuration: by sampling, then by enumeration where the space is small.
// The source describes how it was found.
func untried(h *history, r Request, source string) (*study.Suggestion, error) {
	st := h.st
	rng := generator(r, streamUntried)
	var sampled error
	for range maxRetries {
		c, err := st.Space.Complete(r.Fixed, rng)
		if err != nil {
			sampled = err
			break
		}
		if h.new(c) {
			return &study.Suggestion{Config: c, Source: source}, nil
		}
	}
	var all, left []space.Configuration
	if size, known := st.Space.Count(); known && size <= maxEnumerated {
		all = st.Space.Enumerate(maxEnumerated)
	}
	tried := 0
	for _, c := range all {
		switch {
		case !Matches(c, r.Fixed):
		case h.new(c):
			left = append(left, c)
		default:
			tried++
		}
	}
	switch {
	case len(left) > 0:
		rng.Shuffle(len(left), func(a, b int) { left[a], left[b] = left[b], left[a] })
		return &study.Suggestion{Config: left[0], Source: source, Spare: left[1:]}, nil
	case all != nil && len(r.Fixed) > 0:
		return nil, exhaustedWith(tried)
	case all != nil:
		return nil, exhausted(float64(len(all)))
	case sampled != nil:
		return nil, sampled
	}
	return nil, study.Errorf(study.Exhausted, "widen the space, or drop --fix",
		"nothing new to suggest: %d random configurations were all tried before", maxRetries)
}

// maxEnumerated is the largest space whose configurations are listed.
const maxEnumerated = 100_000

// Exhausted is the error of a finite space, or the part of it with fixed values, whose configurations have all been
// tried, or are being chosen for the trials that are reserved; nil: a new one is left.
func Exhausted(st *study.Study, trials []study.Trial, fixed space.Assignment) error {
	size, finite := st.Space.Count()
	if (!finite || size > float64(len(trials))) && (len(fixed) == 0 || st.Space.MoreThan(len(trials), fixed)) {
		return nil
	}
	h := readHistory(st, trials, Request{})
	reserved, found := 0, map[string]bool{} // configurations with the fixed values
	for i := range trials {
		if t := &trials[i]; t.State == study.Reserved && !t.Released {
			reserved++
		} else if len(fixed) > 0 && Matches(t.Config, fixed) && !h.new(t.Config) {
			found[st.Space.Key(t.Config)] = true
		}
	}
	switch {
	case finite && float64(h.seen.len()+reserved) >= size:
		return exhausted(size)
	case len(fixed) == 0 || st.Space.MoreThan(len(found)+reserved, fixed):
		return nil
	}
	return exhaustedWith(len(found))
}

// Matches reports whether a configuration has fixed values, in force.
func Matches(c space.Configuration, fixed space.Assignment) bool {
	for i, v := range fixed {
		if i >= len(c.Active) || !c.Active[i] || c.Value[i] != v {
			return false
		}
	}
	return true
}

func exhaustedWith(n int) error {
	return study.Errorf(study.Exhausted, "`bohier best` shows the result; drop --fix to go on",
		"every configuration with the fixed values (%d) has been tried or handed out", n)
}

func exhausted(size float64) error {
	return study.Errorf(study.Exhausted, "`bohier best` shows the result; widen the space to go on",
		"every configuration of the space (%.0f) has been tried or handed out", size)
}

// fix imposes values on a configuration; parameters they activate are drawn, parameters they switch off are dropped.
func fix(s *space.Space, c space.Configuration, fixed space.Assignment, rng *rand.Rand) (space.Configuration, error) {
	a := c.Assignment()
	maps.Copy(a, fixed)
	if d, err := s.Complete(a, rng); err == nil {
		return d, nil
	}
	// The rest of the point may contradict the fixed values: keep only those.
	return s.Complete(fixed, rng)
}
