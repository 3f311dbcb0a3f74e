package config_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/config"
)

func TestJSON(t *testing.T) {
	st, r := config.Parse("svm.yaml", []byte(`
name: "a \"b\" <c>"
objective: {name: f, direction: maximize}
space:
  k: [x, 3.10, "yes"]
  lr: {type: float, low: 1e-5, high: 1, scale: log, active_if: k == x}
seed: 18446744073709551615
journal: elsewhere.jsonl
run: {command: [train, --token=secret]}
`), config.Options{})
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	got := config.JSON(st)
	var object struct {
		Name    string
		Seed    json.Number
		Space   map[string]map[string]any
		Run     any
		Journal any
	}
	if err := json.Unmarshal(got, &object); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	if object.Name != `a "b" <c>` || object.Seed != "18446744073709551615" || object.Run != nil || object.Journal != nil {
		t.Errorf("JSON: %s", got)
	}
	if diff := cmp.Diff([]any{"x", 3.1, "yes"}, object.Space["k"]["values"]); diff != "" {
		t.Error(diff)
	}
	if object.Space["lr"]["low"] != 1e-5 || object.Space["lr"]["active_if"] != "k == x" {
		t.Errorf("space: %v", object.Space["lr"])
	}
}

// Programs that write JSON escape characters beyond U+FFFF as two.
func TestStudyFileInJSON(t *testing.T) {
	st, r := config.Parse("study.json", []byte(
		`{"objective": {"direction": "minimize"}, "space": {"x": ["\ud83d\ude00", "\u00e9", "\\ud83d"]}}`), config.Options{})
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"😀", "é", `\ud83d`}, st.Space.Params()[0].Values); diff != "" {
		t.Error(diff)
	}
}
