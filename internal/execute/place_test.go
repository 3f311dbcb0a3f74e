package execute

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/study"
)

// run.result says where outcomes lie, in a language of paths that is one for all of them.
func TestResultPaths(t *testing.T) {
	st := resultStudy()
	for _, c := range []struct {
		paths  map[string]string
		output string
		want   map[string]float64
		err    string
	}{
		{map[string]string{"loss": "metrics.loss"}, `{"metrics": {"loss": 0.3}, "loss": 9}`, map[string]float64{"loss": 0.3},
			""},
		{map[string]string{"loss": "metrics.loss"}, "{\n\"metrics\": {\n\"loss\": 0.3\n}\n}\n",
			map[string]float64{"loss": 0.3}, ""},
		{map[string]string{"loss": "history.-1.val", "latency_ms": "timing.p99", "seconds": "timing.all"},
			`{"history": [{"val": 9}, {"val": 1}], "timing": {"p99": 7, "all": 3}}`,
			map[string]float64{"loss": 1, "latency_ms": 7}, ""},
		{map[string]string{"loss": "eval.loss"}, `{"eval.loss": 0.5}`, map[string]float64{"loss": 0.5}, ""},
		{map[string]string{"loss": "a.b.c"}, `{"a": {"b.c": "0.5"}}`, map[string]float64{"loss": 0.5}, ""},
		{map[string]string{"loss": "runs.1"}, `{"runs": [3, 4]}`, map[string]float64{"loss": 4}, ""},
		{map[string]string{"loss": "metrics.loss"}, `{"loss": 9}`, nil,
			"there is nothing at metrics.loss, where run.result has the objective loss"},
		{map[string]string{"loss": "runs.7"}, `{"runs": [3, 4]}`, nil, "there is nothing at runs.7"},
		{map[string]string{"loss": "metrics"}, `{"metrics": {"loss": 1}}`, nil, `loss is not a number: {"loss":1}`},
		{nil, `{"metrics": {"loss": 0.3}}`, nil,
			"no value for the objective loss; its names: metrics; name its path, such as run: {result: {loss: " +
				"metrics.loss}}"},
		{nil, `{"loss": {"mean": 0.3}}`, nil,
			`loss is not a number: {"mean":0.3}; name its path, such as run: {result: {loss: loss.mean}}`},
		{nil, `{"train": {"loss": 1}, "val": {"loss": 2}}`, nil,
			"name its path, such as run: {result: {loss: train.loss}}"},
		{nil, `{"config": {"rate": 0.1}, "results": {"eval": {"loss": 0.3}}}`, nil,
			"run: {result: {loss: results.eval.loss}}"},
		{nil, `{"loss": [1, 2]}`, nil, "loss is not a number: [1,2]"},
	} {
		st.Run = &study.Run{Result: c.paths}
		got, err := findResult(st, c.output, "")
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v of %s: %v, want %q", c.paths, c.output, err, c.err)
			}
			continue
		}
		if diff := cmp.Diff(study.NamedOf(c.want), got.Values); err != nil || diff != "" {
			t.Errorf("%v of %s: %v %s", c.paths, c.output, err, diff)
		}
		if c.paths["seconds"] != "" && (got.Cost == nil || *got.Cost != 3) {
			t.Errorf("cost %v", got.Cost)
		}
	}
}
