package zaefferer

import (
	"context"
	"fmt"
	"math"

	"bohier/internal/gp"
	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A Model is one row of the study: a kernel and how its hyperparameters are found.
type Model struct {
	// Kernel is one of Kernels.
	Kernel string
	// Optimizer is "direct", the paper's 200 evaluations of the likelihood, or "lbfgs", the program's own.
	Optimizer string
}

// Kernels are the paper's six and two of the program's own. The stan kernel does not know the hierarchy. Icocor repairs
// an indefinite matrix by a spectrum flip whose cross-covariances go through the same transformation.
var Kernels = []string{"stan", "ico", "icocor", "arc", "imp", "imparc", "box", "hmodlap"}

// paper are the kernels that the paper compares, with our repair of icocor.
var paper = []string{"stan", "ico", "icocor", "arc", "imp", "imparc"}

// hierarchy reports whether the kernel knows which values are inactive.
func (m Model) hierarchy() bool { return m.Kernel != "stan" }

func (m Model) String() string { return m.Kernel + ", " + m.Optimizer }

// spec is the kernel in the form of kernels.New.
func (m Model) spec() kernels.Spec {
	switch m.Kernel {
	case "stan":
		return kernels.Spec{Name: "exp", ARD: true}
	case "hmodlap":
		return kernels.Spec{Name: "hmodlap", ARD: true}
	}
	return kernels.Spec{Name: m.Kernel, Base: "exp", AlwaysActive: "same", ARD: true}
}

// Lines are the lines of a study file that search by expected improvement with the model, as the paper: 200 evaluations
// of the likelihood by DIRECT, 10,000 scores by differential evolution.
func (m Model) Lines() string {
	s := m.spec()
	kernel := s.Name
	if s.AlwaysActive != "" {
		kernel = fmt.Sprintf("{name: %s, base: exp, always_active: same}", s.Name)
	}
	return fmt.Sprintf(`objective: {name: f, direction: minimize, transform: none}
policy: plain
surrogate: {kernel: %s, form: kriging, inference: mle, reinterpolate: true, fit: {optimizer: direct, evaluations: 200}}
acquisition: {name: ei, search: {optimizer: de, candidates: 10000}}
`, kernel)
}

// fit is the Kriging model of the paper: constant mean, nugget, re-interpolation.
func (m Model) fit(ctx context.Context, x *points.Set, y []float64, seed uint64) (*gp.Model, *gp.Report, error) {
	k, err := kernels.New(m.spec(), coords(m.hierarchy()))
	if err != nil {
		return nil, nil, err
	}
	o := gp.Options{Form: "kriging", Inference: "mle", Reinterpolate: true, Nugget: -1, Seed: seed}
	if o.Optimizer = m.Optimizer; m.Optimizer == "direct" {
		o.Evaluations = 200
	}
	return gp.Fit(ctx, k, x, y, o)
}

// rmse is the root of the mean squared error.
func rmse(mean, want []float64) float64 {
	sum := 0.0
	for i, v := range want {
		sum += (mean[i] - v) * (mean[i] - v) / float64(len(want))
	}
	return math.Sqrt(sum)
}
