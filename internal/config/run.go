package config

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
	"bohier/internal/study"
)

// placeholdersIn are {name} in a text; words stand for no parameter.
func (l *loader) placeholdersIn(text string, words []string) []study.Placeholder {
	return study.Placeholders(text, append(l.names(), words...))
}

// run reads the user's command.
func (l *loader) run(n *yaml.Node, st *study.Study) *study.Run {
	fid := &st.Fidelity
	o := l.object(n, "run")
	if o.node == nil {
		return nil
	}
	r, words := &study.Run{}, fid.Placeholders()
	shell := o.get("shell")
	o.fill(r)
	if r.Stop == "term" {
		r.Stop = ""
	}
	if o.get("stop") != nil && !fid.Early() {
		l.noFidelity(o.keyNode("stop"), "end early by")
	}
	if shell != nil {
		if found := l.placeholdersIn(r.Shell, words); len(found) > 0 {
			l.errorf(shell, "use command: [...], or the environment: $"+space.EnvVariable(found[0].Name),
				"a shell text cannot hold the placeholder {%s}: its value would be run as code", found[0].Name)
		}
	}
	l.argv(o, "command", r.Command, words)
	l.envNames(l.errorf)
	if r.Submits() {
		l.jobs(o, r, fid)
	}
	if f := o.get("result_file"); f != nil {
		if names := l.template(f, "result_file", "id", "trial", "dir"); len(names) == 0 && (r.Parallel > 1 || r.Submits()) {
			l.errorf(f, `put the trial into its name: result-{id}.json, or "{dir}/result.json"`,
				"commands at once would write the same result_file")
		}
		if own, inDir := strings.CutPrefix(r.ResultFile, "{dir}/"); inDir {
			l.inside(f, "result_file", own, "let the command write it below the directory of the trial")
		} else {
			l.inside(f, "result_file", r.ResultFile, "let the command write it below the study file's directory")
		}
	}
	if r.Lost >= 0 && r.Lost < 3*time.Minute {
		l.errorf(o.get("lost"), "lost: 3m, or lost: off",
			"run.lost is at least 3m: a worker gives a sign of life every minute")
	}
	if f := o.get("result_regex"); f != nil {
		if re, err := regexp.Compile(r.ResultRegex); err != nil {
			l.errorf(f, "", "result_regex: %v", err)
		} else if _, err := st.ResultGroups(re); err != nil {
			l.errorf(f, err.Hint, "result_regex %v", err)
		}
	}
	if p := o.get("result"); r.Result != nil {
		l.resultPaths(p, r.Result, st)
	}
	return r
}

// resultPaths checks where outcomes lie in an object that a command reports: a path for the
// objective, which has no name yet, or one for each name.
func (l *loader) resultPaths(n *yaml.Node, paths map[string]string, st *study.Study) {
	if path, one := paths[""]; one {
		name, err := st.Unnamed("", "")
		if err != nil {
			l.errorf(n, "result: {loss: metrics.loss, latency_ms: timing.p99}", "result needs a path for each objective")
		}
		delete(paths, "")
		paths[name] = path
	}
	known := append(append(st.Reported(), "stderr"), st.Fidelity.Resources()...)
	for _, f := range pairs(n) {
		paths[f.key.Value] = space.Name(f.value.Value)
		if !slices.Contains(known, f.key.Value) {
			l.errorf(f.key, space.Offered(f.key.Value, "names", known),
				"result has a path for %q, and the study measures nothing of that name", f.key.Value)
		}
	}
}

// placeholders checks the names in one argument. Braces around anything but a
// name, as in awk programs, are left alone.
func (l *loader) placeholders(arg *yaml.Node, words []string) {
	if len(l.decls) == 0 {
		return
	}
	for _, p := range l.placeholdersIn(arg.Value, words) {
		name, at := p.Name, l.inScalar(arg, len([]rune(arg.Value[:p.From])))
		if slices.Contains(words, name) {
			continue
		}
		if _, ok := l.index[name]; !ok && name == study.ResumeFrom {
			l.errorf(at, addFidelity, "there is no fidelity to resume")
		} else if !ok {
			l.errorf(at, space.Offered(name, "parameters", l.names()), "{%s} is not a parameter", name)
		}
	}
}

// envNames reports parameters that would be one variable of the environment.
func (l *loader) envNames(report func(n *yaml.Node, hint, format string, args ...any)) {
	owner := make(map[string]string, len(l.decls))
	for _, d := range l.decls {
		name := space.EnvVariable(d.name)
		if other, taken := owner[name]; taken {
			report(d.key, "rename one of them", "%s and %s would both be %s in the command's environment", other, d.name, name)
		}
		owner[name] = d.name
	}
}

// inScalar is the place of the character at an offset of a scalar's text: exact
// where the text stands in the file as it is, else the start of the scalar.
func (diag *diagnostics) inScalar(n *yaml.Node, offset int) *yaml.Node {
	line := diag.runes(n.Line)
	start := n.Column - 1
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		start++
	}
	if start < 0 || start > len(line) {
		return n
	}
	for _, r := range n.Value {
		if len(line) == start || line[start] != r {
			return n
		}
		line = line[1:]
	}
	return place(n.Line, start+1+offset)
}

// argv checks the elements of a command.
func (l *loader) argv(o *object, key string, elements, words []string) {
	for i, arg := range elements {
		n := o.get(key).Content[i]
		l.placeholders(n, words)
		if i == 0 && len(l.placeholdersIn(arg, words)) > 0 {
			l.errorf(n, "write the program and its arguments apart: [./train, \"--x={x}\"]",
				"the program to run cannot hold a placeholder")
		}
	}
}

// template checks and returns the placeholders of a text that can have those words.
func (l *loader) template(n *yaml.Node, key string, words ...string) []string {
	names := study.ParseTemplate(n.Value, nil).Names()
	for _, name := range names {
		if !slices.Contains(words, name) {
			l.errorf(n, "placeholders: {"+strings.Join(words, "}, {")+"}", "%s cannot hold {%s}", key, name)
		}
	}
	return names
}

// jobs checks the commands of a scheduler.
func (l *loader) jobs(o *object, j *study.Run, fid *study.Fidelity) {
	words := append(fid.Placeholders(), study.JobWords...)
	l.argv(o, "submit", j.Submit, words)
	for key, argv := range map[string][]string{"find": j.Find, "cancel": j.Cancel} {
		l.argv(o, key, argv, words)
		if len(argv) > 0 && !slices.Contains(study.ParseArgv(argv, nil).Names(), "job") {
			l.errorf(o.get(key), "put {job}, the name of the trial's job, into it", "%s does not say which job", key)
		}
	}
	if fid.Early() {
		l.errorf(o.keyNode("submit"), `command: [sbatch, --wait, …] runs a job for a leg`,
			"submit in a study with a fidelity is not available yet")
	}
	if n := o.get("job"); n != nil {
		names := l.template(n, "job", "run", "id", "trial")
		if !slices.Contains(names, "id") && !slices.Contains(names, "trial") {
			l.errorf(n, `job: "b{id}"`, "every trial needs a job of another name")
		}
	}
	if j.Every < time.Second {
		l.errorf(o.get("every"), "every: 20s", "run.every is at least 1s")
	}
	for _, d := range l.decls {
		if slices.Contains(study.JobWords, d.name) {
			l.errorf(d.key, "rename the parameter", "in the commands of jobs {%s} is not the parameter (%s are taken)", d.name,
				strings.Join(study.JobWords, ", "))
		}
	}
}
