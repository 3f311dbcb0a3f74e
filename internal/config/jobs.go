package config

import (
	"slices"
	"strings"
	"time"

	"bohier/internal/study"
)

// jobs reads the commands of a scheduler; nil where the study has none.
func (l *loader) jobs(o *object, fid *study.Fidelity) *study.Jobs {
	if o.get("submit") == nil {
		return nil
	}
	j := &study.Jobs{Name: value[string](o, "job")}
	o.fill(j)
	check := func(key string, argv []string) {
		if len(argv) == 0 {
			return
		}
		n := o.get(key)
		for _, arg := range n.Content {
			l.placeholders(arg, fid, study.JobWords)
		}
		if len(l.placeholdersIn(argv[0], fid)) > 0 {
			l.errorf(n.Content[0], "", "the program to run cannot be a placeholder")
		}
		if key != "submit" && !slices.Contains(study.ParseArgv(argv, nil).Names(), "job") {
			l.errorf(n, "put {job}, the name of the trial's job, into it", "%s does not say which job", key)
		}
	}
	check("submit", j.Submit)
	check("find", j.Find)
	check("cancel", j.Cancel)
	if fid.Early() {
		l.errorf(o.keyNode("submit"), `command: [sbatch, --wait, …] runs a job for a leg`,
			"submit in a study with a fidelity is not available yet")
	}
	names := study.ParseTemplate(j.Name, nil).Names()
	for _, name := range names {
		if name != "run" && name != "id" && name != "trial" {
			l.errorf(o.get("job"), "placeholders: {run}, {id}, {trial}", "the name of a job cannot hold {%s}", name)
		}
	}
	if !slices.Contains(names, "id") && !slices.Contains(names, "trial") {
		l.errorf(o.get("job"), `job: "b{id}"`, "every trial needs a job of another name")
	}
	if file := o.get("result_file"); file != nil && len(study.ParseTemplate(file.Value, nil).Names()) == 0 {
		l.errorf(file, `result_file: "{dir}/result.json"`, "every job needs a result_file of its own")
	}
	if n := o.get("every"); n != nil {
		if j.Every < time.Second {
			l.errorf(n, "every: 20s", "run.every is at least 1s")
		}
	}
	for i := range l.decls {
		if d := &l.decls[i]; slices.Contains(study.JobWords, d.name) {
			l.errorf(d.key, "rename the parameter", "in the commands of jobs {%s} is not the parameter (%s are taken)", d.name,
				strings.Join(study.JobWords, ", "))
		}
	}
	return j
}
