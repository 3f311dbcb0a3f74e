package config

import (
	"slices"
	"strings"
)

// A key is one key of the study file. The table of them is what the reader, the
// schema and the reference have in common: a key that is added there is known to
// all three.
type key struct {
	path  string                 // dotted; * stands for a name that users choose
	also  string                 // other spellings, between spaces
	value shape                  // what the value may be
	words func(Options) []string // the words the value may be; nil: not a word, or any
	usual string                 // the value that an absent key stands for; "" for none, or a rule that text gives
	must  bool                   // its section is not complete without it
	text  string                 // what it means, with its unit: a sentence without its end
	// sample shows the key in a line of a study file that loads once objective and space are
	// there, too. «value|wrong» are a value of the key and one that is refused, by which the
	// reference finds the error.
	sample string
}

// one lists words that are the same in every program.
func one(words ...string) func(Options) []string { return func(Options) []string { return words } }

// name is the last part of the path.
func (k *key) name() string { return k.path[strings.LastIndexByte(k.path, '.')+1:] }

// spellings are the key's name and its other ones.
func (k *key) spellings() []string { return append([]string{k.name()}, strings.Fields(k.also)...) }

// A section is a mapping with keys of its own.
type section struct {
	keys    []*key
	names   []string          // of keys, in order
	aliases map[string]string // other spellings
}

func (s *section) key(name string) *key {
	if i := slices.Index(s.names, name); i >= 0 {
		return s.keys[i]
	}
	return nil
}

// sections are all of them by path; "" is the file.
var sections = vocabulary(keys)

func vocabulary(keys []key) map[string]*section {
	all := map[string]*section{}
	for i := range keys {
		k := &keys[i]
		path, _, _ := cutLast(k.path)
		s := all[path]
		if s == nil {
			s = &section{aliases: map[string]string{}}
			all[path] = s
		}
		s.keys, s.names = append(s.keys, k), append(s.names, k.name())
		for _, a := range strings.Fields(k.also) {
			s.aliases[a] = k.name()
		}
	}
	return all
}

// cutLast splits a path before its last part.
func cutLast(path string) (before, last string, found bool) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}

// numberKeys are the spellings of keys whose values are numbers wherever they stand.
var numberKeys = func() map[string]bool {
	numbers := map[string]bool{}
	for i := range keys {
		for _, name := range keys[i].spellings() {
			numbers[name] = numbers[name] || keys[i].value.number
		}
	}
	return numbers
}()

// boundKey reports whether a key bounds a parameter.
func boundKey(name string) bool {
	return slices.ContainsFunc(spellings, func(s struct{ low, high string }) bool { return name == s.low || name == s.high })
}

// exclusive lists, by section, keys of which at most one may be there.
var exclusive = map[string][][]string{
	"":                 {{"objective", "objectives"}},
	"space.*":          {{"scale", "log"}, {"step", "precision"}},
	"space.*.graph":    {{"edges", "groups"}},
	"surrogate.kernel": {{"name", "sum", "add", "multiply"}, {"terms", "order", "power"}},
	"fidelity":         {{"levels", "low"}, {"levels", "high"}, {"levels", "eta"}, {"levels", "unit"}},
	"run":              {{"command", "shell"}, {"result_file", "result_regex"}, {"result", "result_regex"}},
}

// either lists, by section, keys of which at least one must be there.
var either = map[string][]string{
	"":              {"objective", "objectives"},
	"space.*.graph": {"edges", "groups"},
}
