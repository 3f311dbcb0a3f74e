package report_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"bohier/internal/report"
	"bohier/internal/space"
	"bohier/internal/study"
)

// shells are those whose names and variables are tried, where they are installed: how each is started without anybody's
// settings, and how it lists the variables it knows.
var shells = []struct {
	args []string
	list string
}{
	{[]string{"sh"}, "set"},
	{[]string{"dash"}, "set"},
	{[]string{"bash", "--norc", "--noprofile"}, "compgen -v"},
	{[]string{"bash", "--posix", "--norc", "--noprofile"}, "compgen -v"},
	{[]string{"zsh", "-f"}, `for m in ${^module_path}/zsh/*.so(N:t:r); do [ $m = example ] || zmodload zsh/$m; done 2>/dev/null; print -l ${(k)parameters}`},
	{[]string{"zsh", "-f", "-i"}, `print -l ${(k)parameters}`},
	{[]string{"mksh"}, "typeset"},
	{[]string{"ksh"}, "typeset"},
	{[]string{"busybox", "sh"}, "set"},
}

// tools are variables that loaders and tools are known to act upon, from their manual pages.
var tools = strings.Fields(`PATH IFS HOME ENV LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES LIBPATH GCONV_PATH LOCPATH
	NLSPATH TZ TZDIR LANG LC_ALL LANGUAGE CHARSET TMPDIR TMP TEMP TERM TERMINFO TERMCAP COLUMNS LINES PAGER MANPAGER LESS LESSOPEN
	LESSCLOSE EDITOR VISUAL FCEDIT BROWSER SHELL USER LOGNAME MAIL PWD OLDPWD CDPATH SHLVL TMOUT FUNCNEST HISTCMD HISTFILE SRANDOM
	RANDOM SECONDS PS1 PS2 PS4 PROMPT_COMMAND BASH_ENV BASHOPTS SHELLOPTS POSIXLY_CORRECT GIT_SSH_COMMAND GIT_DIR SSH_ASKPASS
	PYTHONPATH PYTHONSTARTUP PERL5LIB PERL5OPT RUBYOPT NODE_PATH NODE_OPTIONS JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS CLASSPATH GOFLAGS
	CC CFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MAKE DESTDIR PKG_CONFIG_PATH RUSTFLAGS CUDA_VISIBLE_DEVICES OMP_NUM_THREADS R_HOME
	MALLOC_PERTURB_ GLIBC_TUNABLES SSL_CERT_FILE OPENSSL_CONF CURL_CA_BUNDLE DISPLAY XAUTHORITY HTTP_PROXY
	http_proxy https_proxy ftp_proxy no_proxy all_proxy rsync_proxy npm_config_prefix ac_cv_path_CC shell_escape openout_any`)

// Whatever name is accepted takes its value in every shell and changes nothing else, and a shell is not without its
// commands afterwards; and none of the names of loaders and tools is accepted. The names are those that the shells
// themselves know, and ordinary ones.
func TestEnvInShells(t *testing.T) {
	for _, name := range tools {
		if report.Acceptable(name) {
			t.Errorf("%s is accepted", name)
		}
	}
	ordinary := strings.Fields(`lr learning_rate kernel degree C gamma K x1 x_y use_bias version type if for time test name temp depth
		function select until read_only function_evals seed home user shell term lang Path lines columns random seconds line mail`)
	ran, refused := 0, 0
	for _, shell := range shells {
		path, err := exec.LookPath(shell.args[0])
		if err != nil {
			continue
		}
		dir := t.TempDir()
		run := func(script string) string {
			c := exec.Command(path, append(slices.Clone(shell.args[1:]), "-c", script, "shell", dir)...)
			c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TERM=dumb"}
			out, err := c.CombinedOutput()
			if err != nil {
				t.Errorf("%v: %v: %s", shell.args, err, out)
			}
			return string(out)
		}
		names := slices.Clone(ordinary)
		for _, line := range strings.Split(run(shell.list), "\n") {
			name, _, _ := strings.Cut(line, "=")
			if k := strings.LastIndexByte(name, ' '); k >= 0 {
				name = name[k+1:]
			}
			if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") != "" || name == "" ||
				name[0] <= '9' {
				continue
			}
			if names = append(names, name); !report.Acceptable(name) {
				refused++
			}
		}
		slices.Sort(names)
		names = slices.DeleteFunc(slices.Compact(names), func(n string) bool { return !report.Acceptable(n) })
		// Everything the shell knows but the counters that run by themselves, before
		// and after; the names compared are not those that were set.
		show := `set | grep -v -E '^(RANDOM|SRANDOM|SECONDS|EPOCH[A-Z]*|LINENO|BASH_[A-Z]*|BASHPID|PIPESTATUS(.0.)?|_|HISTCMD|PPID|pipestatus|TTYIDLE|` +
			strings.Join(names, "|") + `)(=|$)'`
		script := show + " >\"$1/before\"\n"
		for _, n := range names {
			script += n + "='it'\\''s $(x) * ~'\n[ \"$" + n + "\" = 'it'\\''s $(x) * ~' ] || echo " + n +
				" does not take its value\n"
		}
		script += show + " >\"$1/after\"\ndiff \"$1/before\" \"$1/after\"\n"
		for _, n := range names {
			script += "unset " + n + " || echo " + n + " cannot be unset\n"
		}
		if out := run(script + "ls / >/dev/null || echo no commands\necho done"); out != "done\n" {
			t.Errorf("%v: %.2000s", shell.args, out)
		}
		ran++
	}
	if ran == 0 || refused == 0 {
		t.Errorf("%d shells, %d of their names refused", ran, refused)
	}
	t.Logf("%d shells", ran)
}

// Fish has another syntax for variables. It refuses what Env writes as a whole, before
// it runs any of it, whatever the values are: also those that fish would quote in
// another way, as a backslash before a quote keeps the quote open there.
func TestEnvInFish(t *testing.T) {
	fish, err := exec.LookPath("fish")
	if err != nil {
		t.Skip("no fish")
	}
	values := []string{`0.1`, `it's`, `\`, `\'; echo ran; '`, `; echo ran; #`, `(echo ran)`, "\\\n"}
	vars, err := space.New([]space.Parameter{{Name: "a", Kind: space.Categorical, Values: values},
		{Name: "z", Kind: space.Categorical, Values: values}}, nil, nil)
	must(t, err)
	st := &study.Study{Space: vars, Objectives: []study.Objective{{Name: "f"}}}
	for k, a := range values {
		params, err := json.Marshal(map[string]string{"a": a, "z": values[(k*3+2)%len(values)]})
		must(t, err)
		script, err := report.Env(st, trial(t, st, string(params)), "")
		must(t, err)
		c := exec.Command(fish, "--no-config", "-c",
			`eval $argv[1]; set refused $status; set -q a; or set -q trial; or set -q z; and echo set; test $refused -ne 0; and echo refused`, string(script))
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TERM=dumb"}
		if out, err := c.Output(); err != nil || string(out) != "refused\n" {
			t.Errorf("%s: %v: %s", params, err, out)
		}
	}
}

// A word of a template is the text itself in every shell, fish included, whatever is in it.
func TestTemplateInShells(t *testing.T) {
	values := []string{"", " ", "it's", `\`, `\\`, `a\'b`, `\'; touch ran; echo \'`, "$(touch ran)", "`touch ran`",
		"(touch ran)", "{a,b}", "~", "*", "?", "[a]", "!x", "!!", "^a^b",
		"a\tb", "a\\nb", "-n", "--", "#", "%d", "&& touch ran", "größe", "日本", `"`, `"'\"`, "=x", "a=b", "<x", ">x", "|x",
		";x", "&", "x\\", "'", "''", `'\''`, "\\u0041", "@a", "$x", "${x}", "%self"}
	for c := ' '; c < 127; c++ {
		values = append(values, string(c)+"x"+string(c), "x"+string(c))
	}
	slices.Sort(values)
	values = slices.Compact(values)
	vars, err := space.New([]space.Parameter{{Name: "v", Kind: space.Categorical, Values: values}}, nil, nil)
	must(t, err)
	st := &study.Study{Space: vars, Objectives: []study.Objective{{Name: "f"}}}
	text, err := report.ParseText(vars, "{v}")
	must(t, err)
	ran := 0
	for _, shell := range [][]string{{"sh"}, {"bash", "--norc", "--noprofile"}, {"dash"}, {"zsh", "-f"}, {"mksh"},
		{"fish", "--no-config"}} {
		if _, err := exec.LookPath(shell[0]); err != nil {
			continue
		}
		ran++
		var script, want strings.Builder
		for _, v := range values {
			params, err := json.Marshal(map[string]string{"v": v})
			must(t, err)
			word := text.Expand(report.Lookup(st, trial(t, st, string(params))))
			script.WriteString(`printf '%s\n' ` + word + "\n")
			want.WriteString(v + "\n")
		}
		c := exec.Command(shell[0], append(shell[1:], "-c", script.String())...)
		c.Dir = t.TempDir()
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.Dir, "TERM=dumb", "LC_ALL=C.UTF-8"}
		out, err := c.CombinedOutput()
		left, _ := os.ReadDir(c.Dir)
		if err != nil || string(out) != want.String() ||
			slices.ContainsFunc(left, func(e os.DirEntry) bool { return e.Name() == "ran" }) {
			t.Errorf("%s: %v, %d files\n%s", shell[0], err, len(left), out)
		}
	}
	t.Logf("%d values in %d shells", len(values), ran)
}
