package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"bohier/internal/lazy"
	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

//go:embed taken.txt
var takenText string

// taken are the names with a lower-case letter that shells and common tools act upon all the
// same; prefixes end in * (TestEnvInShells asks the shells that are installed).
var taken = sync.OnceValue(func() (names []string) {
	for line := range strings.Lines(takenText) {
		if !strings.HasPrefix(line, "#") {
			names = append(names, strings.Fields(line)...)
		}
	}
	return names
})

// Env is shell code that sets trial and, with the given prefix, one variable for each active parameter, and unsets
// those of inactive ones: evaluated in a loop, nothing is left over from the trial before. A trial with a leg has two
// more: the resource under its name, and resume_from. Values are single-quoted, so nothing in them is ever executed.
// Lines are sorted by name.
func Env(st *study.Study, t *study.Trial, prefix string) ([]byte, error) {
	known := slices.Concat(st.Space.Names(), othersOf(st.Space, t))
	values := map[string]string{}
	for _, v := range t.Settings(st.Space) {
		values[v.Name] = v.Text
	}
	if l, _ := legOf(t); l != nil {
		known = append(known, st.Fidelity.Name, study.ResumeFrom)
		values[st.Fidelity.Name], values[study.ResumeFrom] = Number(l.To), Number(st.Fidelity.ResumesAt(l.From))
	}
	variables, err := EnvNames(known, prefix)
	if err != nil {
		return nil, err
	}
	lines := map[string]string{prefix + "trial": prefix + "trial=" + study.ShellQuoted(t.ID()) + "\n"}
	for i, variable := range variables {
		if text, active := values[known[i]]; active {
			lines[variable] = variable + "=" + study.ShellQuoted(text) + "\n"
		} else {
			lines[variable] = "unset " + variable + "\n"
		}
	}
	var out []byte
	for _, variable := range slices.Sorted(maps.Keys(lines)) {
		out = append(out, lines[variable]...)
	}
	return out, nil
}

// EnvNames gives every parameter its shell variable, by the rule of space.Variable. It refuses names
// that collide, and all but acceptable ones.
func EnvNames(parameters []string, prefix string) ([]string, error) {
	if strings.Trim(prefix, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" ||
		prefix != "" && prefix[0] >= '0' && prefix[0] <= '9' {
		return nil, study.Errorf(study.Usage, "letters, digits and _ only, such as --prefix p_",
			"%q is not a prefix of shell variables", prefix)
	}
	const hint = "choose a prefix for the variables: --prefix p_"
	if !acceptable(prefix + "trial") {
		return nil, study.Errorf(study.Usage, hint, "%s cannot be a shell variable: programs act upon such names",
			prefix+"trial")
	}
	owner := map[string]string{prefix + "trial": "the trial's id"}
	names := make([]string, len(parameters))
	for i, p := range parameters {
		name := prefix + space.Variable(p)
		if !acceptable(name) {
			return nil, study.Errorf(study.Usage, hint,
				"parameter %s cannot be the shell variable %s: programs act upon such names", p, name)
		}
		if other, taken := owner[name]; taken {
			return nil, study.Errorf(study.Usage, hint, "parameter %s and %s would both be the shell variable %s", p, other,
				name)
		}
		owner[name], names[i] = "parameter "+p, name
	}
	return names, nil
}

// acceptable reports whether a shell variable may be set without a shell, a loader or a tool acting upon it. POSIX
// leaves the names with a lower-case letter to applications (Base Definitions, 8.1) and all others to its utilities,
// which shells, loaders and tools follow but for those taken. No program is known to act upon a single upper-case
// letter either, and C, D, K are common parameters.
func acceptable(name string) bool {
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	if len(name) == 1 && name >= "A" && name <= "Z" {
		return true
	}
	match := func(p string) bool {
		stem, many := strings.CutSuffix(p, "*")
		return name == p || many && strings.HasPrefix(name, stem)
	}
	return strings.ContainsAny(name, "abcdefghijklmnopqrstuvwxyz") && !slices.ContainsFunc(taken(), match)
}

// Args is a configuration as arguments, --name=value for each value.
func Args(values []space.Setting) []string {
	return lists.Of(values, func(v space.Setting) string { return fmt.Sprintf("--%s=%s", v.Name, v.Text) })
}

// A Text is the template of -o template=…: placeholders as in commands, where an inactive parameter is empty text, and
// groups in brackets, such as "[--degree {degree}]", that are left out when a placeholder in them is inactive. It is
// immutable.
type Text struct{ pieces []piece }

type piece struct {
	study.Template
	group bool
}

// ParseText reads a template whose placeholders are parameters of the space or
// one of TemplateWords. Brackets around text without placeholders are literal.
func ParseText(s *space.Space, text string) (Text, error) {
	names, masked := s.Names(), []byte(text)
	for _, p := range study.Placeholders(text, names) { // brackets in one are of its name
		copy(masked[p.From:p.To], bytes.Repeat([]byte{0}, p.To-p.From))
	}
	var t Text
	add := func(part string, group bool) {
		t.pieces = append(t.pieces, piece{study.ParseTemplate(part, names), group})
	}
	done := 0
	for _, m := range grouped().FindAllIndex(masked, -1) {
		add(text[done:m[0]], false)
		add(text[m[0]+1:m[1]-1], true)
		done = m[1]
	}
	add(text[done:], false)
	for _, p := range t.pieces {
		for _, name := range p.Names() {
			if _, ok := s.Index(name); !ok && !slices.Contains(TemplateWords, name) {
				known := strings.Join(slices.Concat(names, TemplateWords), "} {")
				return Text{}, study.Errorf(study.Usage, "placeholders: {"+known+"}",
					"the template asks for {%s}, which is no parameter", name)
			}
		}
	}
	return t, nil
}

// grouped finds the innermost brackets around a masked placeholder.
var grouped = lazy.Regexp(`\[[^\[\]]*\x00[^\[\]]*\]`)

// Expand fills the template in for a trial.
func (t Text) Expand(value func(name string) (string, bool)) string {
	var b strings.Builder
	for _, p := range t.pieces {
		text, ok := p.Expand(value)
		if !ok && !p.group {
			text, _ = p.Expand(func(name string) (string, bool) {
				v, _ := value(name)
				return v, true
			})
		}
		b.WriteString(text)
	}
	return b.String()
}
