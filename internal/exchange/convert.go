package exchange

import (
	_ "embed"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/config"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A converter makes a study file of another tool's space. It walks the tool's value: a key that has no counterpart is
// an error at its place, and a key that is left out is reported.
type converter struct {
	*config.Draft
	src     *config.Source
	in      Input
	index   map[string]*config.DraftParam // by the name in the source
	used    map[string]string             // name here → name in the source
	ordered []string                      // parameters with numbers as choices
	untyped bool                          // values are texts, and a text that looks like a number is one
}

// Convert makes a study file of the space; nil where the report has errors. name is that of the source in messages.
func (s *Study) Convert(name string) ([]byte, config.Report) {
	c := &converter{Draft: &config.Draft{Tool: s.Form, Name: s.Name, Objectives: slices.Clone(s.Objectives),
		Constraints: s.Constraints, Require: s.Require, Command: s.Command},
		src: config.TextSource(name, ""), in: s.in, index: map[string]*config.DraftParam{}, used: map[string]string{}}
	c.Budget.Trials = s.Budget
	if s.Form == "irace" {
		for _, p := range append(s.parts, part{"parameters", name, s.Space})[:max(1, len(s.parts))] {
			c.src.Enter(p.file, string(p.text))
			c.irace(p.section, p.text)
		}
	} else {
		root := c.src.Tree(s.Space)
		read := map[string]func(config.Node){"ax": c.optuna, "configspace": c.configspace, "katib": c.katib, "nni": c.nni,
			"optuna": c.optuna, "wandb": c.wandb}[s.Form]
		switch {
		case c.src.Failed():
		case read == nil:
			c.src.Errorf("", "%q is not a form of search spaces", s.Form)
		case !root.IsMap():
			c.src.Errorf("", "this is not a search space of %s", s.Form)
		default:
			read(root)
		}
	}
	if len(c.ordered) > 0 {
		c.src.Warnf("%s with numbers as choices became ordinal, in ascending order: %s; write type: categorical where the "+
			"numbers are mere names",
			study.Count(len(c.ordered), "parameter"), space.Listed(c.ordered))
	}
	return c.File(c.src)
}

// param starts a parameter; nil after a mistake.
func (c *converter) param(at config.Node, source string) *config.DraftParam {
	name := space.NameOf(source)
	if other, taken := c.used[name]; taken {
		at.Errorf("", "%q and %q would both be named %s", other, source, name)
		return nil
	}
	if name != source {
		at.Warnf("", "%q is named %s", source, name)
	}
	p := &config.DraftParam{Name: name}
	c.Params, c.index[source], c.used[name] = append(c.Params, p), p, source
	return p
}

// parameter declares a parameter by the name of its distribution, from the keys that tools have for values, bounds
// and steps.
func (c *converter) parameter(p *config.DraftParam, kind string, at, n config.Node) {
	d, ok := known(at, kind)
	if !ok {
		return
	}
	switch d.Kind {
	case "constant":
		value, wrong := n.Get("value").Try()
		if p.Values = []config.DraftValue{value}; wrong != "" { // a study file cannot hold it
			c.Params = slices.DeleteFunc(c.Params, func(q *config.DraftParam) bool { return q == p })
			at.Warnf("", "%s is left out: %s", p.Name, wrong)
		}
	case "choice", "ordinal":
		var values []config.DraftValue
		for _, item := range n.Get("choices", "sequence", "values", "list").Items() {
			if c.untyped {
				values = append(values, config.Untyped(item.Text()))
			} else if v, ok := item.Value("a value of " + p.Name); ok {
				values = append(values, v)
			}
		}
		c.oneOf(p, d.Kind == "ordinal" || n.Get("ordered").Text() == "true", at, values)
	default:
		number(p, d, at, n)
	}
}

// number declares a number by its bounds or, of a normal distribution that has none, by mean and standard deviation.
func number(p *config.DraftParam, d distribution, at, n config.Node) {
	low, high, needed := n.Get("low", "lower", "min"), n.Get("high", "upper", "max"), "a lower and an upper bound"
	q, given := n.Get("q", "step").Number("the step")
	if n.Get("log", "log_scale").Text() == "true" {
		d.Scale = "log"
	} else if n.Get("logit_scale").Text() == "true" {
		d.Scale = "logit"
	}
	shape, mean := d.Shape, config.Node{}
	if shape != "" {
		n.Get("alpha", "beta")
		mean = n.Get("mu")
	}
	switch free := shape == "normal" && low.Absent(); {
	case free && d.Scale == "log" && !d.Exponent:
		at.Errorf("give it bounds", "%s has a normal distribution of a logarithm without bounds", p.Name)
		return
	case free:
		low, high, needed, shape = mean, n.Get("sigma"), "mu and sigma", ""
	case shape != "":
		n.Get("sigma")
		d.Shape, d.Step = "", false
	}
	if low.Absent() || high.Absent() {
		n.Errorf("", "%s are needed", needed)
		return
	}
	a, isLow := low.Number("the lower bound")
	b, isHigh := high.Number("the upper bound")
	if !given {
		q = 1
	}
	if isLow && isHigh {
		declare(p, at, d, a, b, q)
	}
	if given && d.Grid && !d.Step && p.Type != "" && !(d.Kind == "int" && q == 1) {
		p.Step = q
	}
	v, isMean := mean.Number("mu")
	switch plain := p.Type == "float" && p.Scale == "" && p.Step == 0; {
	case shape == "normal" && plain && isMean && v >= p.Low && v <= p.High:
		p.Prior = &v
		n.Warnf("", "the normal distribution of %s becomes its bounds, with the mean as prior", p.Name)
	case shape != "":
		n.Warnf("", "the %s distribution of %s becomes its bounds", shape, p.Name)
	}
}

// oneOf declares a choice.
func (c *converter) oneOf(p *config.DraftParam, ordered bool, at config.Node, values []config.DraftValue) {
	seen := map[string]bool{}
	values = slices.DeleteFunc(values, func(v config.DraftValue) bool {
		key := space.CanonicalValue(v.Text, v.Kind)
		twice := seen[key]
		if seen[key] = true; twice {
			at.Warnf("", "%s is left out: %s has it already", v.Text, p.Name)
		}
		return twice
	})
	if len(values) == 0 {
		at.Errorf("", "%s has no list of values", p.Name)
		return
	}
	p.Choices(values, ordered)
	if p.Type == "ordinal" && !ordered {
		c.ordered = append(c.ordered, p.Name)
	}
}

// each declares the parameters of a list of mappings, which have a name; false: after a mistake.
func (c *converter) each(root, list config.Node, what string,
	declare func(p *config.DraftParam, n config.Node)) bool {
	if !list.IsList() {
		root.Errorf("", "there is no list %s", what)
	}
	for _, n := range list.Items() {
		if name := n.Get("name").Text(); name == "" {
			n.Errorf("", "a parameter needs a name")
		} else if p := c.param(n, name); p != nil {
			declare(p, n)
		}
	}
	return !c.src.Failed()
}

// declare declares a number by its distribution, with its bounds, or its mean and standard deviation, and its q. A
// normal one becomes the range of three standard deviations, with the mean, which is then the median, as the belief.
func declare(p *config.DraftParam, at config.Node, d distribution, a, b, q float64) {
	mean := a
	if d.Shape == "normal" {
		if a, b = mean-3*b, mean+3*b; !(a < b) {
			at.Errorf("", "the standard deviation of %s is not above 0", p.Name)
			return
		}
	}
	if d.Inverse {
		a, b = -b, -a
	}
	if d.Exponent {
		if a, b, mean = math.Exp(a), math.Exp(b), math.Exp(mean); a == 0 || math.IsInf(b, 0) {
			at.Errorf("", "the bounds of %s are natural logarithms that are out of range", p.Name)
			return
		}
	}
	if d.Shape == "normal" {
		a, b, mean = config.Decimal(a), config.Decimal(b), config.Decimal(mean)
	}
	if !d.Step {
		p.Number(d.Kind, a, b, d.Scale)
	} else if least, greatest := config.Multiples(a, b, q); q > 0 && least <= greatest {
		p.Quantised(a, b, q, d.Scale)
		mean, _ = config.Multiples(mean, b, q)
	} else {
		at.Errorf("", "%s has no multiple of its q within its bounds", p.Name)
		return
	}
	if d.Shape == "normal" {
		of := p.Name
		if d.Exponent {
			of = "the logarithm of " + of
		}
		at.Warnf("", "the normal distribution of %s becomes its mean ± 3 standard deviations, with the mean as prior", of)
		if p.Type != "" {
			mean = min(mean, p.High)
			p.Prior = &mean
		}
	}
}

// known is the distribution of a name; another name is reported.
func known(at config.Node, name string) (d distribution, ok bool) {
	if d, ok = distributions[name]; !ok {
		hint := space.DidYouMean(name, slices.Sorted(maps.Keys(distributions)),
			"declare the parameter in the study file by hand, such as {type: float, low: 0, high: 1}")
		at.Errorf(hint, "%q is not a distribution or type that can be converted", name)
	}
	return d, ok
}

// word writes a name or value as the language of conditions reads it.
func word(s string) string {
	if s == "true" || s == "false" {
		return s
	}
	return space.Quoted(s)
}

// literalFor writes a value compared with p.
func literalFor(p *config.DraftParam, text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil && !p.Choice() {
		return text
	}
	return word(text)
}

// A distribution is how a distribution, or another type of parameters, of another tool is written here.
type distribution struct {
	Kind, Scale string // float or int; constant, choice or ordinal
	Step        bool   // the values are multiples of q
	Grid        bool   // a step, if there is one, counts from the lower bound
	Exponent    bool   // the bounds are natural logarithms
	Inverse     bool   // of the reciprocal
	Shape       string // normal: with a mean and a standard deviation, perhaps in place of bounds; beta; else even
}

// distributions are those of Weights & Biases, Optuna, ConfigSpace, NNI, Katib, Ray Tune and Hyperopt, by their
// names there.
var distributions = func() map[string]distribution {
	all := map[string]distribution{}
	for line := range strings.Lines(distributionTable) {
		words := strings.Fields(line)
		has := func(word string) bool { return slices.Contains(words[2:], word) }
		d := distribution{Kind: words[1], Step: has("step"), Grid: has("grid"),
			Exponent: has("exponent"), Inverse: has("inverse")}
		if has("log") {
			d.Scale = "log"
		}
		for _, shape := range []string{"normal", "beta"} {
			if has(shape) {
				d.Shape = shape
			}
		}
		all[words[0]] = d
	}
	return all
}()

//go:embed distributions.txt
var distributionTable string // a line each: name, kind, and further properties
