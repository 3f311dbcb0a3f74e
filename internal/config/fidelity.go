package config

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// maxLevels bounds the levels of a fidelity.
const maxLevels = 20

const addFidelity = "add it: fidelity: {name: epochs, low: 1, high: 27}"

func (l *loader) noFidelity(at *yaml.Node, what string) {
	l.errorf(at, addFidelity, "there is no fidelity to %s", what)
}

// fidelity reads how trials can be judged before their end.
func (l *loader) fidelity(n *yaml.Node, several bool) (f study.Fidelity) {
	if n == nil {
		return f
	}
	if several {
		l.errorf(n, "remove one of the two", "several objectives do not go with fidelity")
	}
	o := l.object(n, "fidelity")
	if o.node == nil {
		return f
	}
	if name := o.get("name"); name != nil {
		l.checkName(name, "a fidelity", space.Name(name.Value))
	}
	f = study.Fidelity{AcquireAt: "auto"}
	o.fill(&f)
	f.Name = space.Name(cmp.Or(f.Name, "resource"))
	f.Resume = f.Resume || o.get("resume") == nil && f.Averaged()
	if f.Averaged() && !f.Resume {
		l.errorf(o.get("resume"), "leave it out", "resume is always true with kind: %s", f.Kind)
	}
	l.levels(o, &f)
	if at := o.get("acquire_at"); at != nil {
		f.AcquireAt = at.Value
		if v, wrong := parseNumber(at.Value); wrong == "" {
			f.AcquireAt = num(v)
			if len(f.Levels) > 0 && !slices.Contains(f.Levels, v) {
				l.errorf(at, "levels: "+strings.Join(lists.Of(f.Levels, num), ", "), "acquire_at must be auto, full or a level")
			}
		} else if at.Value != "auto" && at.Value != "full" {
			l.errorf(at, "auto, full, or a level", "acquire_at cannot be %s", shown(at))
		}
	}
	if f.Model == "crossval" && f.Kind != study.FidelityFolds {
		l.errorf(o.get("model"), "", "model: crossval is for kind: folds")
	}
	if rule := f.Scheduler; (rule == study.SchedulerASHA || rule == study.SchedulerHyperband) && !f.Resume &&
		f.Kind == study.FidelityCurve {
		l.warnf(o.get("scheduler"), "resume: true with checkpoints, or scheduler: stopping", "promotions start from nothing")
	}
	if len(f.Levels) < 2 {
		f.Levels = []float64{1, 2} // reported; the rest of the file is read with these
	}
	return f
}

// levels reads the ladder in one of its two forms.
func (l *loader) levels(o *object, f *study.Fidelity) {
	if list := o.get("levels"); list != nil {
		f.Listed, f.Eta = true, math.Pow(f.High()/f.Low(), 1/float64(f.Top()))
		if len(f.Levels) > maxLevels {
			l.errorf(list, "", "more than %d levels", maxLevels)
		}
		for k, v := range f.Levels {
			if k > 0 && v <= f.Levels[k-1] {
				l.errorf(list.Content[k], "", "levels must be ascending, and %s is not", num(v))
			} else if f.Averaged() && v != math.Trunc(v) {
				l.errorf(list.Content[k], "", "levels must be whole numbers with kind: %s", f.Kind)
			}
		}
		return
	}
	low, lo, hi := o.get("low"), value[float64](o, "low"), value[float64](o, "high")
	if !(lo > 0) || !(hi > 0) {
		return
	}
	if lo >= hi {
		l.errorf(low, "", "low %s must be below high %s", num(lo), num(hi))
		return
	}
	whole := lo == math.Trunc(lo) && hi == math.Trunc(hi)
	if at := o.get("unit"); at == nil && whole {
		f.Unit = 1
	} else if at != nil && (!(f.Unit > 0) || !multiple(lo, f.Unit) || !multiple(hi, f.Unit)) {
		l.errorf(at, "", "low and high must be multiples of the unit, which is above 0: %s, %s and %s", num(lo), num(hi),
			num(f.Unit))
		return
	}
	if f.Averaged() && (!whole || f.Unit != math.Trunc(f.Unit)) {
		l.errorf(low, "", "low, high and unit must be whole numbers with kind: %s", f.Kind)
		return
	}
	if study.LadderSteps(lo, hi, f.Eta) >= maxLevels {
		l.errorf(o.node, "a larger eta, or levels", "there would be more than %d levels", maxLevels)
		return
	}
	f.Levels = study.Ladder(lo, hi, f.Eta, f.Unit)
}

func multiple(v, unit float64) bool {
	q := v / unit
	return math.Abs(q-math.Round(q)) <= 1e-9*q
}

// withFidelity checks the rest of the study against a fidelity.
func (l *loader) withFidelity(st *study.Study, o *object) {
	f := &st.Fidelity
	if !f.Early() {
		return
	}
	name := cmp.Or(lookup(o.get("fidelity"), "name"), o.get("fidelity"))
	taken := map[string]string{"trial": "the trial's number", study.ResumeFrom: "where a leg begins"}
	for _, d := range l.decls {
		if taken[d.name] = "the parameter " + d.name; space.Variable(d.name) == study.ResumeFrom {
			l.errorf(d.key, "rename it", "%s is a name that bohier gives the command itself", d.name)
		}
	}
	if st.Cost != nil {
		taken[st.Cost.Name] = "the cost"
	}
	for k, outcome := range st.Outcomes() {
		taken[outcome] = []string{"the objective", "an outcome"}[min(k, 1)]
	}
	for _, other := range slices.Sorted(maps.Keys(taken)) {
		if space.EnvVariable(other) == space.EnvVariable(f.Name) {
			l.errorf(name, "another name: bohier hands it to the command itself",
				"%s cannot be the name of a fidelity: it means %s", f.Name, taken[other])
		}
	}
	l.surrogateWithFidelity(st, o)
	if !st.Run.Runs() {
		return
	}
	command := strings.Join(st.Run.Command, " ")
	if st.Run.Shell == "" && !strings.Contains(command, "{"+f.Name+"}") && f.Kind == study.FidelityCurve {
		l.warnf(o.get("run"), "hand it over: --"+f.Name+"={"+f.Name+"}",
			"the command does not mention {%s}: it will be stopped at each level", f.Name)
	}
	if st.Run.ResultFile != "" && f.Kind == study.FidelityCurve {
		l.warnf(o.get("run"), "print reports as lines of JSON", "only the value at the end of a leg is read from a file")
	}
}

func (l *loader) surrogateWithFidelity(st *study.Study, o *object) {
	at := o.get("surrogate")
	refuse := func(what, instead string) {
		l.errorf(at, instead, "surrogate.%s does not go with fidelity", what)
	}
	switch s := st.Surrogate; {
	case s.Form == "kriging":
		refuse("form: kriging", "form: gp")
	case s.Kernel.Name == "icocor":
		refuse("kernel: icocor", "kernel: ico")
	case st.WarmStart != nil && st.Fidelity.Averaged() && !st.Fidelity.MeasuresOne():
		l.errorf(o.get("warm_start"), "", "warm_start with folds is not available yet")
	case st.Replicates != study.Replicates{}:
		l.errorf(o.keyNode("replicates"), "fidelity: {kind: repeats, …} plans measurements",
			"replicates do not go with fidelity")
	}
}

func printFidelity(f *study.Fidelity) *yaml.Node {
	if !f.Early() {
		return nil
	}
	own := map[string]*yaml.Node{"resume": nil, "levels": nil}
	if f.Listed {
		own["levels"], own["eta"], own["unit"] = listOf(f.Levels, numberNode), nil, nil
	} else {
		own["low"], own["high"] = numberNode(f.Low()), numberNode(f.High())
	}
	if f.Resume && !f.Averaged() {
		own["resume"] = boolNode(true)
	}
	if v := f.AcquireAt; v != "auto" {
		own["acquire_at"] = plainNode(v)
	}
	return printSection("fidelity", f, own)
}
