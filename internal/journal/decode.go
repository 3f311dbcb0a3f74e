package journal

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"bohier/internal/jsonscan"
	"bohier/internal/study"
)

// errNewer marks a line whose checksum holds and which this program still does
// not understand: a newer program wrote it.
var errNewer = errors.New("written by a newer program")

const tailLen = len(`,"crc":"00000000"}`)

// Sum is the checksum that a line (without its newline) carries; ok reports whether it holds.
func Sum(line []byte) (sum uint32, ok bool) {
	n := len(line) - tailLen
	if n < 1 {
		return 0, false
	}
	sum, ok = sealOf(line[n:])
	return sum, ok && sum == crc(line[:n])
}

// seal ends a line with its checksum.
func seal(line []byte, sum uint32) []byte {
	return append(appendHex(append(line, `,"crc":"`...), sum), `"}`...)
}

// sealOf is the checksum that the end of a line gives.
func sealOf(end []byte) (sum uint32, ok bool) {
	if len(end) != tailLen || !bytes.HasPrefix(end, []byte(`,"crc":"`)) || !bytes.HasSuffix(end, []byte(`"}`)) {
		return 0, false
	}
	return parseHex(end[8:16])
}

// A decoder turns lines into records. It shares strings that repeat, so a long journal costs little memory.
type decoder struct {
	scanner jsonscan.Scanner
	shared  map[string]string
	last    []string     // text of each member
	numbers study.Values // room for the members of one line
	metrics study.Metrics
}

func newDecoder() *decoder {
	return &decoder{shared: map[string]string{}, last: make([]string, len(columns))}
}

// text is the text of member k, the one of the line before where that has the same.
func (d *decoder) text(k int, b []byte) string {
	switch {
	case d.last[k] == string(b):
	case columns[k].shared:
		d.last[k] = d.share(b)
	default:
		d.last[k] = string(b)
	}
	return d.last[k]
}

func (d *decoder) share(b []byte) string {
	if s, ok := d.shared[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(d.shared) < 4096 && len(s) <= 64 {
		d.shared[s] = s
	}
	return s
}

// decode reads a line (without its newline) whose checksum holds into r, which
// it overwrites. Raw fields alias the line.
func (d *decoder) decode(line []byte, r *Record) error {
	*r = Record{}
	if !utf8.Valid(line) {
		return errors.New("not UTF-8")
	}
	s := &d.scanner
	*s = jsonscan.Scanner{B: line}
	var seen field
	var unknown string
	members, next := r.members(), 0
	s.Object(func(name []byte) {
		same := func(c column) bool { return c.name == string(name) }
		k := next + slices.IndexFunc(columns[next:], same) // as most lines have it
		if k < next {
			k = slices.IndexFunc(columns, same)
		}
		switch {
		case k < 0:
			if unknown == "" {
				unknown = string(name)
			}
			s.Value(0)
		case seen&(1<<k) != 0:
			s.Fail("duplicate name %q", name)
		default:
			seen |= 1 << k
			next = k + 1
			d.member(s, k, members[k])
		}
	})
	s.Space()
	switch {
	case s.Err != nil:
		return s.Err
	case s.At != len(line):
		return fmt.Errorf("column %d: something follows the object", s.At+1)
	case seen&frame != frame:
		return fmt.Errorf("no %s", nameOf(frame&^seen))
	}
	rule, known := rules[r.Kind]
	err := rule.check(r.Kind, seen)
	switch {
	case !known && r.Optional:
		return nil
	case !known:
		err = fmt.Errorf("a record of kind %q", r.Kind)
	case unknown != "":
		err = fmt.Errorf("name %q in a record of kind %s", unknown, r.Kind)
	case err == nil && !(slices.Contains(states, r.State) && slices.Contains(failures, r.Failure) &&
		slices.Contains(verdicts, r.Verdict)):
		err = fmt.Errorf("the state, failure or verdict of a record of kind %s", r.Kind)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", err, errNewer)
	}
	return nil
}

// The words that records say.
var (
	states = []study.State{"", study.Pending, study.Complete, study.Failed, study.Abandoned, study.Paused,
		study.Stopped}
	failures = []study.Failure{"", study.Infeasible, study.Transient}
	verdicts = []study.Verdict{"", study.VerdictGo, study.VerdictPause, study.VerdictStop, study.VerdictDone}
)

// member reads member k, whatever its type.
func (d *decoder) member(s *jsonscan.Scanner, k int, into any) {
	switch v := into.(type) {
	case *int:
		*v = s.Count()
	case *uint32:
		sum, ok := parseHex(s.Text())
		if *v = sum; !ok {
			s.Fail("want eight hexadecimal digits")
		}
	case *float64:
		*v = s.Float()
	case **float64:
		number := s.Float()
		*v = &number
	case **uint64:
		t := s.Text()
		seed, err := strconv.ParseUint(string(t), 10, 64)
		if err != nil {
			s.Fail("%q is not a seed", t)
		}
		*v = &seed
	case *bool:
		*v = s.Boolean()
	case *json.RawMessage:
		if s.Peek() != '{' {
			s.Fail("want an object")
		}
		*v = s.Value(0)
	case *study.Values:
		*v = readMembers(d, s, &d.numbers, (*jsonscan.Scanner).Float)
	case *study.Metrics: // finite numbers and texts
		*v = readMembers(d, s, &d.metrics, func(s *jsonscan.Scanner) any {
			if s.Peek() == '"' {
				return d.share(s.Text())
			}
			return s.Float()
		})
	case *[][2]float64:
		*v = pairs(s)
	case *string:
		*v = d.text(k, s.Text())
	default: // a string of a type of its own
		reflect.ValueOf(into).Elem().SetString(d.text(k, s.Text()))
	}
}

// pairs reads a list of pairs of numbers.
func pairs(s *jsonscan.Scanner) (out [][2]float64) {
	s.Array(func() {
		var p [2]float64
		n := 0
		s.Array(func() {
			v := s.Float()
			if n < 2 {
				p[n] = v
			}
			n++
		})
		if n != 2 {
			s.Fail("want pairs of numbers")
		}
		out = append(out, p)
	})
	return out
}

// readMembers reads an object of values that value reads; room is for those of one line.
func readMembers[V any](d *decoder, s *jsonscan.Scanner, room *study.Named[V],
	value func(*jsonscan.Scanner) V) study.Named[V] {
	list := (*room)[:0]
	s.Object(func(name []byte) { list = append(list, study.Member[V]{Name: d.share(name), Value: value(s)}) })
	slices.SortFunc(list, func(a, b study.Member[V]) int { return cmp.Compare(a.Name, b.Name) })
	for k := range list[min(1, len(list)):] {
		if list[k].Name == list[k+1].Name {
			s.Fail("duplicate name %q", list[k].Name)
		}
	}
	*room = list
	return append(study.Named[V](nil), list...)
}

// parseHex reads eight hexadecimal digits as appendHex writes them.
func parseHex(t []byte) (uint32, bool) {
	sum, err := strconv.ParseUint(string(t), 16, 32)
	var b [8]byte
	return uint32(sum), err == nil && bytes.Equal(appendHex(b[:0], uint32(sum)), t)
}

func appendHex(dst []byte, sum uint32) []byte {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], sum)
	return hex.AppendEncode(dst, b[:])
}
