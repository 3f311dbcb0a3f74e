package surrogate

import (
	"math"
	"slices"

	"bohier/internal/gp"
	"bohier/internal/lists"
	"bohier/internal/study"
)

// The curve of a trial that has not ended counts as a measurement of its end, with a variance (after Swersky, Snoek &
// Adams 2014, arXiv:1406.3896). Ends that are known calibrate it: how much of the news of a curve is followed, and how
// far predictions miss. Both have the largest likelihood under Student's distribution, found by iterated weights
// (Lange, Little & Taylor 1989, doi:10.1080/01621459.1989.10478852).

// An Extrapolation is a model of curves with the errors of its predictions of ends.
type Extrapolation struct {
	// Density is the mean log density of known ends left out, in the objective's own units, each
	// predicted without its own curve and from that up to every level; 0 without ends.
	Density float64
	fit     *Fitted
	st      *study.Study
	levels  []calibration // by level
	// errors are, by level, the variances of the measurements of an end that curves up to there
	// are, standardised, one for each trial.
	errors [][]float64
}

// A calibration is how far news of curves up to one level is to be followed: the share of it by which the known ends
// differed from their prediction without the curve, and the ratio of the misses to the remaining variance.
type calibration struct {
	share, spread float64
	blind         float64 // as spread, of expectations without the curve
}

// left is the variance that is left of va where so much of news that leaves vb is followed.
func (c calibration) left(va, vb float64) float64 { return vb + (1-c.share)*(1-c.share)*(va-vb) }

// measurement is the news of a curve as a measurement of its end: it goes so many times farther
// than the news, and has that variance, infinite where a curve predicts too little to count.
func (c calibration) measurement(va, vb float64) (gain, variance float64) {
	before, after := c.blind*va, c.spread*c.left(va, vb)
	if !(after < (1-little)*before) {
		return 0, math.Inf(1)
	}
	gain = before / (before - after) // leads from before to after
	return gain, after * gain
}

// An end is a value at full resource, with its prediction without the trial's own curve (mean a, variance va) and with
// the curve up to a level (b, vb), all standardised; slope is the logarithm of the transform's there.
type end struct{ y, a, va, b, vb, slope float64 }

// Before any end is known the model's word is worth priorEnds ends, and its variances count priorSpread times: on
// networks curves were predicted three standard deviations off (root mean square). Misses have Student's distribution
// with so many degrees of freedom: now and then a curve that was predicted exactly turns.
const (
	priorEnds   = 2
	priorSpread = 9
	tails       = 4
	// leastNoise is the variance that an end has at least: a curve predicted to the last digit misses by rounding.
	leastNoise = 1e-12
)

// calibrate compares known ends with their predictions; noise is the variance of an end.
func calibrate(ends []end, noise float64) calibration {
	c := calibration{share: 1, spread: priorSpread, blind: 1}
	n := priorEnds + float64(len(ends))
	trust := func(squared float64) float64 { return (tails + 1) / (tails + squared) }
	for range 20 {
		cross, square, spread, blind := float64(priorEnds), float64(priorEnds), float64(priorEnds*priorSpread),
			float64(priorEnds)
		for _, e := range ends {
			news, far, v := e.b-e.a, e.y-e.a, c.left(e.va, e.vb)+noise
			miss := far - c.share*news
			w := trust(miss * miss / v / c.spread)
			cross += w * news * far / (v * c.spread)
			square += w * news * news / (v * c.spread)
			spread += w * miss * miss / v
			z := far * far / (e.va + noise)
			blind += trust(z/c.blind) * z
		}
		c = calibration{share: min(1, max(0, cross/square)), spread: spread / n, blind: blind / n}
	}
	return c
}

// densities are the log densities of an end, but for a constant, without its curve and with it.
func (c calibration) densities(e end, noise float64) (without, with float64) {
	density := func(miss, v float64) float64 {
		return e.slope - math.Log(v)/2 - (tails+1)/2.*math.Log1p(miss*miss/(tails*v))
	}
	return density(e.y-e.a, c.blind*(e.va+noise)), density(e.y-e.a-c.share*(e.b-e.a), c.spread*(c.left(e.va, e.vb)+noise))
}

// calibrating is the number of complete trials, taken evenly, that calibrate an extrapolation.
const calibrating = 300

// Extrapolation compares the ends of complete trials with their prediction by a fit over resources without the trial's
// own curve, and with that up to each level.
func (f *Fitted) Extrapolation(st *study.Study, complete []*study.Trial) *Extrapolation {
	fid, noise := &st.Fidelity, max(f.Model.StandardNoise(), leastNoise)
	s := &Extrapolation{fit: f, st: st, levels: make([]calibration, fid.Top()), errors: make([][]float64, fid.Top())}
	var all []end
	var of []*study.Trial
	heard := f.Model.Trials(len(st.Space.Coordinates()) + 1)
	silent := func(t *study.Trial) bool { return heard[float64(t.Number)] == nil }
	complete = slices.DeleteFunc(slices.Clone(complete), silent)
	for k, t := range complete {
		if n := len(complete); n > calibrating && k*calibrating/n == (k+1)*calibrating/n {
			continue
		}
		o, _, ok := fid.Entry(t.Course, fid.Top())
		if v, measured := o.Values.Get(st.Objective().Name); ok && measured && t.Teaches() {
			v *= f.Sign
			all = append(all, end{y: f.Model.Units().Standard(f.Transform.Forward(v)), slope: f.Transform.LogSlope(v)})
			of = append(of, t)
		}
	}
	above := []float64{0}
	for k := range s.levels {
		above = append(above, fid.Levels[k]/fid.High())
	}
	means, variances := f.omitting(st, of, above...)
	densities := 0.0
	for k := range s.levels {
		var ends []end
		for i, e := range all {
			if of[i].Course.Find(fid.Levels[k]) != nil {
				e.a, e.va, e.b, e.vb = means[0][i], variances[0][i], means[k+1][i], variances[k+1][i]
				ends = append(ends, e)
			}
		}
		s.levels[k] = calibrate(ends, noise)
		for _, e := range ends {
			without, with := s.levels[k].densities(e, noise)
			s.Density, densities = s.Density+without+with, densities+2
			_, variance := s.levels[k].measurement(e.va, e.vb)
			s.errors[k] = append(s.errors[k], variance)
		}
	}
	if densities > 0 {
		s.Density = s.Density/densities - math.Log(f.Model.Units().Deviation(1))
	}
	return s
}

// omitting predicts the ends of trials without their own values above each relative resource, standardised.
func (f *Fitted) omitting(st *study.Study, trials []*study.Trial, above ...float64) (means, variances [][]float64) {
	if len(trials) == 0 {
		return make([][]float64, len(above)), make([][]float64, len(above))
	}
	numbers := lists.Of(trials, func(t *study.Trial) float64 { return float64(t.Number) })
	return f.Model.Omitting(f.Ends(st, trials), len(st.Space.Coordinates()), numbers, above)
}

// little is the least share of its variance that a curve must take from the expectation of an end to count at all.
const little = 0.25

// Ends predicts the ends of partial trials from their curves, beside the predictions from all other trials:
// measurements with a standard error at full resource. A trial whose curve predicts nothing reliable has none.
func (s *Extrapolation) Ends(partial []*study.Trial) (out []Row) {
	f, fid := s.fit, &s.st.Fidelity
	var kept []*study.Trial
	var levels []int
	heard := f.Model.Trials(len(s.st.Space.Coordinates()) + 1)
	for _, t := range partial {
		k := min(fid.LevelAt(fid.Resource(t.Course)), len(s.levels)-1) // beyond a full resource that was lowered, too
		if heard[float64(t.Number)] != nil && t.Teaches() && k >= 0 {
			kept, levels = append(kept, t), append(levels, k)
		}
	}
	means, variances := f.omitting(s.st, kept, 0, math.Inf(1))
	units := f.Model.Units()
	for j, k := range levels {
		without, with := means[0][j], means[1][j]
		gain, variance := s.levels[k].measurement(variances[0][j], variances[1][j])
		s.errors[k] = append(s.errors[k], variance)
		if math.IsInf(variance, 1) {
			continue
		}
		v := f.Transform.Inverse(units.Value(without + s.levels[k].share*(with-without)*gain))
		sd := s.deviation(variance, v)
		end := study.Observation{Values: study.Values{{Name: s.st.Objective().Name, Value: f.Sign * v}}, Stderr: &sd}
		out = append(out, Row{Trial: kept[j], Resource: fid.High(), Observation: end})
	}
	return out
}

// deviation is a standardised variance as a standard deviation at a value, both in the objective's units.
func (s *Extrapolation) deviation(variance, value float64) float64 {
	return gp.Clamped(s.fit.Model.Units().Deviation(math.Sqrt(variance)) / math.Exp(s.fit.Transform.LogSlope(value)))
}

// Error is the standard error, in the objective's units, with which curves up to a level
// predict an end near a value: the median over trials; infinite where they predict nothing.
func (s *Extrapolation) Error(level int, value float64) float64 {
	v := s.variance(level)
	if math.IsInf(v, 1) {
		return v
	}
	return s.deviation(v, value)
}

// Informs reports whether curves up to a level help to predict ends.
func (s *Extrapolation) Informs(level int) bool { return !math.IsInf(s.variance(level), 1) }

// variance is the median of the known errors of a level, standardised.
func (s *Extrapolation) variance(level int) float64 {
	if s == nil {
		return math.Inf(1)
	}
	errors := s.errors[min(level, len(s.errors)-1)] // as in Ends
	if len(errors) == 0 {
		return math.Inf(1)
	}
	return lists.Median(errors)
}
