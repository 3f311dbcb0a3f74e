package regression

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"bohier/bench/results"
	"bohier/internal/gp"
	"bohier/internal/kernels"
	"bohier/internal/points"
)

// Version names the protocol of the results.
const Version = "regression 1"

// A Key tells fits apart.
type Key struct {
	Study string `json:"study"` // fm or swersky
	Set   string `json:"set"`   // data set; of swersky: raw, log, half or log half
	Model string `json:"model"`
	Split int    `json:"split"`
}

func (k Key) String() string {
	return fmt.Sprintf("%s, %s, %s, split %d", k.Study, k.Set, k.Model, k.Split)
}

// Open opens the file of the fits' results.
func Open(path string) (*results.File[Key, *Result], error) {
	return results.Open(path, Version, func(r *Result) Key { return r.Key })
}

// Task is one fit.
type Task = results.Task[Key, *Result]

// A trial trains a model on one part of a data set and tests it on the rest.
type trial struct {
	Key
	model       model
	data        *Data
	train, test []int
}

func (t trial) task() Task { return Task{Key: t.Key, Run: t.run} }

// A Result is what one fit gave. Errors and densities are in units of the
// training targets' standard deviation (fm) or of all targets' (swersky).
type Result struct {
	Key
	Train     int     `json:"train"`
	Test      int     `json:"test"`
	RMSE      float64 `json:"rmse"`
	NLLLatent float64 `json:"nll_latent,omitempty"` // mean over test points, variance of the function
	NLLNoisy  float64 `json:"nll_noisy,omitempty"`  // and of an observation
	LogML     float64 `json:"log_ml,omitempty"`     // log marginal likelihood of the training targets
	Noise     float64 `json:"noise,omitempty"`      // variance
	Evals     int     `json:"evaluations,omitempty"`
	Seconds   float64 `json:"seconds"`
}

// A model is a linear regression or a Gaussian process.
type model struct {
	name     string
	linear   bool
	separate bool
	kernel   kernels.Spec
}

// settings say how hyperparameters are chosen.
type settings struct {
	Starts int // 0: the program's default, ten
	Coarse int // points that the starts are tried on; 0: all
	Evals  int // most likelihood evaluations on all points (of the best start); 0: 300 a start
}

// fits are the authors' ways as far as the program has them: the FM paper takes
// the best of ten random starts, Swersky et al. one start and 100 evaluations.
var fits = map[string]settings{
	"fm":      {Coarse: 150, Evals: 100},
	"swersky": {Starts: 1, Evals: 100},
}

// run fits and tests.
func (t trial) run(ctx context.Context) (*Result, error) {
	began := time.Now()
	r := &Result{Key: t.Key, Train: len(t.train), Test: len(t.test)}
	x, q := t.data.X.Select(t.train), t.data.X.Select(t.test)
	y, want := pick(t.data.Y, t.train), pick(t.data.Y, t.test)
	centre, scale := moments(y)
	if t.Study == "swersky" {
		_, scale = moments(t.data.Y)
	}
	for i := range y {
		y[i] = (y[i] - centre) / scale
	}
	for i := range want {
		want[i] = (want[i] - centre) / scale
	}
	mean, variance := make([]float64, len(want)), make([]float64, len(want))
	if t.model.linear {
		linear(mean, x, y, q, t.model.separate)
	} else if err := t.predict(ctx, r, x, y, q, mean, variance); err != nil {
		return nil, err
	}
	for i, v := range want {
		miss := v - mean[i]
		r.RMSE += miss * miss / float64(len(want))
		if !t.model.linear {
			r.NLLLatent += surprise(miss, variance[i]) / float64(len(want))
			r.NLLNoisy += surprise(miss, variance[i]+r.Noise) / float64(len(want))
		}
	}
	r.RMSE = math.Sqrt(r.RMSE)
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// predict fits a process, or one for each pattern of activity, which predict their points of q.
// Where a pattern has too few training points the prediction is the mean and variance of all.
func (t trial) predict(ctx context.Context, r *Result, x *points.Set, y []float64, q *points.Set, mean,
	variance []float64) error {
	all, asked := map[string][]int{}, map[string][]int{}
	for side, s := range []*points.Set{x, q} {
		for i := range s.Len() {
			key := ""
			if t.model.separate {
				key = activity(s, i)
			}
			to := []map[string][]int{all, asked}[side]
			to[key] = append(to[key], i)
		}
	}
	_, scale := moments(y)
	for i := range variance {
		variance[i] = scale * scale
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		idx := all[key]
		m, rep, err := t.fit(ctx, fits[t.Study], x.Select(idx), pick(y, idx))
		if _, few := errors.AsType[*gp.FallbackError](err); few && t.model.separate {
			continue
		}
		if err != nil {
			return err
		}
		r.Noise, r.LogML, r.Evals = max(r.Noise, m.Noise()), r.LogML+rep.LogMarginalLikelihood, r.Evals+rep.Evaluations
		mu, v := make([]float64, len(asked[key])), make([]float64, len(asked[key]))
		m.Predict(mu, v, q.Select(asked[key]))
		for k, i := range asked[key] {
			mean[i], variance[i] = mu[k], v[k]
		}
	}
	return nil
}

// fit chooses hyperparameters. Where there are more points than f.Coarse the
// starts are tried on a random part of them, and the best goes on with all.
func (t trial) fit(ctx context.Context, f settings, x *points.Set, y []float64) (*gp.Model, *gp.Report, error) {
	k, err := kernels.New(t.model.kernel, t.data.Coords)
	if err != nil {
		return nil, nil, err
	}
	o := gp.Options{
		Inference: "mle", Starts: f.Starts, Seed: uint64(t.Split), MaxFit: len(y),
	}
	if f.Coarse > 0 && len(y) > f.Coarse {
		some := shuffled(uint32(t.Split), len(y))[:f.Coarse]
		_, rep, err := gp.Fit(ctx, k, x.Select(some), pick(y, some), o)
		if err != nil {
			return nil, nil, err
		}
		o.Params, o.Starts = gp.Params(k, y), 1
		for i := range o.Params {
			p := &o.Params[i]
			p.Init = min(max(rep.Hyper[p.Name], p.Lo), p.Hi)
		}
	}
	if o.Starts == 1 {
		o.Evaluations = f.Evals
	}
	return gp.Fit(ctx, k, x, y, o)
}

// surprise is −ln N(miss; 0, variance). Like the authors' library it takes no variance for less than 1e-6.
func surprise(miss, variance float64) float64 {
	variance = max(variance, 1e-6)
	return 0.5*math.Log(2*math.Pi*variance) + miss*miss/(2*variance)
}

// moments are the mean and the standard deviation, divided by n.
func moments(y []float64) (mean, sd float64) {
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		sd += (v - mean) * (v - mean) / float64(len(y))
	}
	return mean, math.Sqrt(sd)
}
