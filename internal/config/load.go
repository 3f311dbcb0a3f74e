package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Parse reads a study file from bytes. name is its path: messages show it and
// relative paths in the file start from its directory.
func Parse(name string, data []byte, o Options) (*study.Study, Report) {
	l := newLoader(name, o)
	var st *study.Study
	if root := l.document(data); root != nil {
		st = l.study(root)
	}
	r := l.report()
	if len(r.Errors) > 0 {
		return nil, r
	}
	return st, r
}

// A loader builds the study of one file.
type loader struct {
	decoder
	space              *space.Space // nil: it has mistakes
	forbidden, require []clause
	draft              bool  // the file is ours in the making: never and always are no mistakes
	never, always      []int // parameters that never are active, or always
}

// newLoader reads a file of that name.
func newLoader(name string, o Options) *loader {
	return &loader{decoder: decoder{scope: scope{diagnostics: diagnostics{file: name}}, opt: o}}
}

// maxProblems is how many errors, and how many warnings, a report shows.
const maxProblems = 100

// report sorts the problems and adds the snippets.
func (l *loader) report() Report {
	finish := func(ps []Problem) []Problem {
		ps = tidy(ps)
		more := len(ps) - maxProblems
		if more > 0 {
			ps = ps[:maxProblems]
		}
		for i := range ps {
			if ps[i].File == l.file { // not of a source's earlier file
				ps[i].Snippet = l.snippet(ps[i].Line, ps[i].Column)
			}
		}
		if more > 0 {
			ps = append(ps, Problem{File: l.file, Message: fmt.Sprintf("%d more are not shown", more)})
		}
		return ps
	}
	return Report{Errors: finish(l.errs), Warnings: finish(l.warns), loader: l}
}

// study reads the whole file.
func (l *loader) study(root *yaml.Node) *study.Study {
	o := l.object(root, "")
	if o.node == nil {
		return nil
	}
	st := &study.Study{File: l.file}
	if n := o.get("version"); n != nil {
		if v, ok := l.number(n, "version"); ok && v != 1 {
			l.errorf(n, "this program reads version 1", "version %s of the study file is not known here", n.Value)
		}
	}
	l.parameters(o.get("space"))
	l.conditions()
	o.fill(st, "objective", "objectives", "fidelity", "journal", "run")
	if st.Name = cmp.Or(st.Name, defaultName(l.file)); len(st.Name) > space.MaxName {
		l.errorf(o.get("name"), "", "name is longer than %d bytes", space.MaxName)
	}
	if err := study.CheckContext(st.Context); err != nil {
		l.errorf(o.get("context"), "", "%v", err)
	}
	st.Objectives = l.objectives(o)
	st.Constraints = l.constraints(o, st)
	if st.Cost != nil {
		st.Cost.Name = space.Name(st.Cost.Name)
	}
	for k, c := range st.Constraints {
		if _, both := l.index[c.Name]; both {
			l.warnf(o.get("constraints").Content[k], "relations of parameters go under require",
				"%s bounds a measured outcome, and is a parameter too", c.Name)
		}
	}
	l.forbidden = l.clauses(o.get("forbidden"))
	l.require = l.clauses(o.get("require"))
	if len(l.errs) == 0 {
		l.space = l.build(o.get("space"))
	}
	if st.Space = l.space; l.space != nil {
		l.defaults()
	}
	st.Initial.Points = l.points(o.get("initial"))
	l.surrogate(o.get("surrogate"), st)
	l.kappa(o.get("acquisition"), st.Acquisition)
	if st.WarmStart != nil {
		l.earlier(st.WarmStart.Journals, o.get("warm_start"))
	}
	l.howMany(st, o)
	st.Fidelity = l.fidelity(o.get("fidelity"), st.Several())
	l.resource(st, l.object(o.get("budget"), "budget"))
	st.Seed = l.seed(o.get("seed"))
	st.Journal = l.journal(o.get("journal"))
	if st.Run = l.run(o.get("run"), st); st.Run == nil {
		l.envNames(l.warnf)
	}
	l.withFidelity(st, o)

	if len(l.errs) > 0 {
		return nil
	}
	if l.opt.Check != nil {
		if key, err := l.opt.Check(st); err != nil {
			l.unfit(key, err, o)
			return nil
		}
	}
	return st
}

// unfit reports a fault that a caller's check found in a key, at the key or its section.
func (l *loader) unfit(path string, err error, o *object) {
	section, key, _ := strings.Cut(path, ".")
	at := o.get(section)
	if n := lookup(at, key); n != nil {
		at = n
	}
	hint := ""
	if known, ok := errors.AsType[*study.Error](err); ok {
		hint = known.Hint
	}
	l.errorf(at, hint, "%v", err)
}

// resource checks the limit of the fidelity's resource.
func (l *loader) resource(st *study.Study, budget *object) {
	switch f, at := &st.Fidelity, budget.get("resource"); {
	case at == nil:
	case !f.Early():
		l.noFidelity(budget.keyNode("resource"), "be limited")
	case st.Budget.Resource < f.High():
		l.errorf(at, "", "no trial can have the full resource of %s %s", num(f.High()), f.Name)
	}
}

// seed reads any unsigned 64-bit number.
func (l *loader) seed(n *yaml.Node) *uint64 {
	if n == nil {
		return nil
	}
	if n.Kind == yaml.ScalarNode && n.Style == 0 {
		if s, err := strconv.ParseUint(n.Value, 10, 64); err == nil {
			return &s
		}
	}
	l.errorf(n, "", "seed must be a whole number from 0 to 18446744073709551615, not %s", shown(n))
	return nil
}

// Read is the text of a file, at most a byte more than Parse accepts: pipes and devices have no size,
// and perhaps no end.
func Read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
}

// Load reads the study file at a path. The study is nil when the report holds errors.
func Load(path string, o Options) (*study.Study, Report) {
	data, err := Read(path)
	if err != nil {
		return nil, Report{Errors: []Problem{{File: path, Message: "cannot be read: " + err.Error(), Cause: err}}}
	}
	return Parse(path, data, o)
}

// Options are the abilities of the program around the package.
type Options struct {
	// The valid words by the names that keys.txt has for their lists, in the order messages list
	// them. A list that is absent accepts any.
	Words map[string][]string
	// Check returns the contradictions of a study that is otherwise right, with the key at fault; nil: nobody is asked.
	Check func(*study.Study) (key string, err error)
}

// build makes the declared space and checks it as far as possible without running anything: cycles,
// parameters that are never active, conditions that always hold. It returns nil after a mistake.
func (l *loader) build(at *yaml.Node) *space.Space {
	bare := func(c clause) space.Clause { return c.Clause }
	s, err := space.New(lists.Of(l.decls, func(d *decl) space.Parameter { return d.param }), lists.Of(l.forbidden, bare),
		lists.Of(l.require, bare))
	if cycle, ok := errors.AsType[*space.CycleError](err); ok {
		l.errorf(l.decls[cycle.Params[0]].condition, "change or remove one of these conditions", "%v", err)
		return nil
	} else if err != nil {
		l.errorf(at, "", "%v", err)
		return nil
	}
	before := len(l.errs)
	if l.never, l.always = s.Settled(); l.draft {
		return s
	}
	for _, i := range l.never {
		l.errorf(l.decls[i].condition, "loosen the condition or remove the parameter", "%s can never be active",
			l.decls[i].name)
	}
	for _, i := range l.always {
		l.warnf(l.decls[i].condition, "remove active_if, or check the values", "this condition always holds")
	}
	if len(l.errs) > before {
		return nil
	}
	return s
}
