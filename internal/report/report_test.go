package report_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/report"
	"bohier/internal/space"
	"bohier/internal/study"
)

// svm has every kind of parameter; degree is active for poly only.
func svm(t *testing.T, more ...space.Parameter) *study.Study {
	t.Helper()
	s, err := space.New(append([]space.Parameter{
		{Name: "kernel", Kind: space.Categorical, Values: []string{"rbf", "poly", "it's $(x)\n"}},
		{Name: "lr", Kind: space.Float, Low: 1e-6, High: 1, Scale: space.Log},
		{Name: "degree", Kind: space.Int, Low: 2, High: 6, Condition: space.In{Param: 0, Values: []float64{1}}},
		{Name: "use.bias", Kind: space.Bool, Values: []string{"false", "true"}},
	}, more...), nil, nil)
	must(t, err)
	return &study.Study{Name: "svm", Space: s, Objectives: []study.Objective{{Name: "loss"}}}
}

func trial(t *testing.T, st *study.Study, params string) *study.Trial {
	t.Helper()
	c, err := st.Space.ParseJSON([]byte(params))
	must(t, err)
	return &study.Trial{Number: 7, Tag: "k3f9", State: study.Pending, Source: "model", Config: c}
}

func TestEnvIsWhatShellsRead(t *testing.T) {
	st := svm(t)
	out, err := report.Env(st, trial(t, st, `{"kernel":"it's $(x)\n","lr":1e-6,"use.bias":true}`), "")
	must(t, err)
	want := "unset degree\nkernel='it'\\''s $(x)\n'\nlr='0.000001'\ntrial='7-k3f9'\nuse_bias='true'\n"
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Error(diff)
	}
	ran := 0
	for _, shell := range []string{"dash", "bash", "sh", "zsh", "ksh"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		ran++
		script := "degree=9\n" + string(out) +
			`printf '%s|%s|%s|%s|%s' "$trial" "$kernel" "$lr" "$use_bias" "${degree-unset}"`
		got, err := exec.Command(path, "-eu", "-c", script).Output()
		if want := "7-k3f9|it's $(x)\n|0.000001|true|unset"; err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", shell, got, err, want)
		}
	}
	if ran == 0 {
		t.Error("no shell found")
	}
}

func TestEnvRefusesNames(t *testing.T) {
	number := func(name string) space.Parameter {
		return space.Parameter{Name: name, Kind: space.Float, Low: 0, High: 1}
	}
	for _, c := range []struct {
		name, prefix, want string
	}{
		{"PATH", "", "programs act upon such names"},
		{"LD_PRELOAD", "", "programs act upon such names"},
		{"IFS", "", "programs act upon such names"},
		{"use-bias", "", "both be the shell variable use_bias"},
		{"trial", "", "parameter trial and the trial's id"},
		{"x", "a b", "not a prefix"},
		{"x", "1", "not a prefix"},
		{"RELOAD", "LD_P", "act upon"},
		{"LESSOPEN", "", "act upon"},
		{"HISTCMD", "", "act upon"},
		{"FUTURE_TOOL", "", "act upon"},
		{"LR", "BO_", "act upon"},
		{"_", "", "act upon"},
		{"http_proxy", "", "act upon"},
		{"functions", "", "act upon"},
		{"dis_aliases", "", "act upon"},
		{"C", "", ""},
		{"http_proxy", "p_", ""},
		{"function", "", ""},
		{"lr_PATH", "", ""},
		{"trial", "p_", "parameter trial and the trial's id"},
		{"PATH", "p_", ""},
		{"path2", "", ""},
	} {
		_, err := report.EnvNames(svm(t, number(c.name)).Space.Names(), c.prefix)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s with prefix %q: %v", c.name, c.prefix, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s with prefix %q: error %v, want one with %q", c.name, c.prefix, err, c.want)
		}
	}
}

func TestText(t *testing.T) {
	st := svm(t)
	tr := trial(t, st, `{"kernel":"rbf","lr":0.5,"use.bias":false}`)
	for template, want := range map[string]string{
		"--lr={lr} [--degree {degree}]":    "--lr=0.5 ",
		"{id},{degree},{lr}":               "7-k3f9,,0.5",
		"[{kernel}/{use.bias}][ {degree}]": "rbf/false",
		"[a] {x y} [1,[{lr}]]":             "[a] {x y} [1,0.5]",
		"":                                 "",
	} {
		text, err := report.ParseText(st.Space, template)
		if err != nil {
			t.Errorf("%q: %v", template, err)
			continue
		}
		if got := text.Expand(report.Lookup(st, tr)); got != want {
			t.Errorf("%q gives %q, want %q", template, got, want)
		}
	}
	if _, err := report.ParseText(st.Space, "{degre}"); err == nil || !strings.Contains(err.Error(), "{degre}") {
		t.Errorf("an unknown placeholder gives %v", err)
	}
}

func TestContract(t *testing.T) {
	st := svm(t)
	tr := trial(t, st, `{"kernel":"poly","lr":0.25,"degree":3,"use.bias":true}`)
	got, err := report.JSON(report.SuggestionOf(st, tr))
	must(t, err)
	want := `{"schema":"bohier/suggestion/1","trial":7,"id":"7-k3f9","state":"pending",` +
		`"params":{"kernel":"poly","lr":0.25,"degree":3,"use.bias":true},"source":"model",` +
		`"args":["--kernel=poly","--lr=0.25","--degree=3","--use.bias=true"]}` + "\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}

	tr.State, tr.ObservedAt = study.Complete, "2026-01-02T03:04:05Z"
	tr.Values = study.Values{{Name: "loss", Value: 0.1}}
	if got, err = report.JSON(report.TrialOf(st, tr, report.Listing{})); err != nil {
		t.Fatal(err)
	}
	want = `{"schema":"bohier/trial/1","trial":7,"id":"7-k3f9","state":"complete",` +
		`"params":{"kernel":"poly","lr":0.25,"degree":3,"use.bias":true},"values":{"loss":0.1},"cost":null,` +
		`"source":"model","key":null,"suggested_at":null,"observed_at":"2026-01-02T03:04:05Z"}` + "\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestTrialWithoutConfiguration(t *testing.T) {
	st := svm(t)
	outside := study.Trial{Number: 1, State: study.Complete, Outside: true}
	b, err := report.JSON(report.TrialOf(st, &outside, report.Listing{}))
	if err != nil || !json.Valid(b) {
		t.Errorf("JSON: %s, %v", b, err)
	}
	if got := string(report.TrialTable(st, []*study.Trial{&outside}, report.Listing{}).Text(false)); !strings.Contains(got,
		"complete") {
		t.Errorf("table: %q", got)
	}
	if got := report.SuggestionOf(st, &outside).Args; len(got) != 0 {
		t.Errorf("args: %q", got)
	}
}

func TestTables(t *testing.T) {
	st := svm(t)
	a, b := trial(t, st, `{"kernel":"rbf","lr":0.5,"use.bias":false}`),
		trial(t, st, `{"kernel":"poly","lr":0.25,"degree":3,"use.bias":true}`)
	a.Number, a.State, a.Values = 6, study.Complete, study.Values{{Name: "loss", Value: 12.5}}
	b.State, b.Failure = study.Failed, study.Transient
	list := []study.Trial{*a, *b}
	want := strings.Join([]string{
		"ID      STATE               loss  kernel    lr  degree  use.bias  SOURCE",
		"6-k3f9  complete            12.5  rbf     0.5           false     model",
		"7-k3f9  failed (transient)        poly    0.25       3  true      model",
		"",
	}, "\n")
	if diff := cmp.Diff(want, string(report.TrialTable(st, study.Pointers(list), report.Listing{}).Text(false))); diff != "" {
		t.Error(diff)
	}
	seconds := 1.25
	list[0].Duration, list[0].Metrics = &seconds, study.NamedOf(map[string]any{"acc": 0.123456789, "host": "a"})
	want = strings.Join([]string{
		"trial,id,state,source,cost,suggested_at,observed_at,value.loss,param.kernel,param.lr,param.degree,param.use.bias,duration,metric.acc,metric.host",
		"6,6-k3f9,complete,model,,,,12.5,rbf,0.5,,false,1.25,0.123456789,a",
		"7,7-k3f9,failed,model,,,,,poly,0.25,3,true,,,",
		"",
	}, "\n")
	if diff := cmp.Diff(want, string(report.TrialCSV(st, study.Pointers(list), nil))); diff != "" {
		t.Error(diff)
	}
}

func FuzzQuote(f *testing.F) {
	f.Add("it's")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsRune(text, 0) {
			return // no shell variable can hold it
		}
		got, err := exec.Command("/bin/sh", "-c", "printf %s "+study.ShellQuoted(text)).Output()
		if err != nil || string(got) != text {
			t.Errorf("%q came back as %q (%v)", text, got, err)
		}
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
