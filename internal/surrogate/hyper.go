package surrogate

import (
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"bohier/internal/kernels"
	"bohier/internal/study"
)

// Override applies the study's hyperparameter settings to the declarations.
// Names are matched as the contract spells them, `[*]` matching any parameter.
func Override(params []kernels.Param, h study.Hyper, sign float64) ([]kernels.Param, error) {
	out := append([]kernels.Param(nil), params...)
	flip := func(name string, v float64) float64 {
		if name == "mean" {
			return sign * v
		}
		return v
	}
	apply := func(pattern string, set func(p *kernels.Param) error) error {
		found := false
		for k := range out {
			if !matchName(pattern, out[k].Name) {
				continue
			}
			found = true
			if err := set(&out[k]); err != nil {
				return study.Errorf(study.Usage, "", "surrogate.hyperparameters: %s: %v", pattern, err)
			}
		}
		if !found {
			return unknownHyper(pattern, params)
		}
		return nil
	}
	for _, pattern := range slices.Sorted(maps.Keys(h.Bounds)) {
		b := h.Bounds[pattern]
		if err := apply(pattern, func(p *kernels.Param) error {
			if p.Scale == kernels.Log && b[0] <= 0 {
				return fmt.Errorf("the lower bound must be positive, got %v", b[0])
			}
			p.Lo, p.Hi = b[0], b[1]
			p.Init = min(max(p.Init, p.Lo), p.Hi)
			return nil
		}); err != nil {
			return nil, err
		}
	}
	for _, pattern := range slices.Sorted(maps.Keys(h.Prior)) {
		density := h.Prior[pattern]
		prior, err := kernels.NewPrior(density.Family, density.Args)
		if err != nil {
			return nil, study.Errorf(study.Usage, "", "surrogate.hyperparameters.prior: %s: %v", pattern, err)
		}
		if err := apply(pattern, func(p *kernels.Param) error { p.Prior = prior; return nil }); err != nil {
			return nil, err
		}
	}
	for _, pattern := range slices.Sorted(maps.Keys(h.Initial)) {
		if err := apply(pattern, func(p *kernels.Param) error {
			v := flip(p.Name, h.Initial[pattern])
			if err := inRange(*p, v); err != nil {
				return err
			}
			p.Lo, p.Hi, p.Init = min(p.Lo, v), max(p.Hi, v), v
			return nil
		}); err != nil {
			return nil, err
		}
	}
	for _, pattern := range slices.Sorted(maps.Keys(h.Fixed)) {
		if err := apply(pattern, func(p *kernels.Param) error {
			v := flip(p.Name, h.Fixed[pattern])
			if err := inRange(*p, v); err != nil {
				return err
			}
			p.Lo, p.Hi, p.Init = v, v, v
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// inRange tells whether a hyperparameter may have the value: bounds of positive
// ones are for the fit only, intervals are part of the kernel's definition.
func inRange(p kernels.Param, v float64) error {
	low := min(p.Lo, 0)
	switch {
	case p.Choices > 0 && (v != math.Trunc(v) || v < 0 || v >= float64(p.Choices)):
		return fmt.Errorf("must be a whole number from 0 to %d, got %v", p.Choices-1, v)
	case p.Scale == kernels.Log && v < 0:
		return fmt.Errorf("must not be negative, got %v", v)
	case p.Scale == kernels.Logit && p.Lo < p.Hi && !(v >= low && v <= p.Hi):
		return fmt.Errorf("must be from %v to %v, got %v", low, p.Hi, v)
	}
	return nil
}

// matchName matches a hyperparameter name against a pattern whose brackets may
// hold `*` wildcards.
func matchName(pattern, name string) bool {
	if pattern == name {
		return true
	}
	head, in, ok := strings.Cut(strings.TrimSuffix(pattern, "]"), "[")
	nameHead, nameIn, nameOK := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	if !ok || !nameOK || head != nameHead {
		return false
	}
	match, err := path.Match(in, nameIn)
	return err == nil && match
}

func unknownHyper(pattern string, params []kernels.Param) error {
	names := make([]string, len(params))
	for k, p := range params {
		names[k] = p.Name
	}
	return study.Errorf(study.Usage, "names of this study: "+strings.Join(names, ", "),
		"surrogate.hyperparameters: %q names no hyperparameter of the kernel", pattern)
}
