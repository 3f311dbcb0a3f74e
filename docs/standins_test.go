package docs

import (
	"bufio"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain lets this program stand in, under their names, for go and the programs of bench that
// go builds, which then run cut short, and for python with packages and data that are not here.
func TestMain(m *testing.M) {
	name := filepath.Base(os.Args[0])
	as := map[string]func([]string) error{"go": asGo, "python": asPython, "python3": asPython,
		"pip": func([]string) error { return nil }}[name]
	if as == nil && os.Getenv("PROGRAMS") != "" && filepath.Base(filepath.Dir(os.Args[0])) == "bench" {
		as = func(args []string) error { return asProgram(name, args) }
	}
	if as == nil {
		os.Exit(m.Run())
	}
	if err := as(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// standingIn is the environment in which go and python are this program.
func standingIn(t *testing.T, programs string) []string {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	gotool, err := exec.LookPath("go")
	must(t, err)
	dir := t.TempDir()
	for _, name := range []string{"go", "python", "python3"} {
		must(t, os.Symlink(self, filepath.Join(dir, name)))
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "PYTHON=") || strings.HasPrefix(v, "GO=") || strings.HasPrefix(v, "DATA=")
	})
	return append(env, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "REAL_GO="+gotool, "PROGRAMS="+programs)
}

// first of several values, and what a flag gets that was not given; nothing: it stays away.
const first = "first of several, or "

// shorter are the flags that make a program of bench take long, and what they are cut to.

var shorter = map[string]map[string]string{
	"arena":   {"-n": "10", "-seeds": "1-1", "-problems": first + "func2c"},
	"compare": {"-n": "6", "-seeds": "1", "-problems": first + "func2c", "-peers": "bohier,random"},
	"curves":  {"-seeds": "1", "-units": "104", "-problems": first + "fid_same"},
	"workers": {"-told": "30", "-only": "observe-file-0-32,observe-database-0-32"},
}

// shorterScripts does the same for scripts of bench/compare.
var shorterScripts = map[string][]string{
	"speed.py":      {"--pairs", "1", "--trials", "20,30"},
	"objectives.py": {"--problems", "vlmop2", "--seeds", "1", "--optimizers", "bohier,random"},
}

// cut is a command line of a program of bench with its flags cut.
func cut(program string, args []string) []string {
	for name, value := range shorter[program] {
		missing, several := strings.CutPrefix(value, first)
		given := false
		for k := range args[:max(0, len(args)-1)] {
			if args[k] != name {
				continue
			}
			if given = true; !several {
				args[k+1] = value
			} else if args[k+1], _, _ = strings.Cut(args[k+1], ","); args[k+1] == "all" {
				args[k+1] = "func2c"
			}
		}
		if !given && missing != "" {
			args = append(args, name, missing)
		}
	}
	return args
}

// bench is where the packages of the programs are that run cut short.
const bench = "./bench/cmd/"

// asGo runs a program of bench, cut short, or stands in for one where it is to be built; or else it is the go
// command.
func asGo(args []string) error {
	if len(args) > 1 && args[0] == "run" && strings.HasPrefix(args[1], bench) {
		return asProgram(strings.TrimPrefix(args[1], bench), args[2:])
	}
	if len(args) == 4 && args[0] == "build" && args[1] == "-o" && strings.HasPrefix(args[3], bench) {
		self, err := os.Executable()
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(args[2]), 0o777)); err != nil {
			return err
		}
		_ = os.Remove(args[2])
		return os.Symlink(self, args[2])
	}
	return attached(os.Getenv("REAL_GO"), args...).Run()
}

// asProgram runs a program of bench, cut short.
func asProgram(program string, args []string) error {
	if program == "replicate" && !slices.Contains(args, "-report") {
		return interrupted(args)
	}
	return attached(filepath.Join(os.Getenv("PROGRAMS"), program), cut(program, args)...).Run()
}

func attached(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	return c
}

// interrupted begins a replication, ends it as Ctrl-C would when it has added a result to its file, and has it report.
func interrupted(args []string) error {
	replicate := filepath.Join(os.Getenv("PROGRAMS"), "replicate")
	short := append(slices.Clone(args), "-j", "1")
	if args[0] == "fm" {
		short = append(short, "-n", "12")
	}
	file := args[slices.Index(args, "-o")+1]
	lines := func() int { text, _ := os.ReadFile(file); return strings.Count(string(text), "\n") }
	before := max(1, lines()) // a version, results
	c := attached(replicate, short...)
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case <-ended:
			return errors.New("it ended before it had a result")
		case <-time.After(20 * time.Millisecond):
		}
		if lines() <= before {
			continue
		}
		if err := c.Process.Signal(os.Interrupt); err != nil {
			return err
		}
		<-ended
		return attached(replicate, append(args, "-report")...).Run()
	}
}

// needsMore is what is said where only the real Python will do, and there is none.
const needsMore = "BOHIER_PYTHON names no Python that has these: "

// asPython makes virtual environments without installing anything, prints and serves a
// problem, as yahpo.py and learn.py do, and leaves the rest to BOHIER_PYTHON.
func asPython(args []string) error {
	if len(args) > 1 && args[0] == "-m" && args[1] == "venv" {
		return environment(args[len(args)-1])
	}
	program := filepath.Base(args[0])
	if program != "yahpo.py" && program != "learn.py" {
		real := os.Getenv("BOHIER_PYTHON")
		if real == "" || exec.Command(real, "-c", "import numpy, optuna").Run() != nil {
			return errors.New(needsMore + "numpy, optuna")
		}
		return attached(real, append(args, shorterScripts[program]...)...).Run()
	}
	if args[1] == "spec" {
		fmt.Println(`[{"name":"lc_3945","params":[{"name":"rate","type":"float","low":1e-4,"high":0.1,"log":true},{"name":"layers","type":"int","low":1,"high":5}],"f_opt":0,"budget":100}]`)
		return nil
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		h := fnv.New32()
		h.Write(lines.Bytes())
		fmt.Println(float64(h.Sum32()) / (1 << 32))
	}
	return nil
}

// environment is a virtual environment whose programs are this one.
func environment(dir string) error {
	self, err := os.Executable()
	if err == nil {
		err = os.MkdirAll(filepath.Join(dir, "bin"), 0o777)
	}
	for _, name := range []string{"python", "pip"} {
		if err == nil {
			err = os.Symlink(self, filepath.Join(dir, "bin", name))
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}
