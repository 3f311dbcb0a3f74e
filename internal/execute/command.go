package execute

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"bohier/internal/space"
	"bohier/internal/study"
)

// How a command is stopped and how much of its output is kept. The result is
// looked for in the last tailBytes; files hold the first fileBytes and the tail.
const (
	graceTime = 10 * time.Second // from TERM to KILL, after a timeout
	stopGrace = 5 * time.Second  // the same when the whole run is stopped
	drainTime = time.Second      // for output of processes that the command left behind
	tailBytes = 1 << 20
	fileBytes = 7 << 20
)

// A command is a study's run: section made ready.
type command struct {
	st     *study.Study
	argv   study.Argv
	names  []string // environment variable of each parameter
	dir    string   // working directory, absolute
	result study.Template
	grace  time.Duration // after a timeout
	last   time.Duration // when the whole run is stopped
	nonce  string        // the letters of this process; empty: commands outlive it
	// database means that the journal is in one, whose credentials are not passed on.
	database bool
}

// newCommand checks that the study's command can be run at all.
func newCommand(st *study.Study, dir string) (*command, error) {
	r := st.Run
	if !r.Runs() {
		return nil, study.Errorf(study.Usage,
			`write run: {command: [./train, "--lr={lr}"]} into the study file, or: bohier run -- ./train --lr={lr}`,
			"there is no command to run")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c := &command{
		st: st, dir: dir, grace: graceTime, last: stopGrace,
		argv: study.ParseArgv(r.Command, st.Named()), result: study.ParseTemplate(r.ResultFile, nil),
	}
	if r.Grace > 0 {
		c.grace, c.last = r.Grace, r.Grace
	}
	for _, name := range c.argv.Names() {
		if slices.Contains(st.Fidelity.Placeholders(), name) {
			continue
		}
		if _, ok := st.Space.Index(name); !ok {
			return nil, study.Errorf(study.Usage, "", "the command asks for {%s}, which is no parameter", name)
		}
	}
	if r.ResultFile != "" && r.Parallel > 1 && len(c.result.Names()) == 0 {
		return nil, study.Errorf(study.Usage, "put {id} into its name: result-{id}.json",
			"%d commands at once would write the same result file %s", r.Parallel, r.ResultFile)
	}
	owner := map[string]string{}
	for i := range st.Space.Params() {
		p := st.Space.Params()[i].Name
		name := space.EnvVariable(p)
		if other, taken := owner[name]; taken {
			return nil, study.Errorf(study.Usage, "rename one of them",
				"parameters %s and %s would both be %s in the command's environment", other, p, name)
		}
		owner[name] = p
		c.names = append(c.names, name)
	}
	programs := []string{"/bin/sh"}
	switch {
	case r.Submits():
		programs = []string{r.Submit[0], r.Find[0], r.Cancel[0]}
	case r.Shell == "":
		programs = r.Command[:1]
	}
	for _, name := range programs {
		path, err := exec.LookPath(c.program(name))
		if err != nil {
			return nil, c.missing(name, err)
		}
		if err := checkScript(path); err != nil {
			return nil, err
		}
	}
	result, _ := os.Stat(c.files(new(study.Trial), "").result)
	for _, name := range []string{st.File, st.Journal, st.Journal + ".lock"} {
		if own, _ := os.Stat(name); os.SameFile(own, result) {
			return nil, study.Errorf(study.Usage, "name another file: each trial begins without its result file",
				"the result file %s is a file that the run needs", r.ResultFile)
		}
	}
	return c, nil
}

// checkScript is the error of a text whose first line does not name an interpreter that is there: no system starts it.
func checkScript(path string) error {
	f, err := os.Open(path)
	if err != nil || runtime.GOOS == "windows" {
		return nil // a program may be run and not read
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 256))
	if err != nil {
		return nil
	}
	line, _, _ := strings.Cut(string(head), "\n")
	line, script := strings.CutPrefix(line, "#!")
	if !script && !bytes.Contains(head, []byte{0}) {
		return study.Errorf(study.Usage, "begin it with #!/bin/sh, or name its interpreter before it",
			"the command cannot be run: the first line of %s names no interpreter", path)
	}
	name, _, _ := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	if _, err := os.Stat(name); script && err != nil {
		hint := "install it here (an image of the program alone has none), or correct the first line"
		if strings.HasSuffix(name, "\r") {
			hint = "save the script with the line ends of Unix"
		}
		return study.Errorf(study.Usage, hint, "the command cannot be run: the interpreter of %s is not there: %q",
			path, name)
	}
	return nil
}

// missing reports why a program of the command cannot be started, with a hint.
func (c *command) missing(name string, err error) error {
	path, hint := c.program(name), "install it, or name it with its path"
	switch {
	case errors.Is(err, fs.ErrPermission):
		hint = "make it executable: chmod +x " + path
	case strings.Contains(name, " "):
		hint = "write the program and its arguments as words apart"
	case strings.Contains(name, "/"):
		hint = "a relative path starts at " + c.dir
	}
	if inner := errors.Unwrap(err); inner != nil { // the message of exec around it names the path twice
		err = inner
	}
	if of := (*fs.PathError)(nil); errors.As(err, &of) {
		err = of.Err
	}
	return study.Wrap(study.Usage, err, hint, "the command cannot be run: %s", path)
}

// program is an executable, found from the working directory when it is a path.
func (c *command) program(name string) string {
	if strings.Contains(name, "/") && !filepath.IsAbs(name) {
		return filepath.Join(c.dir, name)
	}
	return name
}

// environ is bohier's environment with the trial, and its leg, in it, and nothing left of an outer trial.
func (c *command) environ(t *study.Trial, params, resultFile string) []string {
	env := slices.DeleteFunc(os.Environ(), func(e string) bool {
		return strings.HasPrefix(e, "BOHIER_P_") || strings.HasPrefix(e, "BOHIER_RESULT=") ||
			strings.HasPrefix(e, "BOHIER_RUN=") || c.secret(e)
	})
	if c.nonce != "" {
		env = append(env, runMark(c.nonce))
	}
	env = append(env, trialMark(t.ID()), "BOHIER_PARAMS="+params)
	if resultFile != "" {
		env = append(env, "BOHIER_RESULT="+resultFile)
	}
	for i, name := range c.names {
		if t.Config.Active[i] {
			env = append(env, name+"="+c.st.Space.FormatValue(i, t.Config.Value[i]))
		}
	}
	if from, to, ok := c.leg(t); ok {
		dir := filepath.Dir(params)
		env = append(env, space.EnvVariable(c.st.Fidelity.Name)+"="+to,
			"BOHIER_FROM="+from, "BOHIER_LEG="+strconv.Itoa(t.Course.Leg()),
			"BOHIER_CHECKPOINT="+filepath.Join(dir, "checkpoint"), "BOHIER_VERDICT="+filepath.Join(dir, "verdict"))
	}
	return env
}

// secret reports whether a variable leads to the journal's database, which is nothing
// to the command unless the study passes it on.
func (c *command) secret(setting string) bool {
	name, _, _ := strings.Cut(setting, "=")
	return c.database && (strings.HasPrefix(name, "PG") || name == "BOHIER_JOURNAL") &&
		!slices.Contains(c.st.Run.Pass, name)
}

// runMark names, in the environment of a command, the process that began it; trialMark names the trial.
func runMark(nonce string) string { return "BOHIER_RUN=" + nonce }
func trialMark(id string) string  { return "BOHIER_TRIAL=" + id }

// files are those of a trial, in dir, but for its result where the study names a file for that.
func (c *command) files(t *study.Trial, dir string) files {
	f := files{params: filepath.Join(dir, "params.json")}
	if c.st.Run.ResultFile != "" {
		words := places(t, dir)
		f.result, _ = c.result.Expand(func(name string) (string, bool) { return cmp.Or(words[name], "{"+name+"}"), true })
		if !filepath.IsAbs(f.result) {
			f.result = filepath.Join(c.dir, f.result)
		}
	}
	return f
}

// places are the placeholders of messages about a trial, whose files are in dir.
func places(t *study.Trial, dir string) map[string]string {
	return map[string]string{"id": t.ID(), "trial": fmt.Sprint(t.Number), "dir": dir}
}

// lookup gives placeholders their values: the ends of the leg and the parameters. Inactive ones have none.
func (c *command) lookup(t *study.Trial) func(string) (string, bool) {
	from, to, leg := c.leg(t)
	return func(name string) (string, bool) {
		switch {
		case leg && name == c.st.Fidelity.Name:
			return to, true
		case leg && name == study.ResumeFrom:
			return from, true
		}
		i, ok := c.st.Space.Index(name)
		if !ok || !t.Config.Active[i] {
			return "", false
		}
		return c.st.Space.FormatValue(i, t.Config.Value[i]), true
	}
}

// leg is the resources at which the command of a trial begins and ends, as text; ok is false without a fidelity.
func (c *command) leg(t *study.Trial) (from, to string, ok bool) {
	l := t.Course.Last()
	if l == nil {
		return "", "", false
	}
	return fmt.Sprint(c.st.Fidelity.ResumesAt(l.From)), fmt.Sprint(l.To), true
}

// prune removes the checkpoints of trials that can go no further, but for the three that lead: full
// disks are the usual complaint of people who pause and resume.
func (l *loop) prune(ctx context.Context) {
	if l.Study.Fidelity.Checkpoints != "prune" {
		return
	}
	state, _, err := l.Read(ctx)
	if err != nil {
		return // the next trial's end looks again
	}
	defer state.Done()
	leading, err := l.Leading(ctx, state, 3)
	if err != nil {
		return // interrupted: the leader is unknown, and nothing is removed
	}
	keep := map[int]bool{}
	for _, t := range leading {
		keep[t.Number] = true
	}
	for i := range state.Trials {
		switch t := &state.Trials[i]; t.State {
		case study.Complete, study.Stopped, study.Failed, study.Abandoned:
			if keep[t.Number] {
				continue
			}
			if err := os.RemoveAll(filepath.Join(l.dir(t), "checkpoint")); err != nil {
				l.note("a checkpoint could not be removed: %w", err)
			}
		}
	}
}
