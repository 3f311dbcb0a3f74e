package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"bohier/internal/study"
)

// Migrate adopts the space and study of o for a journal that was made with
// another space, and records that. fill gives old trials their values of new
// parameters, as a JSON object; nil gives none. Trials that still do not fit are
// kept as data (Outside); a fill may come later and bring them back. It returns
// the state after and what was adopted, one line each; none means that there was
// nothing to adopt.
func Migrate(ctx context.Context, o Options, fill json.RawMessage) (*State, []string, error) {
	o.adoptSpace = true
	var lines []string
	s, err := Update(ctx, o, func(s *State) ([]Record, error) {
		lines = nil
		same := s.Space == o.Space.Fingerprint()
		outside := slices.ContainsFunc(s.Trials, func(t study.Trial) bool { return t.Outside })
		if !s.Exists || same && (fill == nil || !outside) {
			return nil, nil
		}
		lines = conditions(s.Study, o.Study)
		switch {
		case same:
			lines = []string{"+ fill: " + string(fill)}
		case len(lines) == 0:
			lines = []string{"~ space: " + s.Space + " → " + o.Space.Fingerprint()}
		}
		return []Record{{Kind: KindMigrate, Space: o.Space.Fingerprint(), Study: o.Study, Fill: fill}}, nil
	})
	return s, lines, err
}

// compact is a JSON text without space between its tokens; nil if it is none.
func compact(b []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, b) != nil {
		return nil
	}
	return out.Bytes()
}

// member is one member of a JSON object, nil if it is not there.
func member(b []byte, name string) json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(b, &m) != nil {
		return nil
	}
	return m[name]
}

// diffObjects lists the leaves in which two JSON texts differ, one line each:
// "path: old → new", "+ path: new", "- path: old".
func diffObjects(path string, a, b []byte) []string {
	var ma, mb map[string]json.RawMessage
	if json.Unmarshal(a, &ma) != nil || json.Unmarshal(b, &mb) != nil || ma == nil || mb == nil {
		a, b = compact(a), compact(b)
		switch {
		case bytes.Equal(a, b):
			return nil
		case len(a) == 0:
			return []string{"+ " + path + ": " + shorten(b)}
		case len(b) == 0:
			return []string{"- " + path + ": " + shorten(a)}
		}
		return []string{"~ " + path + ": " + shorten(a) + " → " + shorten(b)}
	}
	names := maps.Clone(ma)
	maps.Copy(names, mb)
	var out []string
	for _, n := range slices.Sorted(maps.Keys(names)) {
		sub := n
		if path != "" {
			sub = path + "." + n
		}
		out = append(out, diffObjects(sub, ma[n], mb[n])...)
	}
	return out
}

func shorten(b []byte) string {
	const most = 120
	r := []rune(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(b)))
	if len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(r)
}

func indent(lines []string) string { return "  " + strings.Join(lines, "\n  ") }

// conditions are the lines in which two studies differ as to what their trials have
// in common: the space with its constraints, and the range of a fidelity's resource.
func conditions(a, b []byte) (lines []string) {
	for _, name := range []string{"space", "forbidden", "require", "fidelity"} {
		lines = append(lines, diffObjects(name, member(a, name), member(b, name))...)
	}
	return lines
}

// overlay is the object over with the members of under that it lacks; under may be empty.
func overlay(under, over []byte) []byte {
	var out map[string]json.RawMessage
	if json.Unmarshal(under, &out) != nil || json.Unmarshal(over, &out) != nil {
		return over
	}
	b, err := json.Marshal(out)
	if err != nil {
		return over
	}
	return b
}
