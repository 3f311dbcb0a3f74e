package journal

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"bohier/internal/jsonscan"
	"bohier/internal/study"
)

// maxLine is the longest line, with its newline, in bytes.
const maxLine = 1 << 20

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

func crc(b []byte) uint32 { return crc32.Checksum(b, castagnoli()) }

// appendRecord appends the line of r, with its newline, to dst and sets r.CRC. A record that is older
// than its write has a space before its time.
func appendRecord(dst []byte, r *Record, older bool) ([]byte, error) {
	rule, ok := rules[r.Kind]
	if !ok {
		panic("journal: record of unknown kind " + string(r.Kind))
	}
	e, start := encoder{b: dst}, len(dst)
	members, seen := r.members(), field(0)
	for k, v := range members[:len(members)-1] { // the last is crc
		if c := &columns[k]; c.name == "seq" || c.name == "prev" || !empty(v) {
			seen |= 1 << k
			if e.b = append(e.b, ','); older && c.name == "at" {
				e.b = append(e.b, ' ')
			}
			e.b = append(e.b, c.label...)
			e.value(c.name, v)
		}
	}
	e.b[start] = '{'
	if e.err != nil {
		return dst, e.err
	}
	if err := rule.check(r.Kind, seen|frame); err != nil {
		return dst, err
	}
	r.CRC = crc(e.b[start:])
	e.b = append(seal(e.b, r.CRC), '\n')
	if len(e.b)-start > maxLine {
		return dst, fmt.Errorf("the record is %d bytes long, more than the %d a line may have", len(e.b)-start, maxLine)
	}
	return e.b, nil
}

// A rule lists the members that a kind must and may carry beside the members of every kind.
type rule struct{ must, may field }

// check is the error for a record of a kind that has these members.
func (r rule) check(kind Kind, seen field) error {
	if extra := seen &^ (r.must | r.may | always); extra != 0 {
		return fmt.Errorf("a %s record cannot carry %s", kind, nameOf(extra))
	}
	if missing := r.must &^ seen; missing != 0 {
		return fmt.Errorf("a %s record needs %s", kind, nameOf(missing))
	}
	return nil
}

// nameOf is the first field in a set, for messages.
func nameOf(set field) string {
	for _, name := range slices.Sorted(maps.Keys(fieldNames)) {
		if set&fieldNames[name] != 0 {
			return strconv.Quote(name)
		}
	}
	return "nothing"
}

// empty reports whether a member, to which it has a pointer, is left out.
func empty(value any) bool {
	switch v := value.(type) { // most of them
	case *int:
		return *v == 0
	case *float64:
		return *v == 0
	case **float64:
		return *v == nil
	case *string:
		return *v == ""
	}
	v := reflect.ValueOf(value).Elem()
	return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

type encoder struct {
	b   []byte
	err error
}

// value appends a member's value, to which it has a pointer of whatever type.
func (e *encoder) value(name string, value any) {
	switch v := value.(type) {
	case *int:
		e.b = strconv.AppendInt(e.b, int64(*v), 10)
	case *uint32:
		e.b = append(appendHex(append(e.b, '"'), *v), '"')
	case *float64:
		e.float(name, *v)
	case **float64:
		e.float(name, **v)
	case **uint64:
		e.b = fmt.Appendf(e.b, `"%d"`, **v)
	case *bool:
		e.b = strconv.AppendBool(e.b, *v)
	case *json.RawMessage:
		e.raw(name, *v)
	case *study.Values:
		writeMembers(e, *v, e.float)
	case *study.Metrics:
		writeMembers(e, *v, func(k string, v any) {
			switch v := v.(type) {
			case float64:
				e.float(k, v)
			case string:
				e.b = appendString(e.b, v)
			default:
				e.err = fmt.Errorf("the metric %q is neither a number nor a text", k)
			}
		})
	case *[][2]float64:
		for i, p := range *v {
			e.b = append(e.b, "[,"[min(i, 1)], '[')
			e.float(name, p[0])
			e.b = append(e.b, ',')
			e.float(name, p[1])
			e.b = append(e.b, ']')
		}
		e.b = append(e.b, ']')
	default:
		e.b = appendString(e.b, reflect.ValueOf(v).Elem().String())
	}
}

// newlines would end the record. Between JSON tokens a space says the same, and inside strings the
// scanner refuses control characters.
var newlines = strings.NewReplacer("\n", " ", "\r", " ")

func (e *encoder) raw(name string, v []byte) {
	s := jsonscan.Scanner{B: v}
	object := s.Value(0)
	if s.End(); s.Err != nil || object[0] != '{' {
		e.err = fmt.Errorf("%q is not a JSON object", name)
		return
	}
	e.b = append(e.b, newlines.Replace(string(object))...)
}

// writeMembers writes an object that has members.
func writeMembers[V any](e *encoder, list study.Named[V], write func(k string, v V)) {
	start := len(e.b)
	for _, m := range list {
		e.b = append(appendString(append(e.b, ','), m.Name), ':')
		write(m.Name, m.Value)
	}
	e.b[start] = '{'
	e.b = append(e.b, '}')
}

func (e *encoder) float(name string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		e.err = fmt.Errorf("%s is %v, which JSON cannot hold", name, v)
		return
	}
	e.b = strconv.AppendFloat(e.b, v, 'g', -1, 64)
}

// appendString appends s as a JSON string; bytes that are not UTF-8 become U+FFFD.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < 0x20 || r == 0x7f:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
