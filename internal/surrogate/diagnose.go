package surrogate

import (
	"cmp"
	"fmt"
	"gonum.org/v1/gonum/floats"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"bohier/internal/gp"
	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A Rating summarises leave-one-out predictions, in the objective's own units.
type Rating struct {
	RMSE       float64
	LogLoss    float64 // mean negative log density of a value
	Coverage90 float64 // share of the values inside their central 90 % interval
}

// LeftOut brings the leave-one-out predictions of a fit back from the transform.
// Where several studies are fitted together, all of theirs are among them.
func (f *Fitted) LeftOut() study.LeftOut {
	loo := f.Report.LOO()
	n := len(loo.Mean)
	out := study.LeftOut{Observed: make([]float64, n), Mean: make([]float64, n), Low: make([]float64, n),
		High: make([]float64, n), Level: make([]float64, n)}
	const z = 1.6448536269514722 // Φ⁻¹(0.95)
	for i := range n {
		sd := loo.Std[i]
		mean, _ := gp.Moments(f.Transform, loo.Mean[i], sd)
		out.Observed[i] = f.Sign * f.Transform.Inverse(loo.Observed[i])
		out.Mean[i] = f.Sign * gp.Clamped(mean)
		out.Low[i] = f.Sign * gp.Clamped(f.Transform.Inverse(loo.Mean[i]-z*sd))
		out.High[i] = f.Sign * gp.Clamped(f.Transform.Inverse(loo.Mean[i]+z*sd))
		out.Level[i] = 0.5
		if miss := loo.Mean[i]/2 - loo.Observed[i]/2; miss != 0 { // halves cannot overflow
			out.Level[i] = math.Erfc(math.Sqrt2*miss/sd) / 2
		}
		if f.Sign < 0 {
			out.Low[i], out.High[i] = out.High[i], out.Low[i]
			out.Level[i] = 1 - out.Level[i]
		}
	}
	return out
}

// Rating summarises LeftOut: the errors of the means, the log density of the values in the
// objective's own units, and the coverage of the intervals.
func (f *Fitted) Rating() Rating {
	l := f.LeftOut()
	n, root := len(l.Observed), math.Sqrt(float64(len(l.Observed)))
	miss := lists.Make(n, func(i int) float64 { return gp.Clamped(l.Observed[i]-l.Mean[i]) / root })
	return Rating{RMSE: floats.Norm(miss, 2), LogLoss: -f.Density(), Coverage90: f.Report.LOO().Coverage90}
}

// Distrust returns reasons not to trust the surrogate's predictions, as sentences.
func (f *Fitted) Distrust() []string {
	out := append(f.Stopped(), f.Report.Warnings...)
	loo := f.Report.LOO()
	n := float64(len(loo.Mean))
	inside := math.Round(loo.Coverage90 * n)
	// The probability that so few of n lie in intervals that hold nine of ten.
	if n > inside && mathext.RegIncBeta(n-inside, inside+1, 0.1) < 0.01 {
		out = append(out, fmt.Sprintf("only %.0f %% of the values lie in the 90 %% interval predicted from the others: the "+
			"surrogate is too sure of itself", 100*loo.Coverage90))
	}
	if n >= 5 && loo.StdLogLoss > 0 {
		out = append(out, "a normal distribution of all values predicts each as well as the surrogate does: it has learnt "+
			"nothing from the parameters yet")
	}
	return out
}

// Stopped returns the bounds that stopped the fit of a hyperparameter, as sentences with advice.
func (f *Fitted) Stopped() []string {
	if f.Report == nil { // nothing was fitted
		return nil
	}
	var out []string
	for _, r := range f.Report.Stopped {
		bound, what, how := r.Low, "likelihood", "set surrogate.inference to map, or widen surrogate.hyperparameters.bounds"
		if r.Met == "upper" {
			bound = r.High
		}
		if r.Prior != nil {
			what, how = "posterior", "widen surrogate.hyperparameters.bounds"
		}
		out = append(out, fmt.Sprintf("%s is at its %s bound %.3g, where the %s still climbs: %s", r.Name, r.Met, bound,
			what, how))
	}
	return out
}

// Degradations say where the fit or earlier suggestions had to make do with less, and why.
func Degradations(f *Fitted, st *study.Study, h Data, trials []study.Trial) []string {
	out := slices.Clone(f.Warnings)
	r := f.Report
	if r.Jitter > 0 {
		out = append(out, fmt.Sprintf("jitter: %g of the variance was added to the nearly singular kernel matrix", r.Jitter))
	}
	if r.Fallback == "noise" {
		out = append(out, "noise: fitted with at least 1e-3 of the values' variance, because no kernel matrix was stable "+
			"with less")
	}
	if r.FitPoints < r.Points {
		out = append(out, fmt.Sprintf("subset: hyperparameters were fitted on %d of %d points", r.FitPoints, r.Points))
	}
	if all := NewDataset(st, RowsOf(h.Observed), f.Sign, Measured(st.Objective().Name)).y; len(all) == len(f.raw) {
		pulled, to := 0, 0.0
		for i, v := range all {
			if v != f.raw[i] {
				pulled, to = pulled+1, f.Sign*f.raw[i]
			}
		}
		if pulled > 0 {
			out = append(out, fmt.Sprintf("outliers: %d of %d values were pulled in to %.6g", pulled, len(all), to))
		}
	}
	reasons := map[string]int{}
	for k := range trials {
		if why, ok := strings.CutPrefix(trials[k].Source, "fallback:"); ok {
			reasons[why]++
		}
	}
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		out = append(out, fmt.Sprintf("suggestions: %d without a surrogate, because %s", reasons[why],
			cmp.Or(because[why], why)))
	}
	return out
}

// because explains the reasons of fallbacks.
var because = map[string]string{
	"empty":       "no observation lay in the space",
	"flat":        "all values were equal",
	"feasibility": "all values were equal and none was feasible: the constraints chose",
	"singular":    "no hyperparameters gave a stable kernel matrix",
	"search":      "the search found nothing new",
}

// Ranges are those of the hyperparameters, in the sign of the objective.
func (f *Fitted) Ranges() []gp.Range {
	out := slices.Clone(f.Report.Ranges)
	for k := range out {
		r := &out[k]
		if r.Name != "mean" || f.Sign > 0 {
			continue
		}
		r.Value, r.Low, r.High = -r.Value, -r.High, -r.Low
		if r.Prior != nil {
			r.Prior = &[2]float64{-r.Prior[1], -r.Prior[0]}
		}
	}
	return out
}

// Slopes are those of a linear mean, by parameter: by how much the mean of the transformed objective, in the
// objective's sign, rises from the lower to the upper end of the range. They are nil where the mean is not linear.
func (f *Fitted) Slopes(sp *space.Space) map[string]float64 {
	var out map[string]float64
	for c, v := range f.Model.Slopes() {
		if out == nil {
			out = map[string]float64{}
		}
		out[sp.Param(sp.Coordinates()[c]).Name] = f.Sign * v
	}
	return out
}

const (
	importancePoints = 3000 // random configurations
	importanceBins   = 12   // quantiles of a number
)

// Importance is the share of the variance of the predicted objective over random
// configurations that each parameter explains by itself (0…1): its first-order index
// (Sobol' 1993) among the configurations in which it is active, less the part that chance explains (Kelley 1935), times
// their share in the variance. Effects of parameters that are drawn independently are orthogonal, whatever activates
// them, so that the shares add up to at most 1; the rest are interactions. Constraints between parameters tie them
// together: then shares can overlap. Numbers are cut at quantiles. Constants have no entry.
func (f *Fitted) Importance(sp *space.Space, seed uint64) map[string]float64 {
	r := rand.New(rand.NewPCG(seed, 0x1a9e))
	sample := space.NewDomain(sp, nil).Sample(r, importancePoints)
	confs := lists.Make(sample.Len(), func(i int) space.Configuration { return sp.Decode(sample, i) })
	mean, _, _ := f.Predict(sp, confs)
	all := squares(mean)
	out, sum := map[string]float64{}, 0.0
	for c, i := range sp.Coordinates() {
		p := sp.Param(i)
		active := lists.Where(len(confs), func(k int) bool { return sample.Active(c, k) })
		slices.SortStableFunc(active, func(x, y int) int { return cmp.Compare(sample.At(c, x), sample.At(c, y)) })
		y, group := make([]float64, len(active)), make([]int, len(active))
		for rank, k := range active {
			y[rank], group[rank] = mean[k], rank*importanceBins/len(active)
			if p.Levels() > 0 {
				group[rank] = int(sample.At(c, k))
			}
		}
		out[p.Name] = 0
		own := squares(y)
		if share := explained(y, group, own) * own / all; share > 0 { // all may be 0
			out[p.Name] = share
		}
		sum += out[p.Name]
	}
	if sum > 1 && !sp.Coupled() { // by chance
		for name := range out {
			out[name] /= sum
		}
	}
	return out
}

// squares is the sum of squared deviations from the mean.
func squares(y []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		sum += (v - mean) * (v - mean)
	}
	return sum
}

// explained is the share between groups of all, the squares of y.
func explained(y []float64, group []int, all float64) float64 {
	sums, counts := map[int]float64{}, map[int]float64{}
	for k, v := range y {
		sums[group[k]] += v
		counts[group[k]]++
	}
	within := 0.0
	for k, v := range y {
		d := v - sums[group[k]]/counts[group[k]]
		within += d * d
	}
	n, groups := float64(len(y)), float64(len(counts))
	if !(all > 0) || n <= groups {
		return 0
	}
	if share := 1 - within/(n-groups)*(n-1)/all; share > 0 {
		return share
	}
	return 0 // chance, or values whose squares overflow
}
