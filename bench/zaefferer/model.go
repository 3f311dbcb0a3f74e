package zaefferer

import (
	"context"
	"fmt"
	"math"
	"strings"

	"bohier/internal/gp"
	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A Model is one row of the study: a kernel and how its hyperparameters are found.
type Model struct {
	// Kernel is one of Kernels.
	Kernel string
	// Both applies the kernel's distance to x1 too, which the paper does not say;
	// otherwise only to x2, and x1 has a squared one.
	Both bool
	// Optimizer is "direct", the paper's 200 evaluations of the likelihood; "direct+",
	// 200 for every hyperparameter, which is what the authors' library in fact does; or
	// "lbfgs", the program's own.
	Optimizer string
}

// Kernels are the paper's six and two of the program's own. The stan kernel does not
// know the hierarchy. Icocor repairs an indefinite matrix by a spectrum flip whose
// cross-covariances go through the same transformation.
var Kernels = []string{"stan", "ico", "icocor", "arc", "imp", "imparc", "box", "hmodlap"}

// paper are the kernels that the paper compares, with our repair of icocor.
var paper = []string{"stan", "ico", "icocor", "arc", "imp", "imparc"}

// hierarchy reports whether the kernel knows which values are inactive.
func (m Model) hierarchy() bool { return m.Kernel != "stan" }

func (m Model) String() string {
	where := "x2 only"
	if m.Both {
		where = "both"
	}
	return strings.Join([]string{m.Kernel, where, m.Optimizer}, ", ")
}

// spec is the kernel in the form of kernels.New.
func (m Model) spec() kernels.Spec {
	s := kernels.Spec{Name: m.Kernel, Base: "exp", ARD: true}
	switch m.Kernel {
	case "stan":
		return kernels.Spec{Name: "exp", ARD: true}
	case "hmodlap":
		return kernels.Spec{Name: "hmodlap", ARD: true}
	}
	if m.Both {
		s.AlwaysActive = "same"
	}
	return s
}

// Lines are the lines of a study file that search by expected improvement with the
// model, as the paper: 10,000 scores by differential evolution.
func (m Model) Lines() string {
	s := m.spec()
	kernel := fmt.Sprintf("{name: %s, base: exp}", s.Name)
	switch {
	case s.Name == "exp" || s.Name == "hmodlap":
		kernel = s.Name
	case m.Both:
		kernel = fmt.Sprintf("{name: %s, base: exp, always_active: same}", s.Name)
	}
	optimizer, evaluations := m.optimizer()
	fit := fmt.Sprintf("{optimizer: %s, evaluations: %d}", optimizer, evaluations)
	if optimizer == "lbfgs" {
		fit = "{optimizer: lbfgs}"
	}
	return fmt.Sprintf(`objective: {name: f, direction: minimize, transform: none}
policy: plain
surrogate: {kernel: %s, form: kriging, inference: mle, reinterpolate: true, fit: %s}
acquisition: {name: ei, search: {optimizer: de, candidates: 10000}}
`, kernel, fit)
}

// optimizer is the name and the evaluations of the likelihood.
func (m Model) optimizer() (name string, evaluations int) {
	switch m.Optimizer {
	case "lbfgs":
		return "lbfgs", 0
	case "direct+":
		k, err := kernels.New(m.spec(), coords(m.hierarchy()))
		if err != nil {
			panic(err) // the models are given above
		}
		return "direct", 200 * (len(k.Params()) + 1) // and the nugget
	}
	return "direct", 200
}

// fit is the Kriging model of the paper: constant mean, nugget, re-interpolation.
func (m Model) fit(ctx context.Context, x *points.Set, y []float64, seed uint64) (*gp.Model, *gp.Report, error) {
	k, err := kernels.New(m.spec(), coords(m.hierarchy()))
	if err != nil {
		return nil, nil, err
	}
	o := gp.Options{Form: "kriging", Inference: "mle", Reinterpolate: true, Nugget: -1, Seed: seed}
	o.Optimizer, o.Evaluations = m.optimizer()
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
