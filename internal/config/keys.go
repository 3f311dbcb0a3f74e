package config

import (
	_ "embed"
	"slices"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/space"
)

//go:embed keys.txt
var keyTable string

// A key is one key of the study file, as keys.txt declares it.
type key struct {
	path   string                 // dotted; * stands for a name that users choose
	field  string                 // of a struct, which the key fills
	also   []string               // other spellings
	value  *shape                 // the valid values
	words  func(Options) []string // the words the value may be; nil: not a word, or any
	usual  string                 // the value that an absent key stands for; "" for none, or a rule that text gives
	must   bool                   // its section is not complete without it
	unless string                 // must: or without this key
	once   string                 // must: once this key is there; empty: always
	with   string                 // the key without which it means nothing
	not    []string               // keys that it excludes; "*" is every other one
	kinds  []string               // types of parameters that have it; nil: all
	below  string                 // the indented lines: its meaning, and a sample
}

// fieldMark is between the fields of a line of keys.txt.
const fieldMark = " | "

// parseKeys reads keys as keys.txt has them, and the replacements of keys, and of words of a key, that older versions
// or other programs take: by "section.key" or "section.key word".
func parseKeys(table string) (keys []key, instead map[string]string) {
	start, end, instead := 0, 0, map[string]string{}
	for line := range strings.Lines(table) {
		end += len(line)
		fields := strings.Split(strings.TrimRight(line, "\n"), fieldMark)
		switch {
		case fields[0] == "" || line[0] == '#':
		case fields[0] == "instead":
			path, words, _ := strings.Cut(fields[1], " ")
			for word := range strings.SplitSeq(words, " ") {
				instead[strings.TrimSpace(path+" "+word)] = fields[2]
			}
		case line[0] != ' ':
			keys, start = append(keys, newKey(fields)), end
		default:
			keys[len(keys)-1].below = table[start:end]
		}
	}
	return keys, instead
}

// told is the meaning of the key, and example lines with «value|wrong».
func (k *key) told() (text, sample string) {
	for line := range strings.SplitSeq(k.below, "\n") {
		if shown, is := strings.CutPrefix(line, "    > "); is {
			sample = strings.TrimPrefix(sample+"\n"+shown, "\n")
		} else if said, is := strings.CutPrefix(line, "    "); is {
			text = strings.TrimPrefix(text+" "+said, " ")
		}
	}
	return text, sample
}

func newKey(fields []string) key {
	k := key{path: fields[0]}
	for word := range strings.SplitSeq(k.name(), "_") {
		k.field += strings.ToUpper(word[:1]) + word[1:]
	}
	for _, f := range fields[1:] {
		switch word, rest, _ := strings.Cut(f, " "); word {
		case "also":
			k.also = strings.Fields(rest)
		case "words":
			k.words = wordsOf(strings.Fields(rest))
		case "default":
			k.usual = rest
		case "required":
			k.must = true
			if on, name, _ := strings.Cut(rest, " "); on == "unless" {
				k.unless = name
			} else {
				k.once = name
			}
		case "with":
			k.with = rest
		case "not":
			k.not = strings.Fields(rest)
		case "for":
			k.kinds = strings.Fields(rest)
		default:
			k.value = shapeOf(f)
		}
	}
	return k
}

// wordsOf is a list of words, or one that the program around names.
func wordsOf(words []string) func(Options) []string {
	list, named := strings.CutPrefix(words[0], "@")
	return func(o Options) []string {
		if named {
			return o.Words[list]
		}
		return words
	}
}

// name is the last part of the path.
func (k *key) name() string { return k.path[strings.LastIndexByte(k.path, '.')+1:] }

// above is the path of its section; "" for the file.
func (k *key) above() string { return strings.TrimSuffix(strings.TrimSuffix(k.path, k.name()), ".") }

// spellings are the key's name and its other ones.
func (k *key) spellings() []string { return append([]string{k.name()}, k.also...) }

// example is a key's example as lines of a study file, the same with the value that is refused, and the two values.
func (k *key) example() (shown, wrong, value, refused string) {
	_, sample := k.told()
	before, rest, _ := strings.Cut(sample, "«")
	values, after, _ := strings.Cut(rest, "»")
	value, refused, _ = strings.Cut(values, "|")
	return before + value + after, before + refused + after, value, refused
}

// sentence is the meaning of the key.
func (k *key) sentence() string {
	text, _ := k.told()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// use is the key with the value of its example.
func (k *key) use() string {
	_, _, value, _ := k.example()
	return k.name() + ": " + value
}

// around is a study that an example is a part of.
func around(part string) string {
	whole := part + "\n"
	if !strings.HasPrefix(part, "objective") {
		whole += "objective: {name: loss, direction: minimize}\n"
	}
	if !strings.HasPrefix(part, "space") {
		whole += "space: {x: {type: float, low: 0, high: 1}}\n"
	}
	return whole
}

// A section is a mapping with keys of its own, in order.
type section []*key

// key is the one of a name, in any of its spellings; nil: there is none.
func (s section) key(name string) *key {
	for _, k := range s {
		if k.name() == name || slices.Contains(k.also, name) {
			return k
		}
	}
	return nil
}

func (s section) names() []string { return lists.Of(s, (*key).name) }

var (
	keys, instead = parseKeys(keyTable)
	// sections are all of them by path; "" is the file.
	sections = vocabulary(keys)
)

func vocabulary(keys []key) map[string]section {
	all := map[string]section{}
	for i := range keys {
		k := &keys[i]
		all[k.above()] = append(all[k.above()], k)
	}
	return all
}

// excluded are the keys of a section that a key of it excludes.
func (s section) excluded(k *key) []string {
	if slices.Equal(k.not, []string{"*"}) {
		return lists.Only(s.names(), func(name string) bool { return name != k.name() })
	}
	return k.not
}

// keysOf are the keys that a type of parameter has.
func keysOf(kind space.Kind) section {
	return lists.Only(sections["space.*"], func(k *key) bool {
		return k.kinds == nil || slices.Contains(k.kinds, kind.String())
	})
}

// A Key is one key of the study file as a reference shows it.
type Key struct {
	Path     string   // dotted; NAME stands for a parameter's or another name that users choose
	Also     []string // other spellings of its last part
	Value    string   // its type
	Default  string   // the value it stands for where it is absent; empty: none, or a rule that Text gives
	Required bool     // its section is not complete without it
	Text     string   // its meaning, with its unit, in a sentence
	Example  string   // of its use, as lines of a study file; empty: there is none that loads
	Wrong    string   // a value that is refused there
	Error    string   // its message
}

// Reference lists every key of the study file, sections before their keys.
func Reference(o Options) []Key {
	var out []Key
	shown := strings.NewReplacer("*", "NAME", "condition.", "CONDITION.")
	for i := range keys {
		k := &keys[i]
		r := Key{Path: shown.Replace(k.path), Also: k.spellings()[1:], Value: k.value.text, Default: k.usual,
			Required: k.must, Text: k.sentence()}
		if k.words != nil && k.words(o) != nil {
			words := strings.Join(k.words(o), ", ")
			r.Value = strings.Replace(r.Value, "words", "words ("+words+")", 1)
			if r.Value == k.value.text {
				r.Value = strings.Replace(r.Value, "word", words, 1)
			}
		}
		shown, refused, _, wrong := k.example()
		r.Example, r.Wrong = shown, wrong
		if _, said := Parse("bohier.yaml", []byte(around(shown)), o); len(said.Errors) > 0 {
			r.Example = ""
		}
		if _, said := Parse("bohier.yaml", []byte(around(refused)), o); len(said.Errors) > 0 {
			r.Error = said.Errors[0].Message
		}
		out = append(out, r)
	}
	return out
}
