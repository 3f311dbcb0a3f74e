package report

import (
	"fmt"
	"slices"
	"strings"

	"bohier/internal/space"
	"bohier/internal/study"
)

// protected are the variables a shell or a dynamic linker acts upon; a parameter
// of that name is given out only with a prefix. Prefixes end in *.
var protected = []string{
	"PATH", "IFS", "HOME", "PWD", "OLDPWD", "CDPATH", "SHELL", "SHELLOPTS", "SHLVL", "ENV", "EDITOR", "VISUAL",
	"USER", "LOGNAME", "MAIL", "MAILPATH", "MAILCHECK", "TMPDIR", "TERM", "LANG", "LANGUAGE", "LC_*", "LD_*", "DYLD_*",
	"PS0", "PS1", "PS2", "PS3", "PS4", "PROMPT_COMMAND", "OPTIND", "OPTARG", "OPTERR", "UID", "EUID", "PPID",
	"BASH*", "ZDOTDIR", "POSIXLY_CORRECT", "GLOBIGNORE", "FIGNORE", "HISTFILE", "INPUTRC", "RANDOM", "SECONDS",
	"LINENO", "FUNCNAME", "GROUPS", "DIRSTACK", "HOSTNAME", "HOSTTYPE", "MACHTYPE", "OSTYPE", "PIPESTATUS", "REPLY",
	"PYTHON*", "PERL*", "RUBYOPT", "RUBYLIB", "NODE_OPTIONS", "JAVA_TOOL_OPTIONS", "GCONV_PATH", "LOCPATH",
	"NLSPATH", "HOSTALIASES", "MALLOC_*", "BOHIER_*",
	// zsh ties these to PATH and its like
	"path", "cdpath", "fpath", "mailpath", "manpath", "module_path", "status", "argv", "prompt", "options",
}

// reserved are words a POSIX shell does not take for variables.
var reserved = []string{"_"}

// Env is shell code that sets trial and, with the given prefix, one variable for
// each active parameter, and unsets those of inactive ones: evaluated in a loop,
// nothing is left over from the trial before. Values are single-quoted, so
// nothing in them is ever executed. Lines are sorted by name.
func Env(s *space.Space, t *study.Trial, prefix string) ([]byte, error) {
	names, err := EnvNames(s, prefix)
	if err != nil {
		return nil, err
	}
	lines := []string{prefix + "trial=" + quote(t.ID())}
	for i, name := range names {
		if t.Config.Active[i] {
			lines = append(lines, name+"="+quote(s.FormatValue(i, t.Config.Value[i])))
		} else {
			lines = append(lines, "unset "+name)
		}
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(assigned(a), assigned(b)) })
	return []byte(strings.Join(lines, "\n") + "\n"), nil
}

// EnvNames gives every parameter of the space its shell variable: . and - become
// _. It refuses names that collide, or that a shell or linker acts upon.
func EnvNames(s *space.Space, prefix string) ([]string, error) {
	if strings.Trim(prefix, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" ||
		prefix != "" && prefix[0] >= '0' && prefix[0] <= '9' {
		return nil, study.Errorf(study.Usage, "letters, digits and _ only, such as --prefix BO_", "%q is not a prefix of shell variables", prefix)
	}
	const hint = "choose a prefix for the variables: --prefix p_"
	if isProtected(prefix + "trial") {
		return nil, study.Errorf(study.Usage, hint, "the shell acts upon the variable %s", prefix+"trial")
	}
	owner := map[string]string{prefix + "trial": "the trial's id"}
	names := make([]string, s.Len())
	for i := range s.Params() {
		p := s.Params()[i].Name
		name := prefix + strings.Map(shellRune, p)
		if isProtected(name) {
			return nil, study.Errorf(study.Usage, hint, "parameter %s cannot be the shell variable %s: programs act upon it", p, name)
		}
		if other, taken := owner[name]; taken {
			return nil, study.Errorf(study.Usage, hint, "parameter %s and %s would both be the shell variable %s", p, other, name)
		}
		owner[name], names[i] = "parameter "+p, name
	}
	return names, nil
}

func shellRune(r rune) rune {
	if r == '.' || r == '-' {
		return '_'
	}
	return r
}

func isProtected(name string) bool {
	match := func(p string) bool {
		stem, many := strings.CutSuffix(p, "*")
		return name == p || many && strings.HasPrefix(name, stem)
	}
	return slices.ContainsFunc(protected, match) || slices.Contains(reserved, name)
}

// quote makes any text one word of a POSIX shell.
func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// word is quote where a shell would not read the text as one plain word.
func word(text string) string {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+:,./@-"
	if text != "" && strings.Trim(text, plain) == "" {
		return text
	}
	return quote(text)
}

// assigned is the variable a line of Env is about.
func assigned(line string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(line, "unset "), "=")
	return name
}

// Args is the configuration as arguments, --name=value for each active
// parameter.
func Args(s *space.Space, c space.Configuration) []string {
	out := []string{}
	for i := range s.Params() {
		if i < len(c.Active) && c.Active[i] {
			out = append(out, fmt.Sprintf("--%s=%s", s.Params()[i].Name, s.FormatValue(i, c.Value[i])))
		}
	}
	return out
}
