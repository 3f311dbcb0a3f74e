package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestPython runs the tests of the Python package, packaging/python, and the loop of its
// README.md, where Python is installed.
func TestPython(t *testing.T) {
	if exec.Command("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))").Run() != nil {
		t.Skip("python3 of 3.9 or later is not installed")
	}
	run := func(t *testing.T, dir string, args ...string) string {
		c := exec.CommandContext(t.Context(), "python3", args...)
		c.Dir = dir
		source, _ := filepath.Abs("../packaging/python/src")
		c.Env = append(os.Environ(), "BOHIER="+bohier, "PYTHONPATH="+source, "PYTHONDONTWRITEBYTECODE=1", "BOHIER_CONFIG=",
			"BOHIER_JOURNAL=")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	t.Run("tests", func(t *testing.T) {
		if out := run(t, "../packaging/python/tests", "-m", "unittest", "-v"); strings.Count(out, " ... ok") < 6 {
			t.Error(out)
		}
	})
	t.Run("readme", func(t *testing.T) {
		page, err := os.ReadFile("../packaging/python/README.md")
		must(t, err)
		_, rest, _ := strings.Cut(string(page), "```python\n")
		loop, _, _ := strings.Cut(rest, "```")
		dir := copied(t, "clients", fewer(4))
		if out := run(t, dir, "-c", "train = lambda **params: len(params)\n"+loop); !strings.Contains(out, "'values': {") {
			t.Error(out)
		}
	})
}

// TestAction runs the steps of the GitHub Action as a runner does, with the program built
// before, once with a baseline that the study meets and once with one that it does not.
func TestAction(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	raw, err := os.ReadFile("../action.yml")
	must(t, err)
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				Name, If, Shell, Run string
				Env                  map[string]string
				With                 struct{ Cache *bool }
			}
		}
	}
	must(t, yaml.Unmarshal(raw, &action))
	study := "objective: {name: loss, direction: minimize}\nspace: {x: {type: float, low: 1, high: 2}}\nbudget: " +
		"{trials: 4}\n" +
		"run: {command: [sh, -c, 'echo \"loss: $BOHIER_P_X\"']}\n"
	for baseline, failing := range map[string]string{"9": "", "0.5": "Gate"} {
		dir := t.TempDir()
		write := func(name, text string) {
			must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		write("bohier.yaml", study)
		write("baseline.json", `{"schema":"bohier/trial/1","trial":1,"id":"1-aaaa","state":"complete","params":{"x":1},"values":{"loss":`+baseline+`}}`)
		with := func(value string) string {
			for name, input := range action.Inputs {
				if name == "baseline" {
					input.Default = "baseline.json"
				}
				value = strings.ReplaceAll(value, "${{ inputs."+name+" }}", input.Default)
			}
			return value
		}
		// The default warns in every job: it looks for go.sum in the workspace, where the caller's files are.
		if cache := action.Runs.Steps[0].With.Cache; cache == nil || *cache {
			t.Error("setup-go is to keep a cache")
		}
		failed := ""
		for _, step := range action.Runs.Steps {
			if step.Shell != "bash" || step.Name == "Build" || failed != "" && step.If != "always()" {
				continue
			}
			c := exec.CommandContext(t.Context(), bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
			c.Dir = dir
			c.Env = append(os.Environ(), "PATH="+filepath.Dir(bohier)+":"+os.Getenv("PATH"),
				"GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary.md"))
			for name, value := range step.Env {
				c.Env = append(c.Env, name+"="+with(value))
			}
			if out, err := c.CombinedOutput(); err != nil {
				t.Logf("%s: %v\n%s", step.Name, err, out)
				failed = step.Name
			}
		}
		if failed != failing {
			t.Errorf("baseline %s: step %q failed, not %q", baseline, failed, failing)
		}
		for _, name := range []string{"summary.md", "bohier-report.html"} {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), "loss") {
				t.Errorf("baseline %s: %s: %v", baseline, name, err)
			}
		}
	}
}
