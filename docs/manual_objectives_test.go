package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSeveralObjectivesPage runs the commands of the page on a study with its file.
func TestSeveralObjectivesPage(t *testing.T) {
	page, err := os.ReadFile("manual/several-objectives.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(yaml|sh)\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) != 3 || blocks[0][1] != "yaml" || blocks[1][1] != "sh" {
		t.Fatalf("%d blocks", len(blocks))
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "bohier")
	if out, err := exec.Command("go", "build", "-o", binary, "bohier/cmd/bohier").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("bohier.yaml", blocks[0][2])
	write("noisy.yaml", blocks[2][2]+"space: {x: [a, b]}\n")
	before := "set -e\nfor k in 1 2 3 4 5 6 7; do bohier suggest -o id; done\n" +
		"for k in 1 2 3 4 5 6; do bohier observe $k loss=0.$k latency=$((70 - 10 * k)) memory=1 2>/dev/null || bohier observe $k --json - <<E\n" +
		"{\"loss\": 0.$k, \"latency\": $((70 - 10 * k)), \"memory\": 1}\nE\ndone\n"
	commands := strings.Replace(blocks[1][2], "loss=0.12 latency=31 ", "loss=0.12 latency=31 memory=2 ", 1)
	run := exec.Command("sh", "-c", before+commands+"bohier check -c noisy.yaml\n")
	run.Dir, run.Env = dir, append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if pictures, _ := filepath.Glob(filepath.Join(dir, "*.svg")); len(pictures) != 2 {
		t.Errorf("%d pictures\n%s", len(pictures), out)
	}
}
