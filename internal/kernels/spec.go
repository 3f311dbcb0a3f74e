package kernels

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// Spec is a kernel by name with its options. An empty string means the default, which is also accepted where an option
// has no meaning; anything else where it has none is refused.
type Spec struct {
	Name         string   // one of Names
	Parts        []Spec   // the parts of add and multiply
	Over         []string // the coordinates that a part sees; nil: all
	Base         string   // one of Bases; default matern52
	Combine      string   // joint (default), product, sum
	AlwaysActive string   // plain (default) or same: the distance of coordinates that are never inactive
	Weights      string   // free (default) or ancestors, for arc
	Constant     float64  // const: the unit coordinate that stands for inactivity
	ARD          bool     // one weight per coordinate instead of one for all
	// one of Embeddings, for conditional numbers in kernels on graphs; default box in hmodlap, else flat
	Embedding   string
	Normalize   bool // kernels on graphs get a unit diagonal
	Warp        bool // Kumaraswamy warping of the numeric coordinates
	WarpDecades bool // that of numbers over decades alone
	// Numeric coordinates and choices without an order that are active at once, for priors; 0: all.
	ActiveDim, ActiveChoices int
}

// Names lists the kernels New knows.
func Names() []string {
	return slices.Concat(Bases(), Embeddings(), []string{"ico", "icocor"}, graphNames,
		[]string{"effects", "linear", "add", "multiply"})
}

// New makes the kernel that s names for points with the given coordinates. The error names the option at fault. The
// caller checks that words are among those listed above.
func New(s Spec, coords []Coord) (Kernel, error) {
	if err := s.Check(coords); err != nil {
		return nil, err
	}
	return compose(len(coords), s.flips(), func(prefix string, all *declared) part {
		return newBuilder(s, coords, prefix, all).build()
	}), nil
}

// build makes the part that the settings describe.
func (b *builder) build() part {
	switch name := b.spec.Name; {
	case len(b.spec.Parts) > 0:
		return b.expression()
	case slices.Contains(graphNames, name):
		return b.graphKernel()
	case name == "linear":
		return b.linearKernel()
	case name == "effects":
		return b.effectsKernel()
	}
	return b.distanceKernel()
}

// Check returns New's error.
func (s Spec) Check(coords []Coord) error {
	if err := s.check(coords); err != nil {
		return err
	}
	for _, c := range coords {
		if !s.sees(c.Name) {
			return fmt.Errorf("kernel %s: no part sees the parameter %s; name it in the over of one", s.Name, c.Name)
		}
	}
	return nil
}

func (s Spec) check(coords []Coord) error {
	if len(s.Parts) > 0 || s.Name == "add" || s.Name == "multiply" {
		return s.checkExpression(coords)
	}
	if err := newBuilder(s, coords, "", nil).check(); err != nil {
		return fmt.Errorf("kernel %s: %w", s.Name, err)
	}
	return nil
}

// Finite reports whether covariances are finite, and variances positive, where all numbers, and all choices, of a point
// are near or at one end of their ranges, with and without what is conditional.
func Finite(k Kernel, coords []Coord, theta []float64) bool {
	x := points.New(8, len(coords))
	row := make([]float64, x.Len())
	for i := range row {
		for c, co := range coords {
			v := [...]float64{1. / 64, 1}[i&1]
			if co.Levels > 0 {
				v = float64((i >> 1 & 1) * (co.Levels - 1))
			}
			x.Set(c, i, v, !co.Conditional || i < 4)
		}
	}
	cov := k.Bind(theta, x)
	return !lists.Any(len(row), func(i int) bool {
		cov.Row(row, x, i, 0)
		return !(row[i] > 0 && floats.Norm(row, 1) < math.Inf(1))
	})
}

// HasConstant reports whether a kernel or a part of it has a constant other than the default.
func (s Spec) HasConstant() bool {
	return s.Constant != 0 && s.Constant != -1 || slices.ContainsFunc(s.Parts, Spec.HasConstant)
}

// graphNames are the kernels that see choices as vertices of graphs.
var graphNames = []string{
	"lap", "dif", "modlap", "moddif", "modnn", "modkernel",
	"prodlap", "proddif", "addlap", "adddif", "hmodlap", "mix",
}

// onlyGraphs are those without a part on numbers.
var onlyGraphs = []string{"lap", "dif"}

// unused refuses a value other than the default where it has no meaning.
func unused(option, value, fallback string, meaningful bool) error {
	if meaningful || value == "" || value == fallback {
		return nil
	}
	return fmt.Errorf("option %s: %s does not apply", option, value)
}

func (b *builder) check() error {
	s := b.spec
	if !slices.Contains(Names(), s.Name) {
		return fmt.Errorf("no such kernel; valid: %s", strings.Join(Names(), ", "))
	}
	graph := slices.Contains(graphNames, s.Name)
	plain := slices.Contains(Bases(), s.Name)
	additive := s.Name == "linear" || s.Name == "effects"
	based := !graph && s.Name != "linear" || s.Name == "modkernel" || s.Name == "mix"
	embeds := graph && !slices.Contains(onlyGraphs, s.Name) && s.Name != "modnn"
	usual := "matern52"
	if plain {
		usual = s.Name
	}
	if err := cmp.Or(
		unused("base", s.Base, usual, based && !plain),
		unused("combine", s.Combine, "joint", !graph && !additive),
		unused("always_active", s.AlwaysActive, "plain", !graph && !additive),
		unused("weights", s.Weights, "free", s.Name == "arc"),
		unused("embedding", s.Embedding, "", embeds),
	); err != nil {
		return err
	}
	switch {
	case s.HasConstant() && !slices.Contains([]string{s.Name, s.Embedding}, "const") && s.Name != "linear":
		return fmt.Errorf("option constant does not apply: no distance is const")
	case s.Normalize && (!graph || s.Name == "modnn"): // k_NN(x, x) varies
		return fmt.Errorf("option normalize does not apply")
	}
	for _, c := range b.own() {
		switch _, equal := uniform(c.Graph, c.Levels); {
		case c.Levels == 0 && slices.Contains(onlyGraphs, s.Name):
			return fmt.Errorf("parameter %s is numeric; %s is for spaces of choices only (prod%s takes both)", c.Name, s.Name,
				s.Name)
		case graph && c.Levels > maxVertices && !equal && (c.Positions != nil || len(c.Graph.Edges) > 0):
			return fmt.Errorf("parameter %s: graphs of more than %d values other than the complete graph are not available yet",
				c.Name, maxVertices)
		}
	}
	return nil
}
