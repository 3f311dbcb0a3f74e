package examples

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// needs skips a test where a program is missing.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed", p)
		}
	}
}

// long skips what takes longer than the everyday tests may.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("BOHIER_SOAK") == "" {
		t.Skip("takes long: BOHIER_SOAK=1 runs it")
	}
}

// python is one that can import modules.
func python(t *testing.T, modules string) string {
	t.Helper()
	for _, p := range []string{os.Getenv("BOHIER_PYTHON"), "python3"} {
		if p != "" && exec.Command(p, "-c", "import "+modules).Run() == nil {
			return p
		}
	}
	t.Skipf("no Python here can import %s (BOHIER_PYTHON names one)", modules)
	return ""
}

// noResult is the exit code of a run in which no trial keeps the constraints, as on a
// machine that is busy with other things.
const noResult = 11

var budget = regexp.MustCompile(`(?m)^budget: .*`)

// fewer is a study with another budget.
func fewer(trials int) func(string) string {
	return func(s string) string { return budget.ReplaceAllString(s, fmt.Sprintf("budget: {trials: %d}", trials)) }
}

// TestRuns types what the READMEs of examples say whose study has a command, with few trials and small work.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		name     string
		trials   int
		units    int // of a fidelity, instead
		programs string
		modules  string // of Python
		long     bool
		env      []string
	}{
		{name: "compress", trials: 2, programs: "gzip", env: []string{"COMPRESS_FILE=/bin/sh"}},
		{name: "postgres", trials: 2, programs: "setpriv", long: true, env: []string{"SECONDS_EACH=1", "SCALE=1"}},
		{name: "classifier", trials: 3, modules: "sklearn", long: true},
		{name: "epochs", units: 60, modules: "sklearn", long: true},
		{name: "folds", units: 20, modules: "sklearn", long: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.long {
				long(t)
			}
			needs(t, strings.Fields(c.programs)...)
			if servers, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb"); c.name == "postgres" && len(servers) == 0 &&
				os.Getenv("POSTGRES_BIN") == "" {
				t.Skip("no PostgreSQL server is installed")
			}
			less := fewer(c.trials)
			if c.units > 0 {
				less = func(s string) string {
					return budget.ReplaceAllString(s, fmt.Sprintf("budget: {resource: %d}", c.units))
				}
			}
			edit := less
			if c.modules != "" {
				p := python(t, c.modules)
				edit = func(s string) string {
					return strings.Replace(less(s), "command: [python3,", "command: ["+p+",", 1)
				}
			}
			dir := copied(t, c.name, edit)
			out, code := typing(t, dir, typed(t, c.name)[0], c.env...)
			if code != 0 && code != noResult {
				t.Fatalf("exit code %d\n%s", code, out)
			}
			complete := exec.Command(bohier, "trials", "--state", "complete", "-o", "id")
			complete.Dir = dir
			if list, err := complete.Output(); err != nil || len(strings.Fields(string(list))) == 0 {
				t.Errorf("no trial is complete: %v\n%s", err, out)
			}
		})
	}
}

// TestContinuousIntegration types what the README says: with the committed baseline, the
// flags that are used today, the tuned ones pass the gate; they fail it when the program has
// become worse since. The baseline is what its README says, measured again.
func TestContinuousIntegration(t *testing.T) {
	t.Parallel()
	needs(t, "xz")
	making, tuning := typed(t, "ci")[0], typed(t, "ci")[1]
	dir := copied(t, "ci", fewer(12))
	tune := func(want int) {
		t.Helper()
		_ = os.Remove(filepath.Join(dir, "summary.md"))
		if out, got := typing(t, dir, tuning, "GITHUB_STEP_SUMMARY="); got != want {
			t.Errorf("exit code %d, want %d\n%s", got, want, out)
		}
		for name, want := range map[string]string{"gate.xml": "<testsuite", "summary.md": "## Best trials",
			"report.html": "</html>"} {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%s: %v, %.80q", name, err, text)
			}
		}
	}
	committed, err := os.ReadFile(filepath.Join(dir, "baseline.json"))
	must(t, err)
	tune(0)
	if out, code := typing(t, dir, making); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	measured, err := os.ReadFile(filepath.Join(dir, "baseline.json"))
	must(t, err)
	if params := regexp.MustCompile(`"params":{[^}]*}`); params.FindString(string(measured)) != params.FindString(string(committed)) {
		t.Errorf("the baseline was made by other commands:\n%s\n%s", committed, measured)
	}
	must(t, os.WriteFile(filepath.Join(dir, "baseline.json"), committed, 0o666))
	must(t, os.Remove(filepath.Join(dir, "bohier.journal.jsonl")))
	program := filepath.Join(dir, "measure.sh")
	text, err := os.ReadFile(program)
	must(t, err)
	must(t, os.WriteFile(program, []byte(strings.Replace(string(text), "wc -c", "(cat; head -c 5000 /dev/zero) | wc -c",
		1)), 0o666))
	tune(10)
}

// TestPipelines has the linters of both systems read the pipelines.
func TestPipelines(t *testing.T) {
	t.Run("actionlint", func(t *testing.T) {
		needs(t, "actionlint")
		files, err := filepath.Glob("../.github/workflows/*.yml")
		must(t, err)
		if out, err := exec.Command("actionlint",
			append(files, "ci/.github/workflows/tune.yml")...).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("check-jsonschema", func(t *testing.T) {
		needs(t, "check-jsonschema")
		for schema, file := range map[string]string{"gitlab-ci": "ci/.gitlab-ci.yml",
			"compose-spec": "database/compose.yaml"} {
			if out, err := exec.Command("check-jsonschema", "--builtin-schema", "vendor."+schema,
				file).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		}
	})
}

// TestMixture types the README: every recipe sums to one in its printed digits and keeps
// the bounds, and the best of 25 dries within a tenth of a minute of the fastest, 22.
func TestMixture(t *testing.T) {
	t.Parallel()
	dir := copied(t, "mixture", fewer(25))
	out, code := typing(t, dir, typed(t, "mixture")[0])
	if code != 0 || !strings.Contains(out, "a walk in a polytope (1 equality, 3 inequalities)") {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	best := regexp.MustCompile(`(?m)^minutes +([\d.]+)`).FindStringSubmatch(out)
	if best == nil {
		t.Fatalf("no best trial:\n%s", out)
	}
	if v, err := strconv.ParseFloat(best[1], 64); err != nil || v > 22.1 {
		t.Errorf("the best dries in %s minutes, want at most 22.1", best[1])
	}
	table, err := exec.Command(bohier, "export", "csv", "-c", filepath.Join(dir, "bohier.yaml")).Output()
	must(t, err)
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	must(t, err)
	for _, row := range rows[1:] {
		sum, share := new(big.Rat), map[string]*big.Rat{}
		for k, name := range rows[0] {
			switch name {
			case "param.resin", "param.hardener", "param.pigment", "param.filler", "param.thinner":
				v, ok := new(big.Rat).SetString(row[k])
				if !ok {
					t.Fatalf("share %q", row[k])
				}
				share[name] = v
				sum.Add(sum, v)
			}
		}
		if len(share) != 5 || sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("%v: the shares sum to %v", row, sum)
		}
		ratio := new(big.Rat).Quo(share["param.hardener"], share["param.resin"])
		if ratio.Cmp(big.NewRat(1, 5)) < 0 || ratio.Cmp(big.NewRat(3, 5)) > 0 {
			t.Errorf("%v: hardener to resin is %v", row, ratio)
		}
	}
	if len(rows) != 26 {
		t.Errorf("%d rows, want 26", len(rows))
	}
}

// TestLab replays the laboratory's log.
func TestLab(t *testing.T) {
	t.Parallel()
	dir := copied(t, "lab", fewer(39))
	out, code := typing(t, dir, typed(t, "lab")[0])
	if code != 0 || !regexp.MustCompile(`(?m)^trials +7 complete, 0 pending, 1 failed`).MatchString(out) ||
		!strings.Contains(out, "n 2") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if table, err := os.ReadFile(filepath.Join(dir, "lab.csv")); err != nil || strings.Count(string(table), "\n") != 9 {
		t.Errorf("%v\n%s", err, table)
	}
}

// TestParallel types each line of the README, by whatever is installed: four runs that share a study.
func TestParallel(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(typed(t, "parallel")[0]), "\n") {
		way := regexp.MustCompile(`\b(parallel|xargs|make) `).FindStringSubmatch(line)[1]
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			if way != "xargs" {
				long(t)
			}
			needs(t, way, "awk")
			dir := copied(t, "parallel", fewer(4))
			out, code := typing(t, dir, line+"\nbohier trials --state complete -o csv")
			if code != 0 || strings.Count(out, ",complete,") != 4 {
				t.Errorf("exit code %d\n%s", code, out)
			}
		})
	}
	t.Run("targets", func(t *testing.T) {
		t.Parallel()
		needs(t, "make", "awk")
		dir := copied(t, "parallel", func(s string) string { return s + "\n" })
		for range 2 { // the second time there is nothing left to do
			c := exec.Command("make", "-j", "2", "trials", "TRIALS=1 2 3", "BOHIER="+bohier)
			c.Dir = dir
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		journal, err := os.ReadFile(filepath.Join(dir, "bohier.journal.jsonl"))
		if n := strings.Count(string(journal), `"t":"observe"`); err != nil || n != 3 {
			t.Errorf("%d observations, want 3 (%v)", n, err)
		}
	})
}

// TestBenchWithoutTransactions: where no transaction ends in time pgbench prints no rate,
// and the trial has one all the same. The server is a stand-in.
func TestBenchWithoutTransactions(t *testing.T) {
	if _, err := user.Lookup("postgres"); err != nil && os.Getuid() == 0 {
		t.Skip("there is no user postgres")
	}
	bin := t.TempDir()
	for name, text := range map[string]string{
		"initdb":  "mkdir \"$2\"",
		"pg_ctl":  ":",
		"pgbench": "echo 'number of transactions actually processed: 0'",
	} {
		must(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	}
	must(t, os.Chmod(filepath.Dir(bin), 0o755)) // for the user postgres
	env := []string{"POSTGRES_BIN=" + bin, "SECONDS_EACH=3"}
	for _, p := range []string{"SHARED_BUFFERS_MB=16", "WORK_MEM_KB=64", "RANDOM_PAGE_COST=1", "SYNCHRONOUS_COMMIT=on",
		"WAL_COMPRESSION=true", "CHECKPOINT_TIMEOUT_S=30", "JIT=true"} {
		env = append(env, "BOHIER_P_"+p)
	}
	out, errs, err := script(t, env, "postgres/bench.sh")
	if err != nil || out != "{\"tps\": 0, \"latency_ms\": 3000}\n" {
		t.Errorf("%q, %v\n%s", out, err, errs)
	}
}

// TestTraining runs the training of docs/manual/learning-curves.md in its study.
func TestTraining(t *testing.T) {
	long(t)
	p := python(t, "sklearn")
	page, err := os.ReadFile("../docs/manual/learning-curves.md")
	must(t, err)
	block := func(language string) string {
		_, rest, _ := strings.Cut(string(page), "```"+language+"\n")
		text, _, _ := strings.Cut(rest, "\n```")
		return text
	}
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "train.py"), []byte(block("python")), 0o666))
	study := budget.ReplaceAllString(strings.Replace(block("yaml"), "[python,", "["+p+",", 1), "budget: {resource: 36}")
	must(t, os.WriteFile(filepath.Join(dir, "bohier.yaml"), []byte(study), 0o666))
	out, code := typing(t, dir, "bohier run -q")
	if code != 0 || !regexp.MustCompile(`(?m)^trials +[1-9]\d* complete, 0 pending, 0 failed`).MatchString(out) {
		t.Errorf("exit code %d\n%s", code, out)
	}
}
