package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"bohier/internal/lazy"
	"bohier/internal/space"
)

// The limits of a file. They keep any input cheap, and are far above the sizes of real studies.
const (
	maxBytes     = 1 << 20
	maxDepth     = 64
	maxKeys      = 2000
	maxExpansion = 20000 // nodes reached through aliases
)

// surrogates are two escapes that JSON writes for one character, and YAML does not know.
var surrogates = lazy.Regexp(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}`)

// document parses the bytes into the root node and checks the whole tree for values that YAML
// accepts and mangles. It returns nil after a mistake that leaves no tree.
func (rd *decoder) document(data []byte) (root *yaml.Node) {
	switch {
	case len(data) > maxBytes:
		rd.errorf(nil, "", "the file is too long; at most %d bytes (1 MiB) are read", maxBytes)
		return nil
	case !utf8.Valid(data):
		bad := bytes.IndexByte(bytes.ToValidUTF8(data, []byte{0xff}), 0xff)
		line := 1 + bytes.Count(data[:bad], []byte("\n"))
		start := bytes.LastIndexByte(data[:bad], '\n') + 1
		rd.errorf(place(line, utf8.RuneCount(data[start:bad])+1), "save the file as UTF-8", "this byte is not UTF-8")
		return nil
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		text = surrogates().ReplaceAllStringFunc(text, func(pair string) (c string) {
			_ = json.Unmarshal([]byte(`"`+pair+`"`), &c) // it always is JSON
			return c
		})
	}
	rd.lines = strings.Split(text, "\n")

	// The library is fuzzed and still panics on some inputs; to a user a panic is a mistake of the file.
	defer func() {
		if r := recover(); r != nil {
			rd.errorf(nil, "simplify the file until it loads", "the YAML parser gave up: %v", r)
			root = nil
		}
	}()
	dec := yaml.NewDecoder(strings.NewReader(text))
	var doc, second yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF) || err == nil && isNull(doc.Content[0]):
		hint := "`bohier init` writes one to start from"
		if rd.lenient { // of another tool
			hint = ""
		}
		rd.errorf(nil, hint, "the file is empty")
		return nil
	case err != nil:
		rd.syntaxError(err)
		return nil
	}
	root = doc.Content[0]
	if err := dec.Decode(&second); err == nil {
		rd.errorf(place(second.Line, max(1, second.Column)), "one study, one file: move it to a file of its own",
			"a second document starts here")
	} else if !errors.Is(err, io.EOF) {
		rd.syntaxError(err)
	}
	w := walker{decoder: rd, sizes: map[*yaml.Node]int{}}
	if !w.walk(root, 1) {
		return nil
	}
	return root
}

// A walker checks every node of a tree once, and replaces aliases and merge keys (<<) by their contents, so that no
// other code meets one.
type walker struct {
	*decoder
	sizes    map[*yaml.Node]int // of lists and mappings met so far: the nodes below each; −1: it is being walked
	expanded int                // nodes below aliases
}

// walk is false when the tree cannot be used at all: endless or too deep.
func (w *walker) walk(n *yaml.Node, depth int) bool {
	if depth > maxDepth {
		w.errorf(n, "", "nested deeper than %d levels", maxDepth)
		return false
	}
	if n.Kind == yaml.ScalarNode {
		w.scalar(n)
		return true
	}
	w.tag(n)
	if n.Kind == yaml.MappingNode {
		if len(n.Content)/2 > maxKeys {
			w.errorf(n, "", "a mapping has %d keys; at most %d are read", len(n.Content)/2, maxKeys)
			return false
		}
		w.keys(n)
	}
	w.sizes[n] = -1
	size := len(n.Content)
	for i, c := range n.Content {
		n.Content[i] = target(c)
		known, met := w.sizes[target(c)]
		switch {
		case known < 0:
			w.errorf(c, "", "*%s contains itself", c.Value)
			return false
		case met:
		case n.Kind == yaml.MappingNode && i%2 == 0 && c.Kind == yaml.ScalarNode:
			w.tag(c)
		case n.Kind == yaml.SequenceNode && isNull(c) && c.Value == "":
			w.errorf(c, `quote it to mean the text: "null"`, "a list entry is empty")
		case !w.walk(target(c), depth+1):
			return false
		}
		size += w.sizes[target(c)]
		if w.expanded += known; w.expanded > maxExpansion {
			w.errorf(c, "write the values out, or use fewer aliases", "aliases expand to more than %d nodes", maxExpansion)
			return false
		}
	}
	w.sizes[n] = size
	if n.Kind == yaml.MappingNode {
		w.merge(n)
	}
	return true
}

// keys checks that a mapping's keys are distinct texts.
func (w *walker) keys(n *yaml.Node) {
	first := make(map[string]int, len(n.Content)/2)
	for _, f := range pairs(n) {
		k := target(f.key)
		k.Value = space.Name(k.Value)
		switch {
		case k.Kind != yaml.ScalarNode:
			w.errorf(k, "", "a key must be a word, not a %s", kindName(k))
		case first[k.Value] > 0:
			w.errorf(k, "remove one of the two", "%q appears twice, first on line %d", k.Value, first[k.Value])
		default:
			first[k.Value] = k.Line
		}
	}
}

// tag refuses explicit tags. The library drops a bare "!" without a trace, so the source is consulted.
func (w *walker) tag(n *yaml.Node) bool {
	tag := n.Tag
	switch {
	case n.Style&yaml.TaggedStyle == 0 && w.sourceAt(n) != '!':
		return true
	case w.lenient:
		if n.Style&yaml.TaggedStyle != 0 && n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
			n.Style |= yaml.DoubleQuotedStyle
		}
		n.Style &^= yaml.TaggedStyle
		return true
	case n.Style&yaml.TaggedStyle == 0:
		tag = "!"
	}
	hint := "quote the text to keep the exclamation mark"
	if !strings.HasPrefix(tag, "!!") {
		hint = `YAML takes "!…" as a type and drops it; in a condition write: not …`
	}
	w.errorf(n, hint, "%q is a YAML tag; study files have none", tag)
	return false
}

var (
	octal     = lazy.Regexp(`^[-+]?0[0-9_]+(\.[0-9_]*)?([eE][-+]?[0-9]+)?$`)
	grouped   = lazy.Regexp(`^[-+]?[0-9]([0-9_]*_[0-9_]*(\.[0-9_]*)?|[0-9]*\.[0-9_]*_[0-9_]*)([eE][-+]?[0-9]+)?$`)
	notFinite = lazy.Regexp(`^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
	decimal   = lazy.Regexp(`^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$`)
)

// Texts that YAML 1.1 or 1.2 reads as bools, and as numbers in base 60, 16, 8 or 2.
var (
	otherBool   = lazy.Regexp(`(?i)^(y|yes|n|no|on|off)$`)
	otherNumber = lazy.Regexp(`^[-+]?([0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?|0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+)$`)
)

// portable warns of plain texts in a value that other YAML readers take for bools or numbers.
func (r *decoder) portable(n *yaml.Node) {
	if n.Kind != yaml.ScalarNode {
		for _, c := range n.Content {
			r.portable(c)
		}
		return
	}
	kind := ""
	switch {
	case n.Style != 0:
	case len(n.Value) > 1 && otherBool().MatchString(n.Value): // y and n: in the standard alone
		kind = "bool"
	case otherNumber().MatchString(n.Value):
		kind = "number"
	}
	if kind != "" {
		r.warnf(n, `quote it: "`+n.Value+`"`, "%s stays the text %q here; other YAML readers take it for a %s", n.Value,
			n.Value, kind)
	}
}

// scalar refuses plain scalars that YAML versions and libraries read differently. Quoting is
// always the way to mean the text.
func (w *walker) scalar(n *yaml.Node) {
	if !w.tag(n) || w.lenient || n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		return
	}
	if n.Style == 0 && (n.Value == "" || !strings.Contains("+-.0123456789", n.Value[:1])) {
		return // it begins like no number and no date
	}
	fault := ""
	switch _, msg := parseNumber(n.Value); {
	case n.Style&(yaml.FoldedStyle|yaml.LiteralStyle) != 0:
		if strings.TrimSpace(n.Value) == "" {
			w.errorf(n, `YAML reads ">" and "|" as the start of a text block; quote the value or write {gt: …}`,
				"this text is empty")
		}
	case n.Style != 0:
	case octal().MatchString(n.Value):
		fault = n.Value + ": a leading zero means octal to some readers"
	case grouped().MatchString(n.Value):
		fault = n.Value + ": underscores in numbers are not portable"
	case notFinite().MatchString(n.Value):
		fault = n.Value + " is not a finite number"
	case decimal().MatchString(n.Value):
		fault = msg
	case n.Tag == "!!timestamp":
		fault = n.Value + " would be read as a date"
	}
	if fault != "" {
		w.errorf(n, "write a plain finite number (as a bound: the farthest that makes sense), or quote it to mean the text: "+
			strconv.Quote(n.Value), "%s", fault)
	}
}

// sourceAt is the character where a node starts, past its anchor; 0: there is none.
func (diag *diagnostics) sourceAt(n *yaml.Node) rune {
	text := diag.runes(n.Line)
	at := n.Column - 1
	if n.Anchor != "" && at >= 0 && at < len(text) && text[at] == '&' {
		for at += 1 + utf8.RuneCountInString(n.Anchor); at < len(text) && text[at] == ' '; at++ {
		}
	}
	if at < 0 || at >= len(text) {
		return 0
	}
	return text[at]
}

// target follows an alias.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// merge puts the keys of merged mappings behind those of a mapping: of keys of one name the first stays.
func (r *decoder) merge(n *yaml.Node) {
	var own, merged []field
	for _, f := range pairs(n) {
		switch {
		case f.key.Kind != yaml.ScalarNode: // reported by the walker
		case f.key.Tag != "!!merge":
			own = append(own, f)
		case f.value.Kind != yaml.SequenceNode:
			merged = append(merged, r.merged(f.value, f.value)...)
		default:
			for _, s := range f.value.Content {
				merged = append(merged, r.merged(s, f.value)...)
			}
		}
	}
	known := map[string]bool{}
	n.Content = nil
	for _, f := range append(own, merged...) {
		if !known[f.key.Value] {
			known[f.key.Value] = true
			n.Content = append(n.Content, f.key, f.value)
		}
	}
}

// merged are the keys of one mapping to merge; at is where it stands.
func (r *decoder) merged(n, at *yaml.Node) []field {
	if n.Kind != yaml.MappingNode {
		r.errorf(at, "write <<: *name, where &name marks a mapping", "<< needs a mapping to merge")
		return nil
	}
	return pairs(n)
}

func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null"
}

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "mapping"
	case yaml.SequenceNode:
		return "list"
	}
	return "single value"
}
