package exchange

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bohier/internal/study"
)

//go:embed scripts
var scripts embed.FS

// A Script reads the private format of a tool through the tool's own interface, in the
// tool's own language, and prints lines that Read understands.
type Script struct {
	Tool     string
	File     string // its name
	Variable string // of the environment, names another interpreter
	Program  string // the interpreter
	Module   string // the packages that the interpreter needs, as people install them; empty: none
	Format   string // the input of the script
}

// Scripts are the scripts that the program carries, by tool.
var Scripts = map[string]*Script{
	"ax":     {"ax", "ax.py", "BOHIER_PYTHON", "python3", "", "an experiment of Ax"},
	"irace":  {"irace", "irace.R", "BOHIER_RSCRIPT", "Rscript", "", "the log of irace"},
	"optuna": {"optuna", "optuna.py", "BOHIER_PYTHON", "python3", "optuna", "a storage of Optuna"},
	"smac":   {"smac", "smac.py", "BOHIER_PYTHON", "python3", "", "a run history of SMAC"},
	"wandb":  {"wandb", "wandb.py", "BOHIER_PYTHON", "python3", "", "a list of runs of W&B"},
}

// Text is the source of the script.
func (s *Script) Text() []byte {
	text, err := scripts.ReadFile("scripts/" + s.File)
	if err != nil {
		panic(err) // it is in the program
	}
	return text
}

// Reads reports whether a source needs the script: a URL, or a file that begins with head.
func (s *Script) Reads(source string, head []byte) bool {
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
	first, _, _ := bytes.Cut(head, []byte("\n"))
	begins := func(with ...string) bool {
		return slices.ContainsFunc(with, func(w string) bool { return bytes.HasPrefix(head, []byte(w)) })
	}
	switch {
	case IsLines(head):
		return false
	case s.Tool == "optuna":
		return study.Scheme(source) != "" || strings.HasPrefix(source, "sqlite:") || begins("SQLite format 3") ||
			bytes.Contains(first, []byte(`"op_code"`)) ||
			bytes.Contains(first, []byte("number")) && bytes.Contains(first, []byte("params_"))
	case s.Tool == "irace":
		return begins("\x1f\x8b", "RDX", "RDA", "BZh", "\xfd7zXZ")
	case s.Tool == "smac":
		return isObject(head) && !bytes.Contains(head, []byte(`"hyperparameters"`))
	case s.Tool == "wandb":
		return begins("[") || begins("{") && bytes.Contains(first, []byte(`"config"`)) ||
			!isSweep(head) && bytes.ContainsAny(first, ",;\t")
	}
	return isObject(head)
}

// Run runs the script for a source, in dir, and returns its output, at most limit bytes. The source is that of the
// arguments or, unless nil, input. The environment is that of this process; lookup finds its variables.
func (s *Script) Run(ctx context.Context, dir string, lookup func(string) (string, bool), limit int, input []byte,
	arguments ...string) ([]byte, error) {
	program, named := lookup(s.Variable)
	if !named || program == "" {
		program = s.Program
	}
	own, err := os.MkdirTemp("", "bohier-")
	if err != nil {
		return nil, study.Wrap(study.NotRecorded, err, "", "no temporary directory")
	}
	defer os.RemoveAll(own)
	file := filepath.Join(own, s.File)
	err = os.WriteFile(file, s.Text(), 0o600)
	if err == nil && input != nil {
		arguments[0] = filepath.Join(own, "input")
		err = os.WriteFile(arguments[0], input, 0o600)
	}
	if err != nil {
		return nil, study.Wrap(study.NotRecorded, err, "", "no temporary file")
	}
	c := exec.CommandContext(ctx, program, append([]string{file}, arguments...)...)
	c.Dir, c.WaitDelay = dir, time.Second
	out, said := &bounded{left: limit}, &bounded{left: 1 << 20}
	c.Stdout, c.Stderr = out, said
	err = c.Run()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case out.left < 0 || said.left < 0:
		return nil, study.Errorf(study.Usage, "", "%s prints more than is read", program)
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		return nil, study.Errorf(study.Usage, s.elsewhere(), "%s is read by a script for %s, and there is no %s", s.Format,
			s.Program, program)
	case s.Module != "" && bytes.Contains(said.text, []byte("No module named '"+s.Module+"'")):
		return nil, study.Errorf(study.Usage, s.elsewhere(), "%s is read by %s itself, and %s has no module %[2]s", s.Format,
			s.Module, program)
	case study.Refused(err):
		return nil, study.Wrap(study.NotRecorded, err, "", "%s cannot be run", program)
	case err != nil:
		return nil, study.Errorf(study.Usage, "", "%s", lastLine(string(said.text), err))
	}
	return out.text, nil
}

// elsewhere is the advice if the interpreter is missing.
func (s *Script) elsewhere() string {
	install := "install it"
	if s.Module != "" {
		install = s.Program + " -m pip install " + s.Module
	}
	return install + ", or name another with " + s.Variable + "; elsewhere: `bohier import --script " + s.Tool +
		"` prints the script, and its output is read as " + s.Tool + ":FILE"
}

// lastLine is the last line of a script's messages, which has the reason.
func lastLine(said string, err error) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	last := cmp.Or(strings.TrimSpace(lines[len(lines)-1]), err.Error())
	return study.Clip(last, 500) // Python's error of a text that is none holds all of it
}

// bounded fails beyond a number of bytes. It has no method but Write: a bytes.Buffer that is copied to reads for
// itself, without a bound.
type bounded struct {
	text []byte
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errors.New("more output than is read")
	}
	b.text = append(b.text, p...)
	return len(p), nil
}
