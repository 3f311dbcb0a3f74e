package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shorter are the parts of a measurement that make it long, and what they are cut to.
var shorter = []struct{ long, short string }{
	{`\\\n`, " "},
	{`go run \./bench/cmd/(\w+)`, "$1"},
	{`-n \d+`, "-n 10"},
	{`-(seeds|problems) (\w+)[^ \n]*`, "-$1 $2"},
	{`-benchtime \S+`, "-benchtime 1x"},
	{`-count \d+`, "-count 1"},
}

// TestMeasurements runs the commands of pages of figures that say so, cut short: one
// problem, one seed, ten trials, and benchmarks once. It shows that they still measure
// something, not what.
func TestMeasurements(t *testing.T) {
	pages, err := filepath.Glob("benchmarks/*.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	marked := regexp.MustCompile("(?ms)^<!-- run by TestMeasurements -->\n```sh\n(.*?)^```$")
	type commands struct{ page, text string }
	var list []commands
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range marked.FindAllStringSubmatch(string(text), -1) {
			list = append(list, commands{page, m[1]})
		}
	}
	if len(list) < 10 {
		t.Fatalf("%d blocks", len(list))
	}
	if os.Getenv("BOHIER_SOAK") == "" {
		t.Skip("takes minutes: BOHIER_SOAK=1 runs it")
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "./bench/cmd/...")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range list {
		t.Run(filepath.Base(c.page), func(t *testing.T) {
			text := c.text
			for _, s := range shorter {
				text = regexp.MustCompile(s.long).ReplaceAllString(text, s.short)
			}
			sh := exec.Command("sh", "-eu", "-c", text)
			sh.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			sh.Dir = t.TempDir()
			if strings.Contains(text, "go test") {
				sh.Dir = root
			}
			out, err := sh.CombinedOutput()
			if err != nil || len(out) == 0 || strings.Contains(string(out), "no tests to run") {
				t.Errorf("%v\n%s\n%s", err, text, out)
			}
		})
	}
}
