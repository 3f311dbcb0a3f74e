package journal

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"bohier/internal/jsonscan"
	"bohier/internal/study"
)

// errNewer marks a line whose checksum holds and which this program still does
// not understand: a newer program wrote it.
var errNewer = errors.New("written by a newer program")

const tailLen = len(`,"crc":"00000000"}`)

// checksum splits a line (without its newline) into the checksummed bytes and
// the checksum; ok reports whether the checksum holds.
func checksum(line []byte) (sum uint32, ok bool) {
	n := len(line) - tailLen
	if n < 1 {
		return 0, false
	}
	sum, ok = sealOf(line[n:])
	return sum, ok && sum == crc(line[:n])
}

// sealOf is the checksum that the end of a line gives.
func sealOf(end []byte) (sum uint32, ok bool) {
	if len(end) != tailLen || !bytes.HasPrefix(end, []byte(`,"crc":"`)) || !bytes.HasSuffix(end, []byte(`"}`)) {
		return 0, false
	}
	sum, err := parseHex(end[8:16])
	return sum, err == nil
}

// A decoder turns lines into records. It shares strings that repeat, so a long
// journal costs little memory.
type decoder struct{ shared map[string]string }

func newDecoder() *decoder { return &decoder{shared: map[string]string{}} }

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
	s := jsonscan.Scanner{B: line}
	var seen field
	var unknown string
	s.Object(func(name []byte) {
		f, ok := fieldNames[string(name)]
		if !ok {
			if unknown == "" {
				unknown = string(name)
			}
			s.Value(0)
			return
		}
		if seen&f != 0 {
			s.Fail("duplicate name %q", name)
			return
		}
		seen |= f
		d.member(&s, f, r)
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
	switch {
	case !known && r.Optional:
		return nil
	case !known:
		return fmt.Errorf("a record of kind %q: %w", r.Kind, errNewer)
	case unknown != "":
		return fmt.Errorf("name %q in a %s record: %w", unknown, r.Kind, errNewer)
	}
	if extra := seen &^ (rule.must | rule.may | frame | fAt | fOptional); extra != 0 {
		return fmt.Errorf("a %s record cannot carry %s", r.Kind, nameOf(extra))
	}
	if missing := rule.must &^ seen; missing != 0 {
		return fmt.Errorf("a %s record needs %s", r.Kind, nameOf(missing))
	}
	return nil
}

func (d *decoder) member(s *jsonscan.Scanner, f field, r *Record) {
	switch f {
	case fSeq:
		r.Seq = s.Count()
	case fPrev:
		r.Prev = hexadecimal(s)
	case fCRC:
		r.CRC = hexadecimal(s)
	case fT:
		r.Kind = Kind(d.share(s.Text()))
	case fAt:
		r.At = string(s.Text())
	case fTrial:
		r.Trial = s.Count()
	case fTag:
		r.Tag = string(s.Text())
	case fKey:
		r.Key = string(s.Text())
	case fWorker:
		r.Worker = d.share(s.Text())
	case fFlags:
		r.Flags = d.share(s.Text())
	case fSource:
		r.Source = d.share(s.Text())
	case fFrom:
		r.From = s.Count()
	case fCut:
		r.Cut = s.Count()
	case fSpare:
		r.Spare = s.Count()
	case fQueue:
		r.Queue = s.Count()
	case fLeg:
		r.Leg = s.Count()
	case fStart:
		r.Start = s.Float()
	case fTo:
		r.To = s.Float()
	case fResource:
		r.Resource = s.Float()
	case fCurve:
		r.Curve = pairs(s)
	case fVerdict:
		r.Verdict = study.Verdict(d.share(s.Text()))
	case fState:
		r.State = study.State(d.share(s.Text()))
	case fFailure:
		r.Failure = study.Failure(d.share(s.Text()))
	case fRaw:
		r.Raw = d.share(s.Text())
	case fNote:
		r.Note = d.share(s.Text())
	case fBohier:
		r.Bohier = s.Count()
	case fMinReader:
		r.MinReader = s.Count()
	case fRun:
		r.Run = string(s.Text())
	case fLock:
		r.Lock = string(s.Text())
	case fSpace:
		r.Space = string(s.Text())
	case fOptional:
		r.Optional = s.Boolean()
	case fSeed:
		t := s.Text()
		seed, err := strconv.ParseUint(string(t), 10, 64)
		if err != nil {
			s.Fail("%q is not a seed", t)
		}
		r.Seed = &seed
	case fCost:
		v := s.Float()
		r.Cost = &v
	case fStderr:
		v := s.Float()
		r.Stderr = &v
	case fStderrs:
		r.Stderrs = d.numbers(s)
	case fDuration:
		v := s.Float()
		r.Seconds = &v
	case fMetrics:
		r.Metrics = d.metrics(s)
	case fFit:
		r.Fit = d.numbers(s)
	case fValues:
		r.Values = d.numbers(s)
	case fParams:
		r.Params = object(s)
	case fStudy:
		r.Study = object(s)
	case fPlan:
		r.Plan = object(s)
	case fModel:
		r.Model = object(s)
	case fFill:
		r.Fill = object(s)
	}
}

func object(s *jsonscan.Scanner) []byte {
	if s.Peek() != '{' {
		s.Fail("want an object")
	}
	return s.Value(0)
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

func (d *decoder) numbers(s *jsonscan.Scanner) map[string]float64 {
	var m map[string]float64
	s.Object(func(name []byte) {
		if m == nil {
			m = map[string]float64{}
		}
		if _, twice := m[string(name)]; twice {
			s.Fail("duplicate name %q", name)
			return
		}
		m[d.share(name)] = s.Float()
	})
	return m
}

// metrics reads an object of finite numbers and texts.
func (d *decoder) metrics(s *jsonscan.Scanner) study.Metrics {
	var m study.Metrics
	s.Object(func(name []byte) {
		if m == nil {
			m = study.Metrics{}
		}
		if _, twice := m[string(name)]; twice {
			s.Fail("duplicate name %q", name)
			return
		}
		key := d.share(name)
		if s.Peek() == '"' {
			m[key] = d.share(s.Text())
			return
		}
		m[key] = s.Float()
	})
	return m
}
